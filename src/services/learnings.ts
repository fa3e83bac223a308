import { Op, type Transaction } from 'sequelize';
import type { Clock } from '../clock';
import type { Database } from '../database';
import type { Doorbells } from '../doorbells';
import { Conflict, NotFound, PlatformError } from '../errors';
import { Learning } from '../models/learning.model';
import { Service } from '../models/service.model';
import type { LabelledRange } from '../requests/learning.request';
import { windowMsOf } from '../sensor-services/recognition';
import type { LearningProgress } from '../sensor-services/sensor-service';
import { keepLesson } from './learnt-models';
import { requireRoomFor } from './service-examples';
import { ServiceRange, type Step } from './service-range';
import { inTransaction } from './transaction';

/** `overtaken`: another worker has made the same step, or the learning was called off meanwhile. */
export type StepOutcome = 'nothing waits' | 'overtaken' | 'read on' | 'learnt' | 'failed';

/** About a fifth of a second of work: what is learnt in a request, and what a killed worker's successor reads again. */
export const POINTS_AT_ONCE = 20_000;
const MAX_WAITING = 20;

/** Long ranges of time that services are to learn: each is a row until workers have learnt it, in as many steps as it takes. */
export class Learnings {
  constructor(
    private readonly database: Database,
    private readonly doorbells: Doorbells,
    private readonly clock: Clock,
  ) {}

  /** Has the range learnt, after those of the service that wait already. `points` is how many it holds. */
  async add(serviceId: number, { label, startMs, endMs }: LabelledRange, points: number): Promise<void> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      const service = await Service.findByPk(serviceId, { transaction, lock: transaction.LOCK.UPDATE });
      if (!service) throw new NotFound('the service');
      await requireRoomFor(serviceId, label, transaction);
      const waiting = await Learning.count({ where: { serviceId, status: 'pending' }, transaction });
      if (waiting >= MAX_WAITING) {
        throw new Conflict(`${MAX_WAITING} long ranges wait to be learnt by the service, which is all that can`);
      }
      await Learning.destroy({ where: { serviceId, status: { [Op.ne]: 'pending' } }, transaction });
      await Learning.create({ serviceId, label, startMs, endMs, points, createdMs: this.clock.now() }, { transaction });
    });
    await this.doorbells.learnings([serviceId]);
  }

  /** Whether one that waits overlaps the range: what was asked for last is to count, so it must be learnt last. */
  async hasOverlapping(serviceId: number, { startMs, endMs }: LabelledRange): Promise<boolean> {
    const overlap = { startMs: { [Op.lte]: endMs }, endMs: { [Op.gte]: startMs } };
    return (await Learning.count({ where: { serviceId, status: 'pending', ...overlap } })) > 0;
  }

  /** Reads on in the first range that waits for the service, or learns it when all of it was read. */
  async step(serviceId: number): Promise<StepOutcome> {
    const learning = await Learning.findOne({ where: { serviceId, status: 'pending' }, order: ['id'] });
    const service = learning && (await Service.findByPk(serviceId));
    if (!learning || !service) return 'nothing waits';
    try {
      const range = await ServiceRange.of(this.database.pool, service, learning);
      if (!range) throw new NotFound('the service');
      return await this.keep(learning, service, await range.learnOn(learning.state, POINTS_AT_ONCE));
    } catch (error) {
      if (error instanceof NotFound) return 'overtaken';
      if (!(error instanceof PlatformError)) throw error;
      const failed = { status: 'failed', state: null, error: error.message, finishedMs: this.clock.now() } as const;
      return (await change(learning, failed)) ? 'failed' : 'overtaken';
    }
  }

  private async keep(learning: Learning, service: Service, step: Step): Promise<StepOutcome> {
    const pointsRead = learning.pointsRead + step.read;
    if ('state' in step) return (await change(learning, { state: step.state, pointsRead })) ? 'read on' : 'overtaken';
    const { label, startMs, endMs } = learning;
    const lesson = { label, startMs, endMs, windows: step.windows, windowMs: windowMsOf(service.settings) };
    const done = { status: 'done', state: null, pointsRead, finishedMs: this.clock.now() } as const;
    await inTransaction(this.database.sequelize, async (transaction) => {
      await keepLesson(service.id, lesson, transaction);
      if (!(await change(learning, done, transaction))) throw new NotFound('the learning');
    });
    return 'learnt';
  }
}

/** How far the long ranges of a service are. */
export async function progressOf(serviceId: number, transaction?: Transaction): Promise<LearningProgress> {
  const attributes = ['label', 'points', 'pointsRead', 'status', 'error'];
  const learnings = await Learning.findAll({ attributes, where: { serviceId }, order: ['id'], transaction });
  const pending = learnings.filter(({ status }) => status === 'pending');
  const finished = learnings.filter(({ status }) => status !== 'pending');
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
  { id, pointsRead }: Learning,
  changes: Partial<Pick<Learning, 'status' | 'state' | 'error' | 'pointsRead' | 'finishedMs'>>,
  transaction?: Transaction,
): Promise<boolean> {
  const [count] = await Learning.update(changes, { where: { id, pointsRead, status: 'pending' }, transaction });
  return count > 0;
}
