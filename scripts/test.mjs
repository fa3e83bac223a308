// npm test: starts a throwaway MySQL and Redis and runs every test, or the given files. The last line has the counts.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateRoutes } from './build.mjs';
import { bringUpInfrastructure } from './infrastructure.mjs';
import { ensureBrowser } from './support/browser.mjs';
import { whenAskedToEnd } from './support/ending.mjs';
import { Guard } from './support/guard.mjs';
import { ensurePackages } from './support/packages.mjs';
import { stopOrder } from './support/processes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const wholeRunMs = 45 * 60_000;
const log = (text) => console.log(text);
const guard = new Guard();
const notes = mkdtempSync(join(tmpdir(), 'sensors-'));
guard.removeAtEnd(notes);
process.chdir(root);

whenAskedToEnd('scripts/test.mjs', async () => {
  await guard.close();
  process.exit(130);
});

const outcome = await runEverything().catch((error) => {
  log(error.message);
  return { passed: 0, failed: 1, failedChecks: [] };
});
await guard.close();
rmSync(notes, { recursive: true, force: true });
if (outcome.failedChecks.length > 0) log(`failed checks: ${outcome.failedChecks.join(', ')}`);
log(`${outcome.passed} passed, ${outcome.failed} failed`);
process.exit(outcome.failed === 0 && outcome.passed > 0 && outcome.failedChecks.length === 0 ? 0 : 1);

async function runEverything() {
  ensurePackages(root, log);
  const failedChecks = await check();
  const { mysqlUrl, redisUrl } = await bringUpInfrastructure({ throwaway: true, log, guard });
  if (testsPages()) ensureBrowser(log);
  const counts = await runMocha({ ...process.env, MYSQL_URL: mysqlUrl, REDIS_URL: redisUrl });
  return { ...counts, failedChecks };
}

/** Generates the routes, which the tests need; on the build machine also runs the static checks. */
async function check() {
  const failed = [];
  await generateRoutes().catch((error) => {
    log(error.message);
    failed.push('generate');
  });
  for (const name of process.env.CI ? ['lint', 'lint:imports', 'typecheck'] : []) {
    const { status } = spawnSync('npm', ['run', '-s', name], { stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0) failed.push(name);
  }
  return failed;
}

/** Whether the pages for people are among what is to be tested. */
function testsPages() {
  const given = process.argv.slice(2).filter((argument) => argument.endsWith('.ts'));
  return given.length === 0 || given.some((argument) => argument.includes('browser'));
}

async function runMocha(env) {
  const given = process.argv.slice(2);
  const files = given.some((argument) => argument.endsWith('.ts')) ? [] : ['test/**/*.test.ts'];
  const countsFile = join(notes, 'counts.json');
  const mocha = guard.spawn(
    'node_modules/.bin/mocha',
    ['--reporter', join(root, 'scripts/test-reporter.cjs'), ...given, ...files],
    {
      env: { ...env, TEST_COUNTS_FILE: countsFile },
      stdio: ['ignore', 'inherit', 'inherit'],
      order: stopOrder.api,
      waitMs: 5_000,
    },
  );
  const limit = setTimeout(() => {
    log('the tests take more than 45 minutes: stopping them');
    guard.stop(mocha);
  }, wholeRunMs);
  const code = await new Promise((resolve) => {
    mocha.once('error', () => resolve(1));
    mocha.once('exit', resolve);
  });
  clearTimeout(limit);
  const counts = existsSync(countsFile) ? JSON.parse(readFileSync(countsFile, 'utf8')) : { passed: 0, failed: 0 };
  // Mocha ended before its last test, or not because of a failed test: count one failure.
  const crashed = !counts.ended || (code !== 0 && counts.failed === 0);
  if (crashed) log(`mocha ended early (exit code ${code})`);
  return { passed: counts.passed, failed: counts.failed + (crashed ? 1 : 0) };
}
