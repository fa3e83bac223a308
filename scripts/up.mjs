// npm start: starts the required servers, then the platform, until Ctrl-C.
import { randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { bringUpInfrastructure } from './infrastructure.mjs';
import { addressLines } from './support/addresses.mjs';
import { whenAskedToEnd } from './support/ending.mjs';
import { Guard } from './support/guard.mjs';
import { KeptProcess } from './support/keep-running.mjs';
import { launch } from './support/launch.mjs';
import { ensurePackages } from './support/packages.mjs';
import { isFree } from './support/ports.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const readyWithinMs = 120_000;
const log = (text) => console.log(text);
const port = Number(process.env.PORT || 8080);
const address = `http://localhost:${port}`;
const dataDir = resolve(root, process.env.DATA_DIR || '.data');
const guard = new Guard();
let isReady = false;

whenAskedToEnd('scripts/up.mjs', () => end(0));
await up().catch(async (error) => {
  if (guard.isClosed) return;
  console.error(error.message);
  await end(1);
});

async function up() {
  if (!(await isFree(port, undefined))) throw new Error(`Port ${port} is taken: choose another one, e.g. PORT=8081`);
  ensurePackages(root, log);
  const [infrastructure] = await Promise.all([bringUpInfrastructure({ dataDir, log, guard }), build({ log })]);
  const boardPassword = process.env.BOARD_PASSWORD || randomBytes(9).toString('base64url');
  const env = environment(infrastructure, boardPassword);
  const died = rejectable();
  const processes = [
    keep('the API', 'api', { waitMs: 30_000, env, died }),
    ...Array.from({ length: workerCount() }, (_, number) =>
      keep(`worker ${number + 1}`, 'worker', { waitMs: 40_000, env, died }),
    ),
  ];
  await Promise.race([untilReady(), died.promise]);
  isReady = true;
  const madeBoardPassword = process.env.BOARD_PASSWORD ? undefined : boardPassword;
  const shown = { madeBoardPassword, boardUser: env.BOARD_USER, metricsToken: env.METRICS_TOKEN };
  for (const line of addressLines(address, shown)) log(line);
  if (process.argv.includes('--watch')) rebuildOnChange(processes);
}

async function end(exitCode) {
  await guard.close();
  process.exit(exitCode);
}

function environment({ mysqlUrl, redisUrl, privateInstances }, boardPassword) {
  return {
    ...process.env,
    NODE_ENV: process.env.NODE_ENV || 'production',
    // With private instances only this machine can reach the platform, unless HOST is set.
    ...(privateInstances && !process.env.HOST ? { HOST: '127.0.0.1' } : {}),
    PORT: String(port),
    DATA_DIR: dataDir,
    MYSQL_URL: mysqlUrl,
    REDIS_URL: redisUrl,
    BOARD_USER: process.env.BOARD_USER || 'operator',
    BOARD_PASSWORD: boardPassword,
    // There is no load balancer that must notice the end of this process.
    SHUTDOWN_DELAY_MS: process.env.SHUTDOWN_DELAY_MS || '0',
    // With private instances this is a development machine, and the receivers run on it as well.
    DELIVERY_ALLOW_NETWORKS: process.env.DELIVERY_ALLOW_NETWORKS ?? (privateInstances ? '127.0.0.0/8,::1/128' : ''),
  };
}

function workerCount() {
  const count = Number(process.env.WORKERS || 1);
  if (!Number.isInteger(count) || count < 0) throw new Error('WORKERS must be a whole number, 0 or more');
  return count;
}

/** A process that ends before the platform is ready makes the start fail; afterwards it is started again. */
function keep(name, kind, { waitMs, env, died }) {
  return new KeptProcess({
    guard,
    launch: () => launch(guard, kind, { cwd: root, env, stdio: 'inherit', waitMs }),
    onCrash: (reason) => {
      if (isReady) log(`${name} ended (${reason}); starting it again`);
      else died.reject(new Error(`${name} ended before the platform was ready (${reason}): see above`));
    },
  });
}

function rejectable() {
  let reject;
  const promise = new Promise((_, refuse) => {
    reject = refuse;
  });
  promise.catch(() => {});
  return { promise, reject };
}

async function untilReady() {
  const until = Date.now() + readyWithinMs;
  while (Date.now() < until) {
    const response = await fetch(`http://localhost:${port}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(
      () => {},
    );
    if (response?.status === 200) return;
    await sleep(50);
  }
  throw new Error(`${address}/readyz does not respond with 200 after ${readyWithinMs / 1000} seconds`);
}

function rebuildOnChange(processes) {
  let timer;
  const rebuild = async () => {
    try {
      if (!(await build({ log }))) return;
      await Promise.all(processes.map((each) => each.restart()));
      log('restarted');
    } catch (error) {
      console.error(error.message);
    }
  };
  for (const folder of ['src', 'jobs', 'workers', 'console', 'client/src']) {
    watch(join(root, folder), { recursive: true }, (_, file) => {
      if (file?.includes('generated')) return;
      clearTimeout(timer);
      timer = setTimeout(rebuild, 200);
    });
  }
}
