import { foregroundAppFilter } from './foreground-app-filter';
import { mathService } from './math.service';
import type { SensorService } from './sensor-service';
import { statisticsService } from './statistics.service';

/** Every service there is. Adding one is its file and a line here. */
export const CATALOGUE: readonly SensorService[] = [mathService, statisticsService, foregroundAppFilter];

/** The service of that name. */
export function serviceNamed(name: string): SensorService | undefined {
  return CATALOGUE.find((service) => service.name === name);
}
