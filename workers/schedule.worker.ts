import type { ScheduledName } from '../jobs/schedule.job';
import type { Container } from '../src/container';

export async function handleSchedule(name: ScheduledName, container: Container): Promise<string> {
  await container.schedule.run(name);
  return 'done';
}
