import { ConnectionError, Op, type Transaction } from 'sequelize';
import type { Clock } from '../../clock';
import type { Database } from '../../database';
import { isPermanent } from '../../database/mysql-errors';
import { inTransaction } from '../../database/transaction';
import type { LabelledRange } from '../../domain/time-range';
import { Conflict, NotFound, PlatformError } from '../../errors';
import { Service } from '../../models/service.model';
import { TrainingJob } from '../../models/training-job.model';
import type { JobQueue } from '../../redis/job-queue';
import { windowMsOf } from '../../sensor-services/recognition';
import type { LearningProgress } from '../../sensor-services/sensor-service';
import { addTrainingData } from './learnt-models';
import { requireRoomFor } from './service-examples';
import { ServiceRange, type Step } from './service-range';

/** `overtaken`: another worker has made the same step, or the learning was called off meanwhile. `pauses`: after a failure. */
export type StepOutcome = 'nothing-waits' | 'pauses' | 'overtaken' | 'read-on' | 'learnt' | 'failed';

/** About a fifth of a second of work: what is learnt in a request, and what a killed worker's successor reads again. */
export const POINTS_AT_ONCE = 20_000;
const MAX_WAITING = 20;
const MAX_FAILURES = 10;
/** Twice as long after each further failure: eight and a half minutes in all. */
const FIRST_PAUSE_MS = 1_000;

/** Long ranges of time that services are to learn: each is a row until workers have learnt it, in as many steps as it takes. */
export class TrainingJobs {
  constructor(
    private readonly database: Database,
    private readonly jobQueue: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** Has the range learnt, after those of the service that wait already. `points` is how many it holds. */
  async add(serviceId: number, { label, startMs, endMs }: LabelledRange, points: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const service = await Service.findByPk(serviceId, { transaction, lock: transaction.LOCK.UPDATE });
      if (!service) throw new NotFound('the service');
      await requireRoomFor(serviceId, label, transaction);
      const waiting = await TrainingJob.count({ where: { serviceId, status: 'pending' }, transaction });
      if (waiting >= MAX_WAITING) {
        throw new Conflict(`${MAX_WAITING} long ranges wait to be learnt by the service, which is all that can`);
      }
      await TrainingJob.destroy({ where: { serviceId, status: { [Op.ne]: 'pending' } }, transaction });
      await TrainingJob.create(
        { serviceId, label, startMs, endMs, points, createdMs: this.clock.now() },
        { transaction },
      );
    });
    await this.jobQueue.enqueueTraining([serviceId]);
  }

  /** Whether one that waits overlaps the range: what was asked for last is to count, so it must be learnt last. */
  async hasOverlapping(serviceId: number, { startMs, endMs }: LabelledRange): Promise<boolean> {
    const overlap = { startMs: { [Op.lte]: endMs }, endMs: { [Op.gte]: startMs } };
    return (await TrainingJob.count({ where: { serviceId, status: 'pending', ...overlap } })) > 0;
  }

  /**
   * Reads on in the first range that waits for the service, or learns it when all of it was read. Throws what went wrong
   * in the platform; the range pauses then, and is given up in the end.
   */
  async step(serviceId: number): Promise<StepOutcome> {
    const learning = await TrainingJob.findOne({ where: { serviceId, status: 'pending' }, order: ['id'] });
    const service = learning && (await Service.findByPk(serviceId));
    if (!learning || !service) return 'nothing-waits';
    if (learning.tryAgainMs > this.clock.now()) return 'pauses';
    try {
      const range = await ServiceRange.of(this.database.pool, service, learning);
      if (!range) throw new NotFound('the service');
      return await this.keep(learning, service, await range.learnOn(learning.state, POINTS_AT_ONCE));
    } catch (error) {
      if (error instanceof NotFound) return 'overtaken';
      if (error instanceof PlatformError) return (await this.giveUp(learning, error.message)) ? 'failed' : 'overtaken';
      if (isOurs(error)) await this.pause(learning);
      throw error;
    }
  }

  private async pause(learning: TrainingJob): Promise<void> {
    const failures = learning.failures + 1;
    if (failures >= MAX_FAILURES) {
      await this.giveUp(learning, `the platform failed ${MAX_FAILURES} times in a row to learn it, and tries no more`);
      return;
    }
    const tryAgainMs = this.clock.now() + FIRST_PAUSE_MS * 2 ** (failures - 1);
    await change(learning, { failures, tryAgainMs });
  }

  private giveUp(learning: TrainingJob, error: string): Promise<boolean> {
    return change(learning, { status: 'failed', state: null, error, finishedMs: this.clock.now() });
  }

  private async keep(learning: TrainingJob, service: Service, step: Step): Promise<StepOutcome> {
    const pointsRead = learning.pointsRead + step.read;
    if ('state' in step) {
      const readOn = { state: step.state, pointsRead, failures: 0 };
      return (await change(learning, readOn)) ? 'read-on' : 'overtaken';
    }
    const { label, startMs, endMs } = learning;
    const trainingData = { label, startMs, endMs, windows: step.windows, windowMs: windowMsOf(service.settings) };
    const done = { status: 'done', state: null, pointsRead, finishedMs: this.clock.now() } as const;
    await inTransaction(this.database.sequelize, async (transaction) => {
      await addTrainingData(service.id, trainingData, transaction);
      if (!(await change(learning, done, transaction))) throw new NotFound('the learning');
    });
    return 'learnt';
  }
}

/** How far the long ranges of a service are. */
export async function progressOf(serviceId: number, transaction?: Transaction): Promise<LearningProgress> {
  const attributes = ['label', 'points', 'pointsRead', 'status', 'error'];
  const trainingJobs = await TrainingJob.findAll({ attributes, where: { serviceId }, order: ['id'], transaction });
  const pending = trainingJobs.filter(({ status }) => status === 'pending');
  const finished = trainingJobs.filter(({ status }) => status !== 'pending');
  return {
    labels: pending.map(({ label }) => label),
    waiting: pending.length,
    points: pending.reduce((sum, { points }) => sum + points, 0),
    read: pending.reduce((sum, { points, pointsRead }) => sum + Math.min(points, pointsRead), 0),
    error: finished.at(-1)?.error ?? null,
  };
}

/** Writes the outcome of a step, unless the row is no longer as the step found it; every step but the last reads points. */
async function change(
  { id, pointsRead }: TrainingJob,
  changes: Partial<
    Pick<TrainingJob, 'status' | 'state' | 'error' | 'pointsRead' | 'finishedMs' | 'failures' | 'tryAgainMs'>
  >,
  transaction?: Transaction,
): Promise<boolean> {
  const [count] = await TrainingJob.update(changes, { where: { id, pointsRead, status: 'pending' }, transaction });
  return count > 0;
}

/** Whether it would happen again; not so when MySQL is away or busy. */
function isOurs(error: unknown): boolean {
  return !(error instanceof ConnectionError) && isPermanent(error);
}
