// Uses the platform that is already running, or starts one and stops it afterwards.
import { spawn } from 'node:child_process';

const READY_LIMIT_MS = 300_000;

export async function ensurePlatform() {
  const url = process.env.DEMO_URL ?? `http://localhost:${process.env.PORT ?? 8080}`;
  if (await isReady(url)) return { url, stop: async () => {} };
  console.log(`no platform is running at ${url}: starting one`);
  const child = spawn(process.execPath, [new URL('../up.mjs', import.meta.url).pathname], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const deadline = Date.now() + READY_LIMIT_MS;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) {
      console.error(
        `the platform could not be started. If one runs at another address: DEMO_URL=http://… npm run demo`,
      );
      process.exit(1);
    }
    if (Date.now() > deadline) throw new Error('the platform is not ready after five minutes');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { url, stop };
}

async function isReady(url) {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  return response?.ok ?? false;
}
