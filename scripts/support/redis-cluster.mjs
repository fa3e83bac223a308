import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findBinary } from './binaries.mjs';
import { firstResponse, freePort, isFree } from './ports.mjs';
import { stopOrder } from './processes.mjs';

const run = promisify(execFile);
const readyWithinMs = 30_000;

/**
 * A private Redis Cluster on this machine: masters, each with a replica. A master that is away for `timeoutMs` is
 * replaced. It uses none of the ports in `avoid`. Returns the URL that names its nodes, and the nodes: `{ port, child,
 * restart(), isUp(), isMaster() }`.
 */
export async function startRedisCluster({ folder, guard, password, masters = 3, timeoutMs = 2_000, avoid = [] }) {
  const nodes = [];
  for (let index = 0; index < 2 * masters; index += 1) {
    const taken = [...avoid, ...nodes.map(({ port }) => port)];
    nodes.push(await startNode({ folder, guard, password, index, timeoutMs, taken }));
  }
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  for (const { port } of nodes) await until(`Redis ${port} answers`, () => isUp(port, password));
  await run(cli(), ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'], {
    env: { ...process.env, REDISCLI_AUTH: password },
    timeout: readyWithinMs,
  });
  for (const { port } of nodes) {
    await until(`Redis ${port} is part of the cluster`, () =>
      ask(port, password, 'CLUSTER', 'INFO').includes('cluster_state:ok'),
    );
  }
  // A replica that never had the data of its master does not replace it.
  const isFollowing = ({ port }) => ask(port, password, 'INFO', 'replication').includes('master_link_status:up');
  await until('every master has a replica', () => nodes.filter(isFollowing).length === masters);
  return { url: `redis://:${password}@${addresses.join(',')}`, nodes };
}

async function startNode({ folder, guard, password, index, timeoutMs, taken }) {
  const port = await freeBusPort(taken);
  const data = join(folder, `redis-${index}`);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: data,
    requirepass: password,
    masterauth: password,
    'cluster-enabled': 'yes',
    'cluster-config-file': 'nodes.conf',
    'cluster-node-timeout': String(timeoutMs),
    appendonly: 'yes',
    save: '',
    'repl-diskless-sync-delay': '0', // by default a master waits for 5 s for further replicas
    'maxmemory-policy': 'noeviction',
    logfile: join(data, 'redis.log'),
  };
  const file = join(data, 'redis.conf');
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  const launch = () => guard.spawn(server(), [file], { order: stopOrder.redis, waitMs: 5_000, stdio: 'ignore' });
  const node = { port, child: launch() };
  node.restart = () => {
    node.child = launch();
  };
  node.isUp = () => isUp(port, password);
  node.isMaster = () => ask(port, password, 'ROLE').startsWith('master');
  return node;
}

/** Nodes talk to each other on a port that is 10,000 higher. */
async function freeBusPort(taken) {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = await freePort();
    const isOther = !taken.includes(port) && !taken.includes(port + 10_000);
    if (isOther && (await isFree(port + 10_000))) return port;
  }
  throw new Error('no free pair of ports');
}

async function isUp(port, password) {
  const response = await firstResponse(port, `AUTH ${password}\r\nPING\r\n`);
  return response?.toString().startsWith('+OK') ?? false;
}

/** The answer of one node; empty if there is none within a second. */
function ask(port, password, ...command) {
  const { stdout } = spawnSync(cli(), ['-p', String(port), ...command], {
    env: { ...process.env, REDISCLI_AUTH: password },
    encoding: 'utf8',
    timeout: 1_000,
  });
  return stdout ?? '';
}

const server = () => findBinary('redis-server', 'valkey-server');
const cli = () => findBinary('redis-cli', 'valkey-cli');

async function until(what, condition) {
  const end = Date.now() + readyWithinMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited more than ${readyWithinMs / 1000} s until ${what}`);
    await sleep(100);
  }
}
