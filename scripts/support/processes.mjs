import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The order in which processes are stopped; those with equal numbers are stopped together. */
export const stopOrder = { api: 1, worker: 2, redis: 3, mysql: 4 };

/**
 * When a process started, or undefined if it is not running. Pid and start together identify a process: the pid alone
 * may have been reused.
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

/** True if exactly this process is still running. */
export function isRunning({ pid, started }) {
  return started !== undefined && startOf(pid) === started;
}

/**
 * Sends SIGTERM to the leader of a process group, and waits for `waitMs` at most. Then it sends SIGKILL to the group,
 * because child processes would continue without the leader.
 */
export async function stopProcess(entry) {
  signal(entry, 'SIGTERM');
  if (await hasEnded(entry, entry.waitMs)) return;
  signal(entry, 'SIGKILL', -entry.pid);
  await hasEnded(entry, 5_000);
}

/** Stops several processes in order. */
export async function stopAll(entries) {
  const orders = [...new Set(entries.map((entry) => entry.order))].sort((a, b) => a - b);
  for (const order of orders) {
    await Promise.all(entries.filter((entry) => entry.order === order).map(stopProcess));
  }
}

function signal(entry, name, target = entry.pid) {
  if (!isRunning(entry)) return;
  try {
    process.kill(target, name);
  } catch {
    // It has just ended.
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
