import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The order in which things are stopped; equals are stopped together. */
export const stopOrder = { api: 1, worker: 2, redis: 3, mysql: 4 };

/**
 * When a process began, or undefined when it does not run. Together with the number it names one process for good: a
 * number alone may have been given to somebody else since.
 */
export function startOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return process.platform === 'linux' ? undefined : startAccordingToPs(pid);
  }
}

function startAccordingToPs(pid) {
  try {
    const [state, ...start] = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/);
    return state.startsWith('Z') ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}

/** Does exactly this process still run? */
export function isRunning({ pid, started }) {
  return started !== undefined && startOf(pid) === started;
}

/** Asks a process to end, waits a bounded time, then makes it end. */
export async function stopProcess(entry) {
  signal(entry, 'SIGTERM');
  if (await hasEnded(entry, entry.waitMs)) return;
  signal(entry, 'SIGKILL');
  await hasEnded(entry, 5_000);
}

/** Stops several processes in their order. */
export async function stopAll(entries) {
  const orders = [...new Set(entries.map((entry) => entry.order))].sort((a, b) => a - b);
  for (const order of orders) {
    await Promise.all(entries.filter((entry) => entry.order === order).map(stopProcess));
  }
}

function signal(entry, name) {
  if (!isRunning(entry)) return;
  try {
    process.kill(entry.pid, name);
  } catch {
    // It ended in between.
  }
}

async function hasEnded(entry, waitMs) {
  const end = Date.now() + waitMs;
  while (isRunning(entry)) {
    if (Date.now() > end) return false;
    await sleep(25);
  }
  return true;
}
