import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../ports';
import { until } from '../until';

/** A server of Debian's package influxdb, with a folder of its own. */
export interface InfluxDb {
  url: string;
  /** Sends a statement. */
  query(statement: string): Promise<unknown>;
  /** Stores lines with nanoseconds. */
  write(database: string, lines: string): Promise<void>;
  close(): Promise<void>;
}

export async function startInfluxDb(): Promise<InfluxDb> {
  const folder = await mkdtemp(join(tmpdir(), 'sensors-influxdb-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const [data, wal] = [join(folder, 'data'), join(folder, 'wal')];
  const config = `reporting-disabled = true
bind-address = "127.0.0.1:${await freePort()}"
[meta]
dir = "${join(folder, 'meta')}"
[data]
dir = "${data}"
wal-dir = "${wal}"
[http]
bind-address = "${new URL(url).host}"
[monitor]
store-enabled = false
`;
  await writeFile(join(folder, 'influxdb.conf'), config);
  const child = spawn('influxd', ['run', '-config', join(folder, 'influxdb.conf')], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const send = async (path: string, init?: RequestInit) => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`InfluxDB answered ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  await until('InfluxDB is ready', () =>
    fetch(`${url}/ping`).then(
      ({ status }) => status === 204,
      () => false,
    ),
  ).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    url,
    query: (statement) => send(`/query?${new URLSearchParams({ q: statement })}`, { method: 'POST' }),
    write: (database, body) => send(`/write?db=${database}`, { method: 'POST', body }),
    close,
  };
}
