import type { ScheduledName } from '../jobs/sweep.job';
import type { Container } from '../src/container';

/** Runs the repeated job of that name. */
export async function handleSchedule(name: ScheduledName, { sweep }: Container): Promise<string> {
  switch (name) {
    case 'sweep':
      await sweep.ringForWaiting();
      return 'rung';
    case 'purge':
      return `${await sweep.purge()} points purged`;
  }
}
