import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Config } from '../../src/platform/config';
import type { Platform } from './platform';
import { freePort } from './ports';
import { until } from './until';

const ROOT = join(__dirname, '../..');
const CONTAINER = `
require('reflect-metadata');
const { readConfig } = require('./src/platform/config');
const { buildContainer } = require('./src/container');
const { createLogger } = require('./src/platform/logger');
const container = buildContainer(readConfig(process.env), createLogger('silent', 'other'));
`;
const PASS = `${CONTAINER}
const { handleEvaluation } = require('./workers/evaluation.worker');
// A job ends after half a second, which a slow machine may need to start.
const drain = async (jobs) => {
  const outcome = await handleEvaluation({ partition: Number(process.env.PARTITION) }, container);
  if (outcome === 'more-waits' && jobs > 1) await drain(jobs - 1);
};
drain(100).then(() => container.close());
`;
const LEARN = `${CONTAINER}
const { handleTraining } = require('./workers/training.worker');
handleTraining({ serviceId: Number(process.env.SERVICE) }, container).then(() => container.close());
`;

/** Waits for a line, so that several processes begin at the same moment. */
const PUSH_KEY = `${CONTAINER}
process.stdout.write('ready\\n');
process.stdin.once('data', async () => {
  process.stdout.write((await container.vapidKeys.pair()).publicKey);
  await container.close();
});
`;

/** The keys for subscriptions of browsers, as separate processes read them that begin at the same moment. */
export async function readPushKeysElsewhere({ container: { config } }: Platform, processes: number): Promise<string[]> {
  const env = environmentOf(config);
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, ['-r', './scripts/swc-hook.cjs', '-e', PUSH_KEY], {
      cwd: ROOT,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  const printed = children.map((child) => once(child.stdout, 'data'));
  for (const child of children) child.stdin.end('begin');
  const keys = await Promise.all(printed);
  await Promise.all(children.map((child) => child.exitCode ?? once(child, 'close')));
  return keys.map(([text]) => String(text));
}

/** Runs an evaluation pass of a sensor's partition in a separate process, which shares only MySQL and Redis with this one. */
export async function runPassElsewhere({ container: { config } }: Platform, sensorId: string): Promise<void> {
  const env = { ...environmentOf(config), PARTITION: String(Number(sensorId) % config.partitions) };
  await promisify(execFile)(process.execPath, ['-r', './scripts/swc-hook.cjs', '-e', PASS], { cwd: ROOT, env });
}

/** Starts the training jobs of a service in a separate process, which the caller ends. */
export function startTrainingElsewhere({ container: { config } }: Platform, serviceId: string): ChildProcess {
  const env = { ...environmentOf(config), SERVICE: serviceId };
  return spawn(process.execPath, ['-r', './scripts/swc-hook.cjs', '-e', LEARN], { cwd: ROOT, env, stdio: 'ignore' });
}

/** Starts an API process on the same database, with that way to Redis and these settings; the caller ends it. */
export async function startApiElsewhere(
  { container: { config } }: Platform,
  redisUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ child: ChildProcess; url: string }> {
  const port = settings.PORT ?? (await freePort());
  const child = startFile('./src/api/server', {
    ...environmentOf(config),
    ...settings,
    REDIS_URL: redisUrl,
    PORT: String(port),
  });
  return { child, url: `http://127.0.0.1:${port}` };
}

/** Starts a worker process in the same way, until it takes jobs or has ended; the caller ends it. */
export async function startWorkerElsewhere(
  { container: { config } }: Platform,
  redisUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const child = startFile('./workers/index', { ...environmentOf(config), ...settings, REDIS_URL: redisUrl });
  let log = '';
  child.stdout?.on('data', (text) => {
    log += text;
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  await until('the worker takes jobs', () => log.includes('taking jobs') || hasEnded());
  return child;
}

/** What a command of operators printed, and how it ended. */
export interface AdminAnswer {
  exitCode: number;
  output: string;
  errors: string;
}

/** Runs a command of `npm run admin` in a process of its own, on the same servers; `settings` replace some. */
export async function runAdmin(
  { container: { config } }: Platform,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<AdminAnswer> {
  const env = { ...environmentOf(config), PATH: process.env.PATH, ...settings };
  const given = ['-r', './scripts/swc-hook.cjs', './src/admin/index.ts', ...args];
  const child = spawn(process.execPath, given, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const answer: AdminAnswer = { exitCode: -1, output: '', errors: '' };
  child.stdout.on('data', (text) => {
    answer.output += text;
  });
  child.stderr.on('data', (text) => {
    answer.errors += text;
  });
  const [exitCode] = await once(child, 'close');
  return { ...answer, exitCode: Number(exitCode ?? -1) };
}

/** The memory of such a process in MB, after it has collected its garbage. */
export async function memoryOf(child: ChildProcess): Promise<{ resident: number; heap: number }> {
  child.send('memory');
  const [{ rss, heapUsed }] = await once(child, 'message');
  return { resident: rss / 2 ** 20, heap: heapUsed / 2 ** 20 };
}

function startFile(file: string, settings: Record<string, string>): ChildProcess {
  const code = `require('${file}'); process.on('message', () => (gc(), process.send(process.memoryUsage())));`;
  const env = { SHUTDOWN_DELAY_MS: '0', ...settings, DELIVERY_ALLOW_NETWORKS: '127.0.0.0/8', LOG_LEVEL: 'info' };
  const args = ['--expose-gc', '-r', './scripts/swc-hook.cjs', '-e', code];
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  child.stdout?.resume(); // nobody may read it
  return child;
}

function environmentOf({ mysqlUrl, redisUrl, redisPrefix, dataDir }: Config) {
  return { MYSQL_URL: mysqlUrl, REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix, DATA_DIR: dataDir };
}
