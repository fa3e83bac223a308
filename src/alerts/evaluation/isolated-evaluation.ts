import type { Pool } from 'mysql2/promise';
import type { CarefulWork } from '../../fairness/quarantine/careful-work';
import { type LoneEnd, type LoneTask, MOST_DEATHS } from '../../fairness/quarantine/work-kind';
import type { Clock } from '../../platform/clock';
import type { PartitionLayout } from '../../points';
import { waitingSensors } from './inbox';
import { readOldestPoint, readOwners, readWaitingSensorsOf } from './waiting-points';

const PASSES_OF_ONE = 20;
/** Deaths for an owner per run: the remaining sensors wait for the next one. */
const DEATHS_OF_ONE = 3;
/** Points of a sensor that a run evaluates one by one to find the fatal one. */
const POINTS_OF_ONE = 50;

type EvaluationTask = Extract<LoneTask, { kind: 'evaluation' }>;

interface IsolationSetting {
  pool: Pool;
  clock: Clock;
  layout: PartitionLayout;
}

/**
 * The lone process evaluates points of a quarantined owner, whose points have ended a process. If a sensor also ends
 * the lone process, its points are taken without an evaluation, and the owner waits before the next try.
 */
export class IsolatedEvaluation {
  private running: Promise<void> | undefined;

  constructor(
    private readonly setting: IsolationSetting,
    private readonly careful: CarefulWork,
  ) {}

  get quarantinedOwners(): readonly number[] {
    return this.careful.quarantine.idsOf('evaluation');
  }

  /** False if passes of these partitions have ended too many processes. */
  async begin(partitions: readonly number[]): Promise<boolean> {
    return (await this.careful.begun.begin('evaluation', partitions)) < MOST_DEATHS;
  }

  end(partitions: readonly number[]): void {
    this.careful.begun.end('evaluation', partitions);
  }

  /** Evaluates what waits in the lone process, owner by owner. */
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

  /** Starts to evaluate quarantined owners who may be tried again. Does not wait. */
  startQuarantined(partitions: readonly number[]): void {
    const owners = this.quarantinedOwners.filter((ownerId) => this.mayTry(ownerId));
    if (owners.length === 0 || this.running) return;
    this.running = this.drainOwners(partitions, owners)
      .catch(() => undefined) // the reconciler nudges the partitions again
      .finally(() => {
        this.running = undefined;
      });
  }

  /** An owner waits for at most one pass of each other owner. */
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

  /** Returns true if more points of the owner wait. */
  private async evaluateOwner(partition: number, ownerId: number): Promise<boolean> {
    const end = await this.run({ partition, ownerIds: [ownerId] });
    if (end.end === 'died') await this.evaluateSensors(partition, ownerId);
    return end.end === 'done' && end.hasMore;
  }

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
   * Takes a fatal point without an evaluation; after three of them, all that wait. A task names its point, because
   * another worker may do the same. Returns the number of deaths.
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
