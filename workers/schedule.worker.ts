import type { ScheduledName } from '../jobs/schedule.job';
import type { Container } from '../src/container';

/** Runs the repeated job of that name. */
export function handleSchedule(name: ScheduledName, { schedule }: Container): Promise<string> {
  return schedule.run(name);
}
