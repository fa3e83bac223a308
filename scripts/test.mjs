// npm test: starts a throwaway MySQL and Redis and runs the tests, or the given files. The last two lines have the counts.
// `--related[=base]` runs the tests that the changes since `base` can reach, `--shard i/n` a part of the tests, `--night`
// those of the night, `--durations` records how long each file takes. All other options are mocha's.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, buildConsole, generateRoutes } from './build.mjs';
import { bringUpInfrastructure } from './infrastructure.mjs';
import { ensureAgents } from './support/agents.mjs';
import { ensureBrowser } from './support/browser.mjs';
import { ensureCaddy } from './support/caddy.mjs';
import { whenAskedToEnd } from './support/ending.mjs';
import { Guard } from './support/guard.mjs';
import { ensureHelm } from './support/helm.mjs';
import { ensurePackages } from './support/packages.mjs';
import { stopOrder } from './support/processes.mjs';
import { ensurePrometheus } from './support/prometheus.mjs';
import { changedFiles, relatedTests } from './support/related-tests.mjs';
import { judgeCounts } from './support/test-counts.mjs';
import { allTests, testFiles } from './support/test-files.mjs';
import { readOptions } from './support/test-options.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** What the night sets, unless the environment does. */
const NIGHT = { SIMULATION_SEEDS: '2000', TORTURE_MINUTES: '30', ...process.env };
/** Each has a separate MySQL and Redis. */
const mostJobs = 4;
const log = (text) => console.log(text);
const guard = new Guard();
const notes = mkdtempSync(join(tmpdir(), 'sensors-'));
guard.removeAtEnd(notes);
process.chdir(root);
const { options, files: given, selection } = chooseTests();
const wholeRunMs = (selection.isNight ? 240 : 70) * 60_000;

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
const hasRun = outcome.passed > 0 || selection.only?.length === 0;
process.exit(outcome.failed === 0 && hasRun && outcome.failedChecks.length === 0 ? 0 : 1);

async function runEverything() {
  ensurePackages(root, log);
  const failedChecks = await check();
  const servers = [await bringUpServers()];
  if (mayTest('browser')) ensureBrowser(log);
  if (mayTest('caddyfile')) ensureCaddy(log);
  if (mayTest('remote-write') || mayTest('prometheus')) ensurePrometheus(log);
  if (mayTest('test/agents')) ensureAgents(log);
  if (mayTest('docs/chart')) ensureHelm(log);
  // A platform that is started before serves the names of the files of the former console.
  if (given.length > 0 && mayTest('browser')) await buildConsole();
  if (given.length > 0) return { ...(await runMocha([...options, ...given], servers)), failedChecks };
  await build({ log }); // some tests start it, and no other test may find it half built
  const cores = availableParallelism();
  // One more than there are cores, because tests also wait.
  const jobs = servers[0].areOurs && cores > 1 ? Math.min(cores + 1, mostJobs) : 1;
  while (servers.length < jobs) servers.push(await bringUpServers());
  const { together, alone } = testFiles(root, selection);
  const night = selection.isNight ? NIGHT : {};
  const parallel = ['--parallel', '--jobs', `${servers.length}`];
  const side = await runMocha([...options, ...parallel, ...together], servers, night);
  const after = await runMocha([...options, ...alone], servers, { ...night, ATTACK_SLACK: '1' });
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
  if (selection.isNight && !process.version.startsWith('v24.')) names.push('test:unit:node24');
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

/** Reads the arguments, and finds the tests of a change. */
function chooseTests() {
  const { related, ...rest } = readOptions(process.argv.slice(2));
  if (related === undefined) return rest;
  const only = relatedTests(root, changedFiles(root, related), allTests(root));
  log(`${only.length} test files can be reached`);
  return { ...rest, selection: { ...rest.selection, only } };
}

/** True if files whose path contains `part` are among the tests to run. */
function mayTest(part) {
  const files = given.length > 0 ? given : (selection.only ?? [part]);
  return files.some((file) => file.includes(part));
}

/** Runs mocha with these arguments and settings; each of its processes uses one of these pairs of servers. */
async function runMocha(args, servers, settings = {}) {
  if (!args.some((argument) => argument.endsWith('.ts'))) return { passed: 0, failed: 0, skipped: 0 };
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
    ['--require', './scripts/test-servers.cjs', '--reporter', join(root, 'scripts/test-reporter.cjs'), ...args],
    {
      env: { ...env, TEST_COUNTS_FILE: countsFile },
      stdio: ['ignore', 'inherit', 'inherit'],
      order: stopOrder.api,
      waitMs: 5_000,
    },
  );
  const limit = setTimeout(() => {
    log(`the tests take more than ${wholeRunMs / 60_000} minutes: stopping them`);
    guard.stop(mocha);
  }, wholeRunMs);
  const code = await new Promise((resolve) => {
    mocha.once('error', () => resolve(1));
    mocha.once('exit', resolve);
  });
  clearTimeout(limit);
  const counts = existsSync(countsFile) ? JSON.parse(readFileSync(countsFile, 'utf8')) : undefined;
  // A run of some files does not install the programs of all.
  const isStrict = Boolean(process.env.CI) && given.length === 0;
  const { lines, ...judged } = judgeCounts(counts, { code, given: args, root, isStrict });
  for (const line of lines) log(line);
  if (selection.recordsDurations) recordDurations(counts?.seconds ?? {});
  return judged;
}

/** Keeps how long files took, for `--shard`. */
function recordDurations(seconds) {
  const path = join(root, 'test/durations.json');
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const all = Object.entries({ ...known, ...seconds }).filter(([file]) => existsSync(join(root, file)));
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(all.sort()), null, 2)}\n`);
}
