import type { SensorAccess } from '../../access/sensor-access';
import type { LabelledRange } from '../../edge/time-range';
import { NotFound } from '../../platform/errors';
import { windowMsOf } from '../../points';
import type { Database } from '../../storage';
import type { LearntModels } from './learnt-models';
import type { ServiceMethodsService } from './service-methods.service';
import { ServiceRange } from './service-range';
import { POINTS_AT_ONCE, type TrainingJobs } from './training-jobs';

/** One of the service's inputs, and its own id. */
export interface ServicePlace {
  readonly sensorId: number;
  readonly serviceId: number;
}

export class TrainingService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly methods: ServiceMethodsService,
    private readonly trainingJobs: TrainingJobs,
    private readonly models: LearntModels,
  ) {}

  /**
   * The range of all the service's sensors becomes one state, and replaces earlier data of the range. A long one
   * becomes a training job. Returns the number of points that are, or will be, used.
   */
  async learn(userId: number, { sensorId, serviceId }: ServicePlace, labelled: LabelledRange): Promise<number> {
    const { service } = await this.methods.find(userId, sensorId, serviceId);
    const range = await ServiceRange.of(this.database.pool, service, labelled, this.database.reads);
    if (!range) throw new NotFound('the method');
    await this.access.findOwn(userId, serviceId);
    const stored = await range.count();
    const isLong = stored > POINTS_AT_ONCE;
    if (isLong || (stored > 0 && (await this.trainingJobs.hasOverlapping(serviceId, labelled)))) {
      await this.trainingJobs.add(serviceId, labelled, stored);
      return stored;
    }
    const { windows, points } = await range.learn();
    const trainingData = { ...labelled, windows, windowMs: windowMsOf(service.settings) };
    await this.models.add(serviceId, trainingData);
    return points;
  }
}
