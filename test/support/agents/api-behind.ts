import type { ChildProcess } from 'node:child_process';
import { startApiElsewhere } from '../other-process';
import { type Platform, required } from '../platform';
import { until } from '../until';
import type { Front } from './front';

/** Starts an API process behind the front, which forwards to it as soon as it is ready; the caller ends it. */
export async function startApiBehind(front: Front, platform: Platform): Promise<ChildProcess> {
  const { child, url } = await startApiElsewhere(platform, required('REDIS_URL'));
  await until('the process is ready', () => isReady(url)).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  front.target = url;
  return child;
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
