// The platform as it would run on several machines: MySQL, Redis, API and worker processes, each of which can be killed.
import { randomBytes } from 'node:crypto';
import { openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { installServers } from '../infrastructure.mjs';
import { launch } from '../support/launch.mjs';
import { mysqlInstance } from '../support/mysql-instance.mjs';
import { freePort } from '../support/ports.mjs';
import { redisInstance } from '../support/redis-instance.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readyWithinMs = 120_000;
const stopsWithinMs = 30_000;
/** Characters: a crash of MariaDB says where it was. */
const LAST_WORDS = 6_000;

/** One process that can be killed and stays down until it is started again. */
class Victim {
  constructor(name, launch, isReady) {
    this.name = name;
    this.launch = launch;
    this.isReady = isReady;
    this.isUp = false;
  }

  /** Starts it unless it runs, and waits until it is ready. */
  async start() {
    if (!this.child || !this.isRunning) {
      this.child = this.launch();
      this.child.once('exit', () => {
        this.isUp = false;
      });
    }
    const until = Date.now() + readyWithinMs;
    while (!(await this.isReady())) {
      if (Date.now() > until) throw new Error(`${this.name} is not ready after ${readyWithinMs / 1000} s`);
      // It ends if a server it needs is down at the moment. Start it again then.
      if (!this.isRunning) this.child = this.launch();
      await sleep(100);
    }
    this.isUp = true;
  }

  get isRunning() {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Sends SIGKILL and waits until the process has ended. */
  async kill() {
    const { child } = this;
    if (!this.isRunning) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    this.isUp = false;
  }

  /** Asks it to end, as a supervisor does. Returns true if it ended by itself in time. */
  async stop() {
    const { child } = this;
    if (!this.isRunning) return true;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const hasEnded = await Promise.race([ended.then(() => true), sleep(stopsWithinMs, false)]);
    if (!hasEnded) await this.kill();
    return hasEnded;
  }
}

/**
 * Starts everything, with these additional settings, for workers those of `ofWorkers` as well; `guest(settings)` is one more worker, not started. The processes
 * write their log to `logFile`.
 */
export async function startCluster({ folder, guard, apis = 2, workers = 3, logFile, settings = {}, ofWorkers = {} }) {
  installServers(console.error);
  const password = randomBytes(12).toString('hex');
  // Not as throwaway: committed data must survive a kill.
  const instance = mysqlInstance({ folder, throwaway: false, password });
  const [mysql, mysqlUrl] = await server(instance, guard);
  const [redis, redisUrl] = await server(redisInstance({ folder, throwaway: false, password }), guard);
  await Promise.all([mysql.start(), redis.start()]);
  const env = { ...environmentOf({ mysqlUrl, redisUrl, folder, password }), ...settings };
  const output = openSync(logFile, 'a');
  const launcher = (kind, port, more) => () =>
    launch(guard, kind, {
      cwd: root,
      env: { ...env, PORT: String(port), ...(kind === 'worker' && ofWorkers), ...more?.() },
      stdio: ['ignore', output, output],
      waitMs: 20_000,
    });
  const apiPorts = await portsFor(apis);
  const apiVictims = apiPorts.map(
    (port, index) => new Victim(`API ${index + 1}`, launcher('api', port), () => isReady(port)),
  );
  const workerVictims = (await portsFor(workers)).map(
    (port, index) => new Victim(`worker ${index + 1}`, launcher('worker', port), async () => true),
  );
  const [guestPort] = await portsFor(1);
  const guest = (settingsOfGuest) => {
    return new Victim(
      'guest',
      launcher('worker', guestPort, () => settingsOfGuest),
      async () => true,
    );
  };
  for (const victim of [...apiVictims, ...workerVictims]) await victim.start();
  const lastWordsOfMysql = () => readFileSync(instance.log, 'utf8').slice(-LAST_WORDS);
  const processes = { mysql, redis, apis: apiVictims, workers: workerVictims, guest };
  return { ...processes, apiPorts, mysqlUrl, redisUrl, folder, lastWordsOfMysql };
}

function environmentOf({ mysqlUrl, redisUrl, folder, password }) {
  return {
    ...process.env,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    MYSQL_URL: mysqlUrl,
    REDIS_URL: redisUrl,
    DATA_DIR: folder,
    BOARD_PASSWORD: password,
    DELIVERY_ALLOW_NETWORKS: '127.0.0.0/8',
    SHUTDOWN_DELAY_MS: '0',
  };
}

async function server(instance, guard) {
  const port = await freePort();
  const { command, order, waitMs } = instance;
  const launch = () => guard.spawn(command, instance.args(port), { order, waitMs, stdio: 'ignore' });
  return [new Victim(instance.name, launch, () => instance.isReady(port)), instance.url(port)];
}

async function portsFor(count) {
  const ports = new Set();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

async function isReady(port) {
  const url = `http://127.0.0.1:${port}/readyz`;
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  return response?.status === 200;
}
