import { foregroundAppFilter } from './foreground-app-filter';
import { mathService } from './math';
import { posePredictionService } from './pose-prediction';
import type { SensorService } from './sensor-service';
import { stateRecognitionService } from './state-recognition';
import { statisticsService } from './statistics';

/** Every service there is. Adding one is its file and a line here. */
export const CATALOGUE: readonly SensorService[] = [
  mathService,
  statisticsService,
  foregroundAppFilter,
  stateRecognitionService,
  posePredictionService,
];

/** The service of that name. */
export function serviceNamed(name: string): SensorService | undefined {
  return CATALOGUE.find((service) => service.name === name);
}
