import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './ports';
import { until } from './until';

const CADDYFILE = join(__dirname, '../../deploy/Caddyfile');

/** A Caddy with the Caddyfile of the repository, in front of one platform. */
export interface Caddy {
  /** The site that everybody reaches. */
  publicUrl: string;
  /** The one for the machine itself. */
  localUrl: string;
  close(): Promise<void>;
}

/** Whether this machine has Caddy: Debian's package of that name. */
export async function hasCaddy(): Promise<boolean> {
  return promisify(execFile)('caddy', ['version']).then(
    () => true,
    () => false,
  );
}

/** Starts one on free ports, without TLS: everything else is as in the Caddyfile. */
export async function startCaddy(platformUrl: string): Promise<Caddy> {
  const folder = await mkdtemp(join(tmpdir(), 'sensors-caddy-'));
  const [publicPort, localPort, adminPort] = [await freePort(), await freePort(), await freePort()];
  const publicUrl = `http://127.0.0.1:${publicPort}`;
  const { hostname, port } = new URL(platformUrl);
  const addresses = {
    ...{ SITE_ADDRESS: publicUrl, LOCAL_PORT: String(localPort), API_HOST: hostname, API_PORT: port },
    ...{ CADDY_ADMIN: `127.0.0.1:${adminPort}`, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  };
  const child = spawn('caddy', ['run', '--config', CADDYFILE, '--adapter', 'caddyfile'], {
    env: { ...process.env, ...addresses },
    stdio: ['ignore', 'ignore', process.env.TEST_LOG_LEVEL ? 'inherit' : 'ignore'],
  });
  const close = async () => {
    if (child.exitCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  const isReady = async () => (await fetch(`${publicUrl}/healthz`).catch(() => undefined))?.status === 200;
  await until('Caddy is ready', isReady).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { publicUrl, localUrl: `http://127.0.0.1:${localPort}`, close };
}
