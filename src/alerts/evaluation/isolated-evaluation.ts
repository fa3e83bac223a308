import type { Pool } from 'mysql2/promise';
import type { CarefulWork } from '../../fairness/quarantine/careful-work';
import { type LoneEnd, type LoneTask, MOST_DEATHS } from '../../fairness/quarantine/work-kind';
import type { Clock } from '../../platform/clock';
import type { PartitionLayout } from '../../points';
import { waitingSensors } from './inbox';
import { readOldestPoint, readOwners, readWaitingSensorsOf } from './waiting-points';

/** Maximum number of passes of an owner in the lone process in one run. */
const PASSES_OF_ONE = 20;
/** Maximum number of deaths for an owner in one run: the sensors that are left wait for the next one. */
const DEATHS_OF_ONE = 3;
/** Maximum number of points of a sensor that are evaluated one by one in a run, to find the one that ends the process. */
const POINTS_OF_ONE = 50;

type EvaluationTask = Extract<LoneTask, { kind: 'evaluation' }>;

interface IsolationSetting {
  pool: Pool;
  clock: Clock;
  layout: PartitionLayout;
}

/**
 * Evaluation passes that may end their process. An owner whose points have done so is quarantined: evaluation passes
 * leave the owner's points to the lone process. The points of a sensor that ends that one, too, are taken from the
 * inbox without an evaluation, and the owner waits before the next try.
 */
export class IsolatedEvaluation {
  private running: Promise<void> | undefined;

  constructor(
    private readonly setting: IsolationSetting,
    private readonly careful: CarefulWork,
  ) {}

  /** Owners whose points evaluation passes of this process must not take. Empty, as a rule. */
  get quarantinedOwners(): readonly number[] {
    return this.careful.quarantine.idsOf('evaluation');
  }

  /** Records that passes of these partitions begin. False if they have ended too many processes to begin here. */
  async begin(partitions: readonly number[]): Promise<boolean> {
    return (await this.careful.begun.begin('evaluation', partitions)) < MOST_DEATHS;
  }

  end(partitions: readonly number[]): void {
    this.careful.begun.end('evaluation', partitions);
  }

  /** Evaluates what waits in the partitions in the lone process, owner by owner. */
  async drain(partitions: readonly number[]): Promise<void> {
    for (const partition of partitions) {
      const owners = await readOwners(this.setting.pool, { partitions: [partition] });
      await this.drainOwners(
        [partition],
        owners.filter((ownerId) => this.mayTry(ownerId)),
      );
      await this.run({ partition, exceptOwnerIds: this.quarantinedOwners });
    }
  }

  /** Evaluates, without waiting for it, what waits for quarantined owners who may be tried again. */
  startQuarantined(partitions: readonly number[]): void {
    const owners = this.quarantinedOwners.filter((ownerId) => this.mayTry(ownerId));
    if (owners.length === 0 || this.running) return;
    this.running = this.drainOwners(partitions, owners)
      .catch(() => undefined) // the reconciler nudges the partitions again
      .finally(() => {
        this.running = undefined;
      });
  }

  /** Round-robin over the owners, so that none waits for more than one pass of each other owner. */
  private async drainOwners(partitions: readonly number[], owners: readonly number[]): Promise<void> {
    let waiting = partitions.flatMap((partition) => owners.map((ownerId) => ({ partition, ownerId })));
    for (let pass = 0; pass < PASSES_OF_ONE && waiting.length > 0; pass += 1) {
      const left: typeof waiting = [];
      for (const one of waiting) if (await this.evaluateOwner(one.partition, one.ownerId)) left.push(one);
      waiting = left;
    }
  }

  private mayTry(ownerId: number): boolean {
    const known = this.careful.quarantine.find('evaluation', ownerId);
    return !known || known.pausedUntilMs <= this.setting.clock.now();
  }

  /** Runs one pass of an owner. Returns true if more of the owner's points wait. */
  private async evaluateOwner(partition: number, ownerId: number): Promise<boolean> {
    const end = await this.run({ partition, ownerIds: [ownerId] });
    if (end.end === 'died') await this.evaluateSensors(partition, ownerId);
    return end.end === 'done' && end.hasMore;
  }

  /** Evaluates the sensors of an owner one by one, and the points of those that end the lone process. */
  private async evaluateSensors(partition: number, ownerId: number): Promise<void> {
    const { pool, clock, layout } = this.setting;
    const waiting = await readWaitingSensorsOf(pool, [partition], [ownerId]);
    const sensors = [...(waiting ?? (await waitingSensors(pool, partition, layout.count, clock.now())))];
    let deaths = 0;
    for (const sensorId of sensors) {
      const isOnly = sensors.length === 1;
      if (!isOnly && (await this.run({ partition, sensorId })).end !== 'died') continue;
      deaths += await this.evaluatePoints(partition, sensorId, ownerId);
      if (deaths >= DEATHS_OF_ONE) return;
    }
  }

  /**
   * Evaluates the points of a sensor one by one. A point that ends the process, as all points of its owner together have
   * just done, is taken without an evaluation; after three of them all that wait are. Another worker may do the same at
   * the same time, so each task names its point. Returns the number of deaths.
   */
  private async evaluatePoints(partition: number, sensorId: number, ownerId: number): Promise<number> {
    let deaths = 0;
    for (let point = 0; point < POINTS_OF_ONE; point += 1) {
      const oldestPoint = await readOldestPoint(this.setting.pool, [partition], sensorId);
      let end = await this.run({ partition, sensorId, mostPoints: 1, oldestPoint });
      if (end.end === 'died') {
        deaths += 1;
        const unevaluated = `not evaluated: ${await this.careful.setAside('evaluation', ownerId, end)}`;
        const most = deaths < DEATHS_OF_ONE ? { mostPoints: 1 } : {};
        end = await this.run({ partition, sensorId, unevaluated, oldestPoint, ...most });
      }
      if (end.end !== 'done' || !end.hasMore) break;
    }
    return deaths;
  }

  private run(task: Omit<EvaluationTask, 'kind'>): Promise<LoneEnd> {
    return this.careful.runOnce({ kind: 'evaluation', ...task });
  }
}
