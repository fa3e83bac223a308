import { foregroundAppFilter } from './foreground-app-filter';
import { mathService } from './math.service';
import { posePredictionService } from './pose-prediction.service';
import type { SensorService } from './sensor-service';
import { stateRecognitionService } from './state-recognition.service';
import { statisticsService } from './statistics.service';

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
