// The reasons of refused requests, from the logs of the processes.
import { readFileSync } from 'node:fs';

/** The number of each, the most frequent first: `12 × MySQL did not answer`. */
export function counted(reasons) {
  const counts = new Map();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count} × ${reason}`);
}

/** The reasons of 503 answers in this time. */
export function reasonsWithin(logFile, fromMs, toMs) {
  const reasons = [];
  for (const line of readFileSync(logFile, 'utf8').split('\n')) {
    const { msg, time, reason } = readLine(line);
    const atMs = Date.parse(time);
    if (msg === 'unavailable' && atMs >= fromMs && atMs <= toMs) reasons.push(reason);
  }
  return counted(reasons);
}

function readLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return {}; // an incomplete line, or one of a library
  }
}
