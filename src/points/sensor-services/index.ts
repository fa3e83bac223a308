import { fleetService } from './fleet';
import { foregroundAppFilter } from './foreground-app-filter';
import { mathService } from './math';
import { posePredictionService } from './pose-prediction';
import type { SensorService } from './sensor-service';
import { stateRecognitionService } from './state-recognition';
import { statisticsService } from './statistics';

/** To add a service, write its file and add a line here. */
export const CATALOGUE: readonly SensorService[] = [
  mathService,
  statisticsService,
  foregroundAppFilter,
  stateRecognitionService,
  posePredictionService,
  fleetService,
];

export function serviceNamed(name: string): SensorService | undefined {
  return CATALOGUE.find((service) => service.name === name);
}
