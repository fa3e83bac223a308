// npm test: starts a throwaway MySQL and Redis and runs every test, or the given files. The last two lines have the counts.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, generateRoutes } from './build.mjs';
import { bringUpInfrastructure } from './infrastructure.mjs';
import { ensureAgents } from './support/agents.mjs';
import { ensureBrowser } from './support/browser.mjs';
import { ensureCaddy } from './support/caddy.mjs';
import { whenAskedToEnd } from './support/ending.mjs';
import { Guard } from './support/guard.mjs';
import { ensurePackages } from './support/packages.mjs';
import { stopOrder } from './support/processes.mjs';
import { ensurePrometheus } from './support/prometheus.mjs';
import { judgeCounts } from './support/test-counts.mjs';
import { testFiles } from './support/test-files.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const wholeRunMs = 70 * 60_000;
/** Each has a separate MySQL and Redis. */
const mostJobs = 4;
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
  return { passed: 0, failed: 1, skipped: 0, failedChecks: [] };
});
await guard.close();
rmSync(notes, { recursive: true, force: true });
if (outcome.failedChecks.length > 0) log(`failed checks: ${outcome.failedChecks.join(', ')}`);
log(`${outcome.skipped} skipped`);
log(`${outcome.passed} passed, ${outcome.failed} failed`);
process.exit(outcome.failed === 0 && outcome.passed > 0 && outcome.failedChecks.length === 0 ? 0 : 1);

async function runEverything() {
  ensurePackages(root, log);
  const failedChecks = await check();
  const servers = [await bringUpServers()];
  if (mayTest('browser')) ensureBrowser(log);
  if (mayTest('caddyfile')) ensureCaddy(log);
  if (mayTest('remote-write') || mayTest('prometheus')) ensurePrometheus(log);
  if (mayTest('test/agents')) ensureAgents(log);
  if (givenFiles().length > 0) return { ...(await runMocha(process.argv.slice(2), servers)), failedChecks };
  await build({ log }); // some tests start it, and no other test may find it half built
  const cores = availableParallelism();
  // One more than there are cores, because tests also wait.
  const jobs = servers[0].areOurs && cores > 1 ? Math.min(cores + 1, mostJobs) : 1;
  while (servers.length < jobs) servers.push(await bringUpServers());
  const options = process.argv.slice(2);
  const { together, alone } = testFiles(root);
  const side = await runMocha([...options, '--parallel', '--jobs', `${servers.length}`, ...together], servers);
  const after = await runMocha([...options, ...alone], servers, { ATTACK_SLACK: '1' });
  return {
    passed: side.passed + after.passed,
    failed: side.failed + after.failed,
    skipped: side.skipped + after.skipped,
    failedChecks,
  };
}

/** A throwaway MySQL and Redis, unless the environment names some. */
async function bringUpServers() {
  const { mysqlUrl, redisUrl, privateInstances } = await bringUpInfrastructure({ throwaway: true, log, guard });
  return { urls: { MYSQL_URL: mysqlUrl, REDIS_URL: redisUrl }, areOurs: privateInstances };
}

/** Generates the routes, which the tests need; on the build machine also runs the static checks. Returns what failed. */
async function check() {
  const failed = [];
  await generateRoutes().catch((error) => {
    log(error.message);
    failed.push('generate');
  });
  if (!process.env.CI) return failed;
  const names = ['lint', 'lint:imports', 'lint:unused', 'lint:spelling', 'typecheck'];
  if (!process.version.startsWith('v24.')) names.push('test:unit:node24');
  const isPassed = await Promise.all(names.map(passes));
  return [...failed, ...names.filter((_, index) => !isPassed[index])];
}

/** Runs a script of package.json; shows its output if it fails. */
function passes(name) {
  return new Promise((resolve) => {
    execFile('npm', ['run', '-s', name], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error) log(`npm run ${name} failed:\n${stdout}${stderr}`);
      resolve(!error);
    });
  });
}

function givenFiles() {
  return process.argv.slice(2).filter((argument) => argument.endsWith('.ts'));
}

/** True if files whose path contains `part` are among the tests to run. */
function mayTest(part) {
  return givenFiles().length === 0 || givenFiles().some((argument) => argument.includes(part));
}

/** Runs mocha with these arguments and settings; each of its processes uses one of these pairs of servers. */
async function runMocha(given, servers, settings = {}) {
  const env = {
    ...process.env,
    ...settings,
    ...servers[0].urls,
    TEST_SERVERS: JSON.stringify(servers.map(({ urls }) => urls)),
  };
  rmSync(join(notes, 'counts.json'), { force: true });
  const countsFile = join(notes, 'counts.json');
  const mocha = guard.spawn(
    'node_modules/.bin/mocha',
    ['--require', './scripts/test-servers.cjs', '--reporter', join(root, 'scripts/test-reporter.cjs'), ...given],
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
  const counts = existsSync(countsFile) ? JSON.parse(readFileSync(countsFile, 'utf8')) : undefined;
  // A run of some files does not install the programs of all.
  const isStrict = Boolean(process.env.CI) && givenFiles().length === 0;
  const { lines, ...judged } = judgeCounts(counts, { code, given, root, isStrict });
  for (const line of lines) log(line);
  return judged;
}
