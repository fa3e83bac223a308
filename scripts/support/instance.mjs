import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeptProcess } from './keep-running.mjs';
import { freePort, isFree } from './ports.mjs';

const readyWithinMs = 90_000; // recovery after a crash can take a while
const portsToTry = 3;

/** Starts a private server on its stored port, or on a new one if that is in use, and waits until it is ready. */
export async function startInstance({ instance, settings, portName, guard, log }) {
  for (let tries = 1; ; tries++) {
    const known = settings.get(portName);
    const port = known && tries === 1 && (await isFree(known)) ? known : await freePort();
    const child = launch(instance, port, guard);
    if (await isReady(instance, port, child)) {
      if (port !== known) settings.set(portName, port);
      return keep({ instance, port, guard, log, child });
    }
    await guard.stop(child);
    if (tries === portsToTry) throw new Error(`${instance.name} does not start:\n${lastLines(instance.log)}`);
  }
}

function launch(instance, port, guard) {
  const { command, order, waitMs, log } = instance;
  writeFileSync(log, '', { mode: 0o600, flag: 'a' }); // the server would make it readable for other users
  return guard.spawn(command, instance.args(port), { order, waitMs, stdio: 'ignore' });
}

async function isReady(instance, port, child) {
  let ended = false;
  child.once('error', () => {
    ended = true;
  });
  const end = Date.now() + readyWithinMs;
  while (!ended && child.exitCode === null && child.signalCode === null && Date.now() < end) {
    if (await instance.isReady(port)) return true;
    await sleep(30);
  }
  return false;
}

function keep({ instance, port, guard, log, child }) {
  let first = child;
  const kept = new KeptProcess({
    guard,
    launch: () => {
      const next = first ?? launch(instance, port, guard);
      first = undefined;
      return next;
    },
    onCrash: (reason) => log(`${instance.name} ended (${reason}); starting it again`),
  });
  return { url: instance.url(port), stop: () => kept.stop() };
}

function lastLines(file) {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
  } catch {
    return `(nothing in ${file})`;
  }
}
