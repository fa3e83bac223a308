import type { ControllerFactory } from '../edge/controller-factory';
import type { Clock } from '../platform/clock';
import type { buildPoints } from './build-points';
import { DataPointsController } from './data-points/data-points.controller';
import { StreamsController } from './live/streams.controller';

type Services = ReturnType<typeof buildPoints>['services'] & { clock: Clock };

export function pointsControllers(services: Services): ControllerFactory[] {
  return [
    [DataPointsController, () => new DataPointsController(services.dataPoints, services.clock, services.dataExport)],
    [StreamsController, () => new StreamsController(services.streams)],
  ];
}

export { DataPointsController, StreamsController };
