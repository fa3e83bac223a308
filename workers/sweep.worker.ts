import type { ScheduledName } from '../jobs/sweep.job';
import type { Container } from '../src/container';
import type { Sweep } from '../src/services/sweep';

const running = new WeakMap<Sweep, Set<ScheduledName>>();

/** Runs the repeated job of that name, unless this process is still busy with the same: it must not keep the others out. */
export async function handleSchedule(name: ScheduledName, { sweep }: Container): Promise<string> {
  const busy = running.get(sweep) ?? new Set();
  if (busy.has(name)) return 'still running';
  running.set(sweep, busy.add(name));
  try {
    return await run(name, sweep);
  } finally {
    busy.delete(name);
  }
}

async function run(name: ScheduledName, sweep: Sweep): Promise<string> {
  switch (name) {
    case 'sweep':
      await sweep.ringForWaiting();
      return 'rung';
    case 'sweep-deliveries':
      await sweep.ringForDeliveries();
      return 'rung';
    case 'purge':
      return `${await sweep.purge()} points purged`;
  }
}
