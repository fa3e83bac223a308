import 'reflect-metadata';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql, { type RowDataPacket } from 'mysql2/promise';
import { QUEUE_NAMES, type QueueName } from '../../jobs/queues';
import { ensureSchedules } from '../../jobs/schedule.job';
import { createHttpServer } from '../../src/api/http-server';
import { buildContainer, type Container } from '../../src/container';
import { type Clock, systemClock } from '../../src/platform/clock';
import { readConfig } from '../../src/platform/config';
import { createLogger } from '../../src/platform/logger';
import { registry } from '../../workers/registry';
import { type RunningWorker, runWorker } from '../../workers/run-worker';
import { type Api, apiClient } from './api-client';
import { createMigratedDatabase } from './migrated-database';
import { settle } from './settle';

export interface TestUser {
  id: string;
  username: string;
  /** The MD5 digest of the password, as clients send it. */
  password: string;
  session: string;
  api: Api;
}

/** What a worker does: the jobs of queues, and what is repeated. */
export type WorkName = QueueName;
export const ALL_WORK: readonly WorkName[] = QUEUE_NAMES;

export interface Platform {
  url: string;
  container: Container;
  anonymous: Api;
  /** A new user; `headers` go with each of their requests. */
  user(fields?: Record<string, unknown>, headers?: Readonly<Record<string, string>>): Promise<TestUser>;
  /** Does the work of workers in this process: passes, events and due deliveries, until nothing waits. */
  settle(): Promise<void>;
  /** The rows of a statement on its database. */
  query(sql: string, values?: unknown[]): Promise<RowDataPacket[]>;
  /** Runs this number of workers on each of these queues, and what is repeated, until `stopWorkers` or `close`. */
  startWorkers(names: readonly WorkName[], count?: number): Promise<void>;
  stopWorkers(): Promise<void>;
  close(): Promise<void>;
}

export interface PlatformOptions {
  clock?: Clock;
  /** Settings by their environment variables. Only the server of a `MYSQL_URL` is used. */
  config?: Record<string, string>;
}

/** The whole platform over HTTP with a separate database and Redis prefix, but without running workers. */
export async function startPlatform({ clock = systemClock, config = {} }: PlatformOptions = {}): Promise<Platform> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'sensors-test-'));
  const server = await mysql.createConnection(required('MYSQL_URL'));
  await createMigratedDatabase(server, name, required('MYSQL_URL'));
  const database = new URL(config.MYSQL_URL ?? required('MYSQL_URL'));
  database.pathname = `/${name}`;
  const container = buildContainer(
    readConfig({
      REDIS_URL: required('REDIS_URL'),
      REDIS_PREFIX: name,
      DATA_DIR: dataDir,
      DELIVERY_ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
      BOARD_PASSWORD: 'board-password',
      RATE_LIMIT_REFUSED_LOGINS: '0',
      RATE_LIMIT_REGISTRATIONS: '0',
      RATE_LIMIT_TESTS: '0',
      MAIL_CONFIRMATION: 'off',
      CHECK_MEMORY: 'on',
      ...config,
      MYSQL_URL: database.toString(),
    }),
    createLogger(process.env.TEST_LOG_LEVEL ?? 'silent', 'test'),
    clock,
  );
  await container.prepare();
  await container.heartbeat.beat();
  const http = createHttpServer(container);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`; // a TCP server's address is an AddressInfo
  const anonymous = apiClient(url);
  const workers: RunningWorker[] = [];
  const stopWorkers = async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
  };
  return {
    url,
    container,
    anonymous,
    user: (fields, headers) => registerUser(url, anonymous, fields, headers),
    settle: () => settle(container),
    query: async (sql, values = []) => (await container.database.pool.query<RowDataPacket[]>(sql, values))[0],
    startWorkers: async (names, count = 1) => {
      if (names.includes('schedule')) await ensureSchedules(container.queues.schedule);
      for (let index = 0; index < count; index += 1) {
        workers.push(...names.map((name) => runWorker(name, registry[name], container)));
      }
    },
    stopWorkers,
    close: async () => {
      await stopWorkers();
      await new Promise((resolve) => {
        http.close(resolve);
        http.closeAllConnections();
      });
      await container.close();
      await server.query(`DROP DATABASE ${name}`);
      await server.end();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export async function registerUser(
  url: string,
  anonymous: Api,
  fields: Record<string, unknown> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<TestUser> {
  const username = `user-${randomBytes(5).toString('hex')}`;
  const password = createHash('md5').update(username).digest('hex');
  const user = { username, email: `${username}@example.org`, name: 'Test', surname: 'User', password, ...fields };
  const created = await anonymous.post('/users', { user, disable_mail: 1 });
  if (created.status !== 201)
    throw new Error(`registering a user failed: ${created.status}: ${JSON.stringify(created.body)}`);
  const login = await anonymous.post('/login', { username: user.username, password: user.password });
  if (login.status !== 200) throw new Error(`logging in failed: ${login.status}: ${JSON.stringify(login.body)}`);
  const session = String(login.body.session_id);
  return {
    id: created.body.user.id,
    username: user.username,
    password: user.password,
    session,
    api: apiClient(url, { 'X-SESSION_ID': session, ...headers }),
  };
}

export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with npm test`);
  return value;
}
