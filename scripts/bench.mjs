// npm run bench [-- gateway uploads … --rounds 3 --seconds 2 --sensors 2000 --json]: measures the platform on this
// machine, interleaved with the machine's limits without it. Starts a durable MySQL and Redis, one API process and one
// worker. With --json the figures go to standard output as JSON, and the progress to standard error. A benchmark may
// define more sizes, which are options as well. Some benchmarks run only when they are named.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import mysql from 'mysql2/promise';
import { Costs } from './bench/support/costs.mjs';
import { tableOf } from './bench/support/figures.mjs';
import { build } from './build.mjs';
import { whenAskedToEnd } from './support/ending.mjs';
import { Guard } from './support/guard.mjs';
import { stopOrder } from './support/processes.mjs';
import { startCluster } from './torture/cluster.mjs';

const folder = fileURLToPath(new URL('./bench', import.meta.url));
const available = await load();
const defaults = Object.assign({}, ...available.map(({ options: own }) => own));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...Object.fromEntries(
      Object.entries(defaults).map(([name, size]) => [name, { type: 'string', default: `${size}` }]),
    ),
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    sensors: { type: 'string', default: '2000' },
    json: { type: 'boolean', default: false },
  },
});
const [rounds, seconds, sensors] = [options.rounds, options.seconds, options.sensors].map(Number);
const sizes = Object.fromEntries(Object.keys(defaults).map((name) => [name, Number(options[name])]));
const wrong = Object.keys(sizes).filter((name) => !(sizes[name] > 0));
if (wrong.length > 0 || !(rounds >= 1) || !(seconds > 0) || !(sensors >= 2_000)) {
  console.error('usage: npm run bench -- [gateway uploads …] [--rounds 3] [--seconds 2] [--sensors 2000] [--json]');
  console.error(
    `sizes: ${Object.entries(defaults)
      .map(([name, size]) => `--${name} ${size}`)
      .join(' ')}`,
  );
  process.exit(2);
}
const guard = new Guard();
const started = Date.now();
const log = (text) =>
  (options.json ? console.error : console.log)(`${((Date.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}`);
whenAskedToEnd('scripts/bench.mjs', () => guard.close().then(() => process.exit(130)));

const succeeded = await bench(positionals).then(
  () => true,
  (error) => {
    console.error(error);
    return false;
  },
);
await guard.close();
process.exit(succeeded ? 0 : 1);

async function bench(wanted) {
  const benches = choose(wanted);
  await build({ log });
  const platform = await startPlatform();
  const barePort = await startBareServer();
  const context = { ...platform, barePort, startAnother: startPlatform, guard, rounds, seconds, sensors, sizes, log };
  const done = [];
  for (const { name, run } of benches) {
    log(name);
    done.push({ name, rows: await run(context) });
  }
  await platform.leave();
  log('done');
  const [{ model } = { model: 'unknown' }] = cpus();
  const measured = `${commit()}, ${new Date().toISOString().slice(0, 10)}`;
  const machine = `${measured}, ${cpus().length} × ${model}, shared by client, API, worker, MySQL and Redis; ${rounds} rounds`;
  if (options.json) console.log(JSON.stringify({ machine, benches: done }, null, 2));
  else console.log(`\n${machine}\n${tableOf(done).join('\n')}`);
}

/** The commit that is measured; with a plus if files differ from it. */
function commit() {
  try {
    const git = (...given) =>
      execFileSync('git', given, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+');
  } catch {
    return 'unknown commit';
  }
}

/** One API process and one worker with a private MySQL and Redis. They end with this process. */
async function startPlatform() {
  const data = mkdtempSync(join(tmpdir(), 'bench-'));
  guard.removeAtEnd(data);
  const cluster = await startCluster({ folder: data, guard, apis: 1, workers: 1, logFile: join(data, 'platform.log') });
  const pool = mysql.createPool({ uri: cluster.mysqlUrl, connectionLimit: 8 });
  const redis = new Redis(cluster.redisUrl);
  const processes = () => pidsOf(cluster);
  return {
    port: cluster.apiPorts[0],
    pool,
    redis,
    processes,
    costs: new Costs({ processes, pool, redis }),
    mysqlUrl: cluster.mysqlUrl,
    folder: data,
    leave: () => Promise.all([pool.end(), redis.quit()]),
  };
}

async function load() {
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjs'));
  return (await Promise.all(files.map((file) => import(join(folder, file))))).sort((a, b) => a.order - b.order);
}

/** The named benchmarks, or all fast ones. */
function choose(wanted) {
  const unknown = wanted.filter((name) => available.every((each) => each.name !== name));
  if (unknown.length > 0)
    throw new Error(`no benchmark is called ${unknown}; choose from ${available.map(({ name }) => name)}`);
  return available.filter(({ name, isLong }) => (wanted.length === 0 ? !isLong : wanted.includes(name)));
}

function startBareServer() {
  const child = guard.spawn(process.execPath, [join(folder, 'support/bare-server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    order: stopOrder.api,
    waitMs: 5_000,
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout.once('data', (text) => resolve(Number(text)));
  });
}

function pidsOf({ apis, workers, mysql, redis }) {
  const named = { MySQL: mysql, Redis: redis, API: apis[0], worker: workers[0] };
  return Object.fromEntries(Object.entries(named).map(([name, { child }]) => [name, child.pid]));
}
