import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBinary } from './binaries.mjs';
import { firstResponse } from './ports.mjs';
import { stopOrder } from './processes.mjs';

/** A private Redis (or Valkey) in `folder`; a throwaway one stores nothing on disk. */
export function redisInstance({ folder, throwaway, password }) {
  const data = join(folder, 'redis');
  const settings = join(folder, 'redis.conf');
  const log = join(folder, 'redis.log');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const lines = [
    'bind 127.0.0.1',
    `requirepass ${password}`,
    `dir ${JSON.stringify(data)}`,
    `logfile ${JSON.stringify(log)}`,
    `appendonly ${throwaway ? 'no' : 'yes'}`,
    'save ""',
    'maxmemory-policy noeviction',
    // Timer wake-ups per second: the default of ten cost more than all requests of an idle platform.
    'hz 4',
    'daemonize no',
    '',
  ];
  writeFileSync(settings, lines.join('\n'), { mode: 0o600 });
  return {
    name: 'Redis',
    order: stopOrder.redis,
    log,
    waitMs: 20_000,
    command: findBinary('redis-server', 'valkey-server'),
    args: (port) => [settings, '--port', String(port)],
    isReady: async (port) => {
      const response = await firstResponse(port, `AUTH ${password}\r\nPING\r\n`);
      return response?.toString().startsWith('+OK') && !response.toString().includes('LOADING');
    },
    url: (port) => `redis://:${password}@127.0.0.1:${port}`,
  };
}
