import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'mqtt';
import { freePort } from './ports';

const PROGRAM = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto'].find(existsSync);

export interface Mosquitto {
  url: string;
  publish(topic: string, payload: string): Promise<void>;
  close(): Promise<void>;
}

/** Whether the broker of the Eclipse Foundation is installed here. */
export const HAS_MOSQUITTO = PROGRAM !== undefined;

/** Its program. */
export const MOSQUITTO = PROGRAM ?? '';

/** A Mosquitto on this machine, without accounts. */
export async function startMosquitto(): Promise<Mosquitto> {
  const folder = await mkdtemp(join(tmpdir(), 'mosquitto-'));
  const port = await freePort();
  const file = join(folder, 'mosquitto.conf');
  await writeFile(file, `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\nmax_queued_messages 0\n`);
  const child = spawn(MOSQUITTO, ['-c', file], { stdio: 'ignore' });
  const url = `mqtt://127.0.0.1:${port}`;
  const client = connect(url, { reconnectPeriod: 100 }); // until it listens
  await new Promise<void>((resolve) => client.once('connect', () => resolve()));
  return {
    url,
    publish: async (topic, payload) => {
      await client.publishAsync(topic, payload, { qos: 1 });
    },
    close: async () => {
      await client.endAsync(true);
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
