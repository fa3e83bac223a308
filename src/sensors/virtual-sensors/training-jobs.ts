import { ConnectionError, Op, type Transaction } from 'sequelize';
import type { LabelledRange } from '../../edge/time-range';
import type { Clock } from '../../platform/clock';
import { Conflict, NotFound, PlatformError } from '../../platform/errors';
import { type LearningProgress, windowMsOf } from '../../points';
import type { Database } from '../../storage';
import { Service } from '../../storage/models/service.model';
import { TrainingJob } from '../../storage/models/training-job.model';
import { isPermanent } from '../../storage/mysql-errors';
import { forUpdate, inTransaction } from '../../storage/transaction';
import type { LearntModels } from './learnt-models';
import { learntLabels, requireRoomFor } from './service-examples';
import { ServiceRange, type Step } from './service-range';

/** `overtaken`: another worker made the step, or the job was cancelled. `pauses`: after a failure. */
export type StepOutcome = 'nothing-waits' | 'pauses' | 'overtaken' | 'read-on' | 'learnt' | 'failed';

/** About a fifth of a second: the maximum of a request, and what is read again after a worker was killed. */
export const POINTS_AT_ONCE = 20_000;
const MAX_WAITING = 20;
const MAX_FAILURES = 10;
/** Doubles with each further failure: eight and a half minutes in total. */
const FIRST_PAUSE_MS = 1_000;

/** Lets workers know which services have jobs. */
export interface TrainingQueue {
  enqueueTraining(serviceIds: readonly number[]): Promise<void>;
}

/** Long ranges to learn from: each is a row, which workers process in steps. */
export class TrainingJobs {
  constructor(
    private readonly database: Database,
    private readonly jobQueue: TrainingQueue,
    private readonly clock: Clock,
    private readonly models: LearntModels,
  ) {}

  /** After the service's pending jobs. `points` is the number of points in the range. */
  async add(serviceId: number, { label, startMs, endMs }: LabelledRange, points: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const service = await Service.findByPk(serviceId, forUpdate(transaction));
      if (!service) throw new NotFound('the service');
      await requireRoomFor(serviceId, label, transaction);
      const waiting = await TrainingJob.count({ where: { serviceId, status: 'pending' }, transaction });
      if (waiting >= MAX_WAITING) {
        throw new Conflict(`${MAX_WAITING} long ranges wait to be learnt by the service, which is the maximum`);
      }
      await TrainingJob.destroy({ where: { serviceId, status: { [Op.ne]: 'pending' } }, transaction });
      await TrainingJob.create(
        { serviceId, label, startMs, endMs, points, createdMs: this.clock.now() },
        { transaction },
      );
    });
    await this.jobQueue.enqueueTraining([serviceId]);
  }

  /** The latest request must win, so it must be learnt last. */
  async hasOverlapping(serviceId: number, { startMs, endMs }: LabelledRange): Promise<boolean> {
    const overlap = { startMs: { [Op.lte]: endMs }, endMs: { [Op.gte]: startMs } };
    return (await TrainingJob.count({ where: { serviceId, status: 'pending', ...overlap } })) > 0;
  }

  /**
   * Reads more of the first pending job's range, or learns from all of it. Throws the platform's own failures; the job
   * pauses then, and ends after ten in a row.
   */
  async step(serviceId: number): Promise<StepOutcome> {
    const job = await TrainingJob.findOne({ where: { serviceId, status: 'pending' }, order: ['id'] });
    const service = job && (await Service.findByPk(serviceId));
    if (!job || !service) return 'nothing-waits';
    if (job.tryAgainMs > this.clock.now()) return 'pauses';
    try {
      const range = await ServiceRange.of(this.database.pool, service, job);
      if (!range) throw new NotFound('the service');
      return await this.saveStep(job, service, await range.learnNext(job.state, POINTS_AT_ONCE));
    } catch (error) {
      if (error instanceof NotFound) return 'overtaken';
      if (error instanceof PlatformError) return (await this.fail(job, error.message)) ? 'failed' : 'overtaken';
      if (isOwnFailure(error)) await this.pause(job);
      throw error;
    }
  }

  /** Pending jobs of the service, unlearnt. */
  async end(serviceId: number, error: string): Promise<void> {
    for (const job of await TrainingJob.findAll({ where: { serviceId, status: 'pending' } }))
      await this.fail(job, error);
  }

  private async pause(job: TrainingJob): Promise<void> {
    const failures = job.failures + 1;
    if (failures >= MAX_FAILURES) {
      await this.fail(job, `learning it failed ${MAX_FAILURES} times in a row`);
      return;
    }
    const tryAgainMs = this.clock.now() + FIRST_PAUSE_MS * 2 ** (failures - 1);
    await change(job, { failures, tryAgainMs });
  }

  private fail(job: TrainingJob, error: string): Promise<boolean> {
    return change(job, { status: 'failed', state: null, error, finishedMs: this.clock.now() });
  }

  private async saveStep(job: TrainingJob, service: Service, step: Step): Promise<StepOutcome> {
    const pointsRead = job.pointsRead + step.read;
    if ('state' in step) {
      const readOn = { state: step.state, pointsRead, failures: 0 };
      return (await change(job, readOn)) ? 'read-on' : 'overtaken';
    }
    const { label, startMs, endMs } = job;
    const trainingData = { label, startMs, endMs, windows: step.windows, windowMs: windowMsOf(service.settings) };
    const done = { status: 'done', state: null, pointsRead, finishedMs: this.clock.now() } as const;
    const require = (isThere: boolean) => {
      if (!isThere) throw new NotFound('the training job');
    };
    // Cancelled before: its examples must not return. Afterwards: they are deleted with it.
    await this.models.add(service.id, trainingData, {
      begin: async (transaction) => require(await isPending(job, transaction)),
      end: async (transaction) => require(await change(job, done, transaction)),
    });
    return 'learnt';
  }
}

/** Progress of all training jobs of the service. */
export async function progressOf(serviceId: number, transaction?: Transaction): Promise<LearningProgress> {
  const attributes = ['label', 'points', 'pointsRead', 'status', 'error'];
  const trainingJobs = await TrainingJob.findAll({ attributes, where: { serviceId }, order: ['id'], transaction });
  const pending = trainingJobs.filter(({ status }) => status === 'pending');
  const finished = trainingJobs.filter(({ status }) => status !== 'pending');
  return {
    labels: [...pending.map(({ label }) => label), ...(await learntLabels(serviceId, transaction))],
    waiting: pending.length,
    points: pending.reduce((sum, { points }) => sum + points, 0),
    read: pending.reduce((sum, { points, pointsRead }) => sum + Math.min(points, pointsRead), 0),
    error: finished.at(-1)?.error ?? null,
  };
}

/** Returns false if the row has changed since the step read it. Steps before the last read points. */
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

async function isPending({ id, pointsRead }: TrainingJob, transaction: Transaction): Promise<boolean> {
  return (await TrainingJob.count({ where: { id, pointsRead, status: 'pending' }, transaction })) > 0;
}

/** False if MySQL is unavailable or busy: a retry may succeed. */
function isOwnFailure(error: unknown): boolean {
  return !(error instanceof ConnectionError) && isPermanent(error);
}
