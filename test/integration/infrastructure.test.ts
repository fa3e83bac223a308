import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import mysql from 'mysql2/promise';
import { isAlive } from '../support/is-alive';
import { until } from '../support/until';

interface Started {
  mysqlUrl: string;
  redisUrl: string;
  privateInstances: boolean;
}

const script = pathToFileURL(join(__dirname, '../../scripts/infrastructure.mjs')).href;
const children: ChildProcess[] = [];

describe('private MySQL and Redis', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'infrastructure & data-'));
  });

  afterEach(async () => {
    for (const child of children.splice(0)) await end(child, 'SIGKILL');
    await nothingRuns(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('end when their owner is killed, and have the same address and data at the next start', async () => {
    const first = await start({ dataDir });
    await write(first.started);
    await end(first.child, 'SIGKILL');
    await nothingRuns(dataDir);
    const second = await start({ dataDir });
    assert.deepEqual(second.started, first.started);
    assert.deepEqual(await read(second.started), { row: 'kept', key: 'kept' });
    await end(second.child, 'SIGTERM');
    assert.equal(existsSync(join(dataDir, 'processes.json')), false);
  });

  it('lose nothing when both are killed, and restart automatically', async () => {
    const { started, child } = await start({ dataDir });
    await write(started);
    const before = pidsIn(dataDir);
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await until('both are started again', () => pidsIn(dataDir).filter((pid) => !before.includes(pid)).length === 2);
    assert.deepEqual(await read(started), { row: 'kept', key: 'kept' });
    await end(child, 'SIGTERM');
  });

  it('refuse a second owner of the same folder', async () => {
    await start({ dataDir });
    await assert.rejects(start({ dataDir }), /The platform is already running on/);
  });

  it('hide their password from other users of the machine', async () => {
    await start({ dataDir });
    assert.equal(statSync(dataDir).mode & 0o077, 0);
    for (const file of readdirSync(dataDir).filter((name) => name !== 'mysql.pid')) {
      assert.equal(statSync(join(dataDir, file)).mode & 0o077, 0, file);
    }
  });

  it('are not started when the addresses of other servers are given', async () => {
    const given = { MYSQL_URL: 'mysql://a:b@db.example/sensors', REDIS_URL: 'redis://cache.example' };
    const { started } = await start({ dataDir, env: given });
    assert.deepEqual(started, { mysqlUrl: given.MYSQL_URL, redisUrl: given.REDIS_URL, privateInstances: false });
    assert.equal(existsSync(join(dataDir, 'instances.json')), false);
  });
});

/** A separate process that owns the instances until SIGTERM. */
async function start(options: { dataDir: string; env?: Record<string, string> }) {
  const code = `
    import { bringUpInfrastructure } from ${JSON.stringify(script)};
    const options = ${JSON.stringify({ env: {}, ...options })};
    const { stop, guard, ...started } = await bringUpInfrastructure({ ...options, log: () => {} });
    process.once('SIGTERM', () => stop().then(() => process.exit(0)));
    setInterval(() => {}, 1000);
    process.stdout.write(JSON.stringify(started) + '\\n');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const [text] = await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  if (!Buffer.isBuffer(text)) throw new Error(errors);
  return { child, started: JSON.parse(text.toString()) as Started }; // written by the code above
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

async function write({ mysqlUrl, redisUrl }: Started): Promise<void> {
  const connection = await mysql.createConnection(mysqlUrl);
  await connection.query('CREATE TABLE things (name VARCHAR(20))');
  await connection.query("INSERT INTO things VALUES ('kept')");
  await connection.end();
  const redis = new Redis(redisUrl);
  await redis.set('thing', 'kept');
  redis.disconnect();
}

async function read({ mysqlUrl, redisUrl }: Started) {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  redis.on('error', () => {});
  const key = await redis.get('thing');
  redis.disconnect();
  const connection = await connected(mysqlUrl);
  const [rows] = await connection.query<mysql.RowDataPacket[]>('SELECT name FROM things');
  await connection.end();
  return { row: rows[0]?.name, key };
}

async function connected(mysqlUrl: string): Promise<mysql.Connection> {
  for (const end = Date.now() + 15_000; ; await sleep(50)) {
    try {
      return await mysql.createConnection(mysqlUrl);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

function pidsIn(dataDir: string): number[] {
  try {
    const { processes } = JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8'));
    return processes.map(({ pid }: { pid: number }) => pid);
  } catch {
    return []; // missing, or being written
  }
}

async function nothingRuns(dataDir: string): Promise<void> {
  await until('no process is left', () => !pidsIn(dataDir).some(isAlive));
}
