import type { FirstAttempts } from '../delivery/first-attempts';
import { MisplacedBatches, repartitionInbox } from '../inbox/inbox-rows';
import { LayoutChanged } from '../inbox/partition-layout';
import type { TurnScope } from '../inbox/waiting-point';
import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import type { JobQueue } from '../queue/job-queue';
import { isPermanent } from '../storage/mysql-errors';
import { foldJournal } from '../storage/state-journal';
import { inPoolTransaction, runOn } from '../storage/transaction';
import type { StreamSignal } from '../streams/stream-signal';
import type { DecisionLog } from './decision-log';
import { waitingSensors } from './inbox';
import { runTurn, type TurnOutcome, type TurnSetting } from './turn';
import { TurnTooLong } from './turn-clock';
import { countTurn } from './turn-metrics';
import { TurnWidth } from './turn-width';

/** Turns of one job. More waiting points make another job, so that partitions take turns. */
const TURNS_PER_JOB = 10;
/** A job that has worked for so long ends, too. */
const JOB_MS = 500;
/** Each time fewer points are taken: a turn with one point of each owner is never too long. */
const MAX_SHORTER_TURNS = 20;
/** For some seconds after a change of the number of partitions, others may still store by the former one. */
const MAX_MOVES = 500;
interface Observers {
  jobQueue: JobQueue;
  firstAttempts: FirstAttempts;
  streamSignal: Pick<StreamSignal, 'notify'>;
  decisionLog: DecisionLog;
  metrics: Metrics;
  logger: Logger;
}

/**
 * Takes the turns of partitions, and enqueues wake-ups for what they caused. Partitions that are woken up together have their turns
 * in one transaction: that costs hardly more than one of them.
 */
export class PartitionTurns {
  private readonly width = new TurnWidth();
  private folding: NodeJS.Timeout | undefined;

  constructor(
    private readonly setting: TurnSetting,
    private readonly observers: Observers,
  ) {}

  /** Takes turns of these partitions until nothing waits in them, or until others should have theirs. Returns how that ended. */
  async drain(partitions: readonly number[]): Promise<string> {
    const { now } = this.setting.shares;
    const started = now();
    for (let turn = 0; turn < TURNS_PER_JOB && now() - started < JOB_MS; turn += 1) {
      try {
        if (!(await this.take({ partitions }))) return 'drained';
      } catch (error) {
        if (!isPermanent(error)) throw error;
        return this.isolateFailure(partitions, error);
      }
    }
    await this.observers.jobQueue.enqueueTurns(partitions);
    return 'more-waits';
  }

  /** The partitions go on one by one; where one fails by itself, its sensors do. */
  private async isolateFailure(partitions: readonly number[], error: unknown): Promise<string> {
    const [partition] = partitions;
    if (partitions.length === 1 && partition !== undefined) {
      this.observers.logger.error({ partition, err: error }, 'a turn failed; its sensors go on one by one');
      return this.isolateFailingSensors(partition);
    }
    const outcomes: string[] = [];
    for (const one of partitions) outcomes.push(await this.drain([one]));
    return outcomes.join('; ');
  }

  /** One turn, then what it caused. Whether more waits. */
  private async take(scope: TurnScope): Promise<boolean> {
    const { jobQueue, firstAttempts, decisionLog, metrics, streamSignal } = this.observers;
    const started = performance.now();
    const outcome = await this.run(scope);
    const { results, points, wakeUps, partitions, eventUsers, isStreamed, hasMore } = outcome;
    this.width.learn(outcome);
    this.foldLater();
    countTurn(metrics, results, { points, seconds: (performance.now() - started) / 1_000 });
    if (isStreamed) streamSignal.notify();
    if (wakeUps.length > 0) await firstAttempts.start(wakeUps);
    if (partitions.size > 0) await jobQueue.enqueueTurns(partitions);
    if (eventUsers.length > 0) await jobQueue.enqueueEventDispatch(eventUsers);
    // Last, because nobody waits for them.
    for (const { changes } of results) decisionLog.write(changes.decisions);
    return hasMore;
  }

  /** Wakes up partitions whose journal waits for a turn that does not come by itself. */
  private foldLater(): void {
    const { journal, clock } = this.setting;
    if (this.folding !== undefined || !journal.isOpen) return;
    this.folding = setTimeout(() => {
      this.folding = undefined;
      const overdue = journal.takeOverdue(clock.now());
      if (overdue.length > 0) void this.observers.jobQueue.enqueueTurns(overdue);
      this.foldLater();
    }, journal.overdueMs);
    this.folding.unref();
  }

  /** After the last turn: brings the rows of states up to date, for a worker of a former release that may follow. Where that fails, a later turn does it. */
  async close(): Promise<void> {
    const { pool, journal, layout } = this.setting;
    clearTimeout(this.folding);
    const partitions = journal.takeOverdue(Number.POSITIVE_INFINITY);
    if (partitions.length === 0) return;
    const affected = { partitions, partitionCount: layout.count };
    await inPoolTransaction(pool, (connection) => foldJournal(runOn(connection), affected)).catch((err: unknown) =>
      this.observers.logger.warn({ err }, 'the journal of states was not folded'),
    );
  }

  private async run(scope: TurnScope): Promise<TurnOutcome> {
    const taking = { ...scope, mostPoints: this.width.points };
    for (let shorter = 0, moves = 0; ; ) {
      try {
        return await runTurn(this.setting, taking);
      } catch (error) {
        if (moves < MAX_MOVES && (await this.followLayout(error))) moves += 1;
        else if (error instanceof TurnTooLong && shorter < MAX_SHORTER_TURNS) {
          shorter += 1;
          this.observers.metrics.turns.inc({ outcome: 'too-long' });
        } else throw error;
      }
    }
  }

  /** Whether the turn was refused because the number of partitions has changed, and may be taken again. */
  private async followLayout(error: unknown): Promise<boolean> {
    const { pool, layout } = this.setting;
    if (error instanceof LayoutChanged) await layout.follow(pool);
    else if (error instanceof MisplacedBatches) {
      await this.observers.jobQueue.enqueueTurns(await repartitionInbox(pool, layout.count));
    } else return false;
    return true;
  }

  /** A turn for each sensor that waits, so that one that fails delays no other. Its own points stay where they are. */
  private async isolateFailingSensors(partition: number): Promise<string> {
    const { metrics, logger } = this.observers;
    const { pool, clock, layout } = this.setting;
    let failed = 0;
    for (const sensorId of await waitingSensors(pool, partition, layout.count, clock.now())) {
      try {
        for (let turn = 0; turn < TURNS_PER_JOB && (await this.take({ partitions: [partition], sensorId })); )
          turn += 1;
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
