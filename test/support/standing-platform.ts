import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import mysql, { type Pool } from 'mysql2/promise';
import { type Api, apiClient } from './api-client';
import { createMigratedDatabase } from './migrated-database';
import { registerUser, required, type TestUser } from './platform';
import { freePort } from './ports';
import { until } from './until';

const ROOT = join(__dirname, '../..');
const START_MS = 120_000;

/** One process of a standing platform. */
export interface StandingProcess {
  name: 'api' | 'worker';
  pid: number;
  /** Whether it has ended by itself. */
  hasEnded(): boolean;
  /** Its resident memory in MB. */
  residentMb(): number;
  kill(signal: NodeJS.Signals): void;
}

/** A platform of real processes with a database and a Redis prefix of its own. */
export interface StandingPlatform {
  url: string;
  /** Those of all API processes; the first is `url`. */
  urls: readonly string[];
  anonymous: Api;
  processes: readonly StandingProcess[];
  pool: Pool;
  user(fields?: Record<string, unknown>): Promise<TestUser>;
  /** Starts the purge as an operator does; that of the worker begins once a minute. */
  startPurge(): void;
  close(): Promise<void>;
}

/** How many processes of each kind share the database and the Redis prefix. */
export interface ProcessCounts {
  apis: number;
  workers: number;
}

/** Starts an API and a worker process, or more of each, as `npm start` does, from the sources. */
export async function startStandingPlatform(
  config: Record<string, string> = {},
  { apis, workers }: ProcessCounts = { apis: 1, workers: 1 },
): Promise<StandingPlatform> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'sensors-test-'));
  const server = await mysql.createConnection(required('MYSQL_URL'));
  await createMigratedDatabase(server, name, required('MYSQL_URL'));
  const database = new URL(required('MYSQL_URL'));
  database.pathname = `/${name}`;
  const ports = await Promise.all(Array.from({ length: apis }, () => freePort()));
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const [url = ''] = urls;
  const env = {
    ...process.env,
    MYSQL_URL: database.toString(),
    REDIS_URL: required('REDIS_URL'),
    REDIS_PREFIX: name,
    DATA_DIR: dataDir,
    DELIVERY_ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
    BOARD_PASSWORD: 'board-password',
    RATE_LIMIT_REGISTRATIONS: '0',
    SHUTDOWN_DELAY_MS: '0',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
    ...config,
  };
  const processes = [
    ...ports.map((port) => startProcess('api', './src/api/server', { ...env, PORT: String(port) })),
    ...Array.from({ length: workers }, () => startProcess('worker', './workers/index', env)),
  ];
  const pool = mysql.createPool({ uri: database.toString(), connectionLimit: 2 });
  const anonymous = apiClient(url);
  const purges: ChildProcess[] = [];
  const close = async () => {
    for (const purge of purges) purge.kill('SIGKILL');
    for (const { kill } of processes) kill('SIGTERM');
    await until('the processes have ended', async () => processes.every((each) => each.hasEnded())).catch(() => {
      for (const { kill } of processes) kill('SIGKILL');
    });
    await pool.end();
    await server.query(`DROP DATABASE ${name}`);
    await server.end();
    await rm(dataDir, { recursive: true, force: true });
  };
  const answers = async (one: string) => (await fetch(`${one}/readyz`).catch(() => undefined))?.status === 200;
  const isReady = async () => (await Promise.all(urls.map(answers))).every(Boolean);
  await until('the platform is ready', isReady, START_MS).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const startPurge = () => {
    const child = spawn(process.execPath, ['-r', './scripts/swc-hook.cjs', './src/admin/index.ts', 'purge'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    purges.push(child);
  };
  return {
    url,
    urls,
    anonymous,
    processes,
    pool,
    user: (fields) => registerUser(url, anonymous, fields),
    startPurge,
    close,
  };
}

/** Starts the sources with the options that `scripts/launch.sh` gives the built processes: they limit the memory. */
function startProcess(name: 'api' | 'worker', entry: string, env: NodeJS.ProcessEnv): StandingProcess {
  const args = ['scripts/launch.sh', name, '-r', './scripts/swc-hook.cjs', '-e', `require('${entry}')`];
  const PATH = `${dirname(process.execPath)}${delimiter}${env.PATH}`;
  const child: ChildProcess = spawn('sh', args, {
    cwd: ROOT,
    env: { ...env, PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  const pid = child.pid ?? 0;
  return { name, pid, hasEnded: () => ended, residentMb: () => residentMb(pid), kill: (signal) => child.kill(signal) };
}

function residentMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
