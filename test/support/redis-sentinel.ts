import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until';

const PASSWORD = 'secret';

/** A master with a replica, and a sentinel that replaces it a second after it is gone. */
export interface RedisWithSentinel {
  /** Names the sentinel. */
  url: string;
  killMaster(): void;
  close(): Promise<void>;
}

/** Starts all three on this machine; what is stored in them is thrown away. */
export async function startRedisWithSentinel(): Promise<RedisWithSentinel> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-sentinel-'));
  const children: ChildProcess[] = [];
  const [master = 0, replica = 0, sentinel = 0] = await freePorts(3);
  const start = (name: string, port: number, lines: string[], ...options: string[]) => {
    const file = join(folder, `${name}.conf`);
    writeFileSync(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...lines].join('\n'));
    const child = spawn('redis-server', [file, ...options], { stdio: 'ignore' });
    children.push(child);
    return child;
  };
  const stored = ['save ""', `requirepass ${PASSWORD}`, `masterauth ${PASSWORD}`];
  const first = start('master', master, stored);
  start('replica', replica, [...stored, `replicaof 127.0.0.1 ${master}`]);
  const close = async () => {
    for (const child of children) {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until('the replica follows', () => ask(replica, 'INFO', 'replication').includes('master_link_status:up'));
    const watched = [
      `requirepass ${PASSWORD}`,
      `sentinel monitor main 127.0.0.1 ${master} 1`,
      `sentinel auth-pass main ${PASSWORD}`,
      'sentinel down-after-milliseconds main 1000',
      'sentinel failover-timeout main 5000',
    ];
    start('sentinel', sentinel, watched, '--sentinel');
    await until('the sentinel knows both', () => ask(sentinel, 'SENTINEL', 'replicas', 'main').includes(`${replica}`));
  } catch (error) {
    await close();
    throw error;
  }
  const url = `redis://:${PASSWORD}@127.0.0.1:${sentinel}?sentinel=main`;
  return { url, killMaster: () => first.kill('SIGKILL'), close };
}

function ask(port: number, ...command: string[]): string {
  const { stdout } = spawnSync('redis-cli', ['-p', String(port), ...command], {
    env: { ...process.env, REDISCLI_AUTH: PASSWORD },
    encoding: 'utf8',
    timeout: 2_000,
  });
  return stdout ?? '';
}

/** So many that differ: each stays open until all are known. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => Object(server.address()).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
