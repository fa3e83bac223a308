import { isPermanent } from '../database/mysql-errors';
import type { Logger } from '../logger';
import type { Metrics } from '../metrics';
import type { DecisionLog } from '../redis/decision-log';
import type { JobQueue } from '../redis/job-queue';
import { waitingSensors } from './inbox';
import { runTurn, type TurnOutcome, type TurnSetting } from './turn';
import { TurnTooLong } from './turn-clock';
import type { TurnScope } from './waiting-point';

/** Turns of one job. More waiting rows make another job, so that partitions take turns. */
const TURNS_PER_JOB = 10;
/** A job that has worked for so long ends, too. */
const JOB_MS = 500;
/** Each time fewer rows are taken: a turn with one row of each owner is never too long. */
const MAX_SHORTER_TURNS = 20;

interface Observers {
  jobQueue: JobQueue;
  decisionLog: DecisionLog;
  metrics: Metrics;
  logger: Logger;
}

/** Takes the turns of partitions, and enqueues wake-ups for what they caused. */
export class PartitionTurns {
  /** By partition: the last owner of whom a turn took rows. Losing it only changes who comes first. */
  private readonly lastOwners = new Map<number, number>();

  constructor(
    private readonly setting: TurnSetting,
    private readonly observers: Observers,
  ) {}

  /** Takes turns of a partition until nothing waits in it, or until others should have their turn. */
  async drain(partition: number): Promise<string> {
    const { now } = this.setting.shares;
    const started = now();
    for (let turn = 0; turn < TURNS_PER_JOB && now() - started < JOB_MS; turn += 1) {
      try {
        if (!(await this.take({ partition }))) return 'drained';
      } catch (error) {
        if (!isPermanent(error)) throw error;
        this.observers.logger.error({ partition, err: error }, 'a turn failed; its sensors go on one by one');
        return this.isolateFailingSensors(partition);
      }
    }
    await this.observers.jobQueue.enqueueTurns([partition]);
    return 'more-waits';
  }

  /** One turn, then what it caused. Whether more waits. */
  private async take(scope: TurnScope): Promise<boolean> {
    const { jobQueue, decisionLog, metrics } = this.observers;
    const { results, wakeUps, partitions, events, hasMore, lastOwnerId } = await this.run(scope);
    this.lastOwners.set(scope.partition, lastOwnerId);
    metrics.turns.inc({ outcome: results.length > 0 ? 'evaluated' : 'idle' });
    for (const { changes } of results) {
      for (const firing of changes.firings) metrics.firings.inc({ reason: firing.reason });
    }
    if (wakeUps.length > 0) await jobQueue.enqueueDeliveries(wakeUps);
    if (partitions.size > 0) await jobQueue.enqueueTurns(partitions);
    if (events > 0) await jobQueue.enqueueEventDispatch();
    // Last, because nobody waits for them.
    decisionLog.write(results.flatMap(({ changes }) => changes.decisions));
    return hasMore;
  }

  private async run(scope: TurnScope): Promise<TurnOutcome> {
    const afterOwnerId = this.lastOwners.get(scope.partition);
    for (let shorter = 0; ; shorter += 1) {
      try {
        return await runTurn(this.setting, { ...scope, afterOwnerId });
      } catch (error) {
        if (!(error instanceof TurnTooLong) || shorter >= MAX_SHORTER_TURNS) throw error;
        this.observers.metrics.turns.inc({ outcome: 'too-long' });
      }
    }
  }

  /** A turn for each sensor that waits, so that one that fails delays no other. Its own points stay where they are. */
  private async isolateFailingSensors(partition: number): Promise<string> {
    const { metrics, logger } = this.observers;
    const { pool, clock, partitionCount } = this.setting;
    let failed = 0;
    for (const sensorId of await waitingSensors(pool, partition, partitionCount, clock.now())) {
      try {
        for (let turn = 0; turn < TURNS_PER_JOB && (await this.take({ partition, sensorId })); ) turn += 1;
      } catch (error) {
        if (!isPermanent(error)) throw error;
        failed += 1;
        metrics.turns.inc({ outcome: 'failed' });
        logger.error({ sensorId, err: error }, 'what waits for a sensor cannot be handled');
      }
    }
    return `one by one, ${failed} failed`;
  }
}
