import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports';
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
  const ports = new Set<number>();
  while (ports.size < 3) ports.add(await freePort());
  const [master = 0, replica = 0, sentinel = 0] = ports;
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
