import type { DeliveryRunner } from '../../notifications';
import type { Logger } from '../../platform/logger';
import type { Metrics } from '../../platform/metrics';
import { LayoutChanged, MisplacedBatches, type PassScope, repartitionInbox, type StreamSignal } from '../../points';
import type { JobQueue } from '../../queue/job-queue';
import { isPermanent } from '../../storage/mysql-errors';
import type { DecisionLog } from './decision-log';
import { waitingSensors } from './inbox';
import type { IsolatedEvaluation } from './isolated-evaluation';
import { type PassOutcome, type PassSetting, runPass } from './pass';
import { BatchSize, PassTooLong } from './pass-clock';
import type { SensorResult } from './pass-effects';

/**
 * Maximum number of passes per job. If more points wait, another job is enqueued, so that partitions are served
 * round-robin.
 */
const PASSES_PER_JOB = 10;
/** Maximum duration of a job. */
const JOB_MS = 500;
/**
 * Maximum number of retries with a smaller batch. Each takes fewer points, and a pass with one point per owner is never
 * too long.
 */
const MAX_SHORTER_PASSES = 20;
/**
 * Maximum number of retries after a change of the partition count. For some seconds, other processes may still store
 * points by the former count.
 */
const MAX_MOVES = 500;
interface Observers {
  jobQueue: JobQueue;
  deliveries: Pick<DeliveryRunner, 'start'>;
  streamSignal: Pick<StreamSignal, 'notify'>;
  decisionLog: DecisionLog;
  metrics: Metrics;
  logger: Logger;
}

/**
 * Runs the evaluation passes of partitions, and enqueues the nudges that they cause. Partitions that are nudged
 * together share one transaction, which costs hardly more than the pass of one partition.
 */
export class EvaluationConsumer {
  private readonly width = new BatchSize();
  private flushing: NodeJS.Timeout | undefined;

  constructor(
    private readonly setting: PassSetting,
    private readonly observers: Observers,
    /** Keeps points that end their process apart; absent where nothing else would do them: in the lone process. */
    private readonly isolated?: IsolatedEvaluation,
  ) {}

  /**
   * Runs passes of these partitions until their inboxes are empty, or until other partitions are due. Returns the
   * reason why it ended.
   */
  async drain(partitions: readonly number[]): Promise<string> {
    if (!this.isolated) return this.runPasses(partitions);
    const mayBegin = await this.isolated.begin(partitions);
    try {
      if (mayBegin) return await this.runPasses(partitions);
      await this.isolated.drain(partitions);
      return 'alone';
    } finally {
      this.isolated.end(partitions);
      this.isolated.startQuarantined(partitions);
    }
  }

  /** Runs one pass, in the lone process. Returns true if more points wait in its scope. */
  runOne(scope: PassScope): Promise<boolean> {
    return this.take(scope);
  }

  private async runPasses(partitions: readonly number[]): Promise<string> {
    const { now } = this.setting.shares;
    const started = now();
    for (let pass = 0; pass < PASSES_PER_JOB && now() - started < JOB_MS; pass += 1) {
      try {
        const exceptOwnerIds = this.isolated?.quarantinedOwners;
        if (!(await this.take({ partitions, exceptOwnerIds }))) return 'drained';
      } catch (error) {
        if (!isPermanent(error)) throw error;
        return this.isolateFailure(partitions, error);
      }
    }
    await this.observers.jobQueue.nudgeEvaluation(partitions);
    return 'more-waits';
  }

  /** Retries the partitions one by one. If a partition fails alone, its sensors are evaluated one by one. */
  private async isolateFailure(partitions: readonly number[], error: unknown): Promise<string> {
    const [partition] = partitions;
    if (partitions.length === 1 && partition !== undefined) {
      this.observers.logger.error(
        { partition, err: error },
        'an evaluation pass failed; its sensors are evaluated one by one',
      );
      return this.isolateFailingSensors(partition);
    }
    const outcomes: string[] = [];
    for (const one of partitions) outcomes.push(await this.runPasses([one]));
    return outcomes.join('; ');
  }

  /** Runs one pass and publishes its effects. Returns true if more points wait. */
  private async take(scope: PassScope): Promise<boolean> {
    const { jobQueue, deliveries, decisionLog, metrics, streamSignal } = this.observers;
    const started = performance.now();
    const outcome = await this.run(scope);
    const { results, points, nudges, partitions, eventUsers, isStreamed, hasMore } = outcome;
    this.width.learn(outcome);
    this.flushLater();
    countPass(metrics, results, { points, seconds: (performance.now() - started) / 1_000 });
    if (isStreamed) streamSignal.notify();
    if (nudges.length > 0) await deliveries.start(nudges);
    if (partitions.size > 0) await jobQueue.nudgeEvaluation(partitions);
    if (eventUsers.length > 0) await jobQueue.enqueueEventDispatch(eventUsers);
    // Last, because no request waits for them.
    for (const { changes } of results) decisionLog.write(changes.decisions);
    return hasMore;
  }

  /** Nudges partitions whose buffer waits for a pass, since no upload may trigger one. */
  private flushLater(): void {
    const { store, clock } = this.setting;
    if (this.flushing !== undefined || !store.isBuffering) return;
    this.flushing = setTimeout(() => {
      this.flushing = undefined;
      const overdue = store.takeOverdue(clock.now());
      if (overdue.length > 0) void this.observers.jobQueue.nudgeEvaluation(overdue);
      this.flushLater();
    }, store.overdueMs);
    this.flushing.unref();
  }

  /**
   * After the last pass: flushes the buffer into the rows of states, since no later pass may come soon. If that fails, a
   * later pass flushes it.
   */
  async close(): Promise<void> {
    const { pool, store, layout } = this.setting;
    clearTimeout(this.flushing);
    await store
      .flush(pool, layout.count)
      .catch((err: unknown) => this.observers.logger.warn({ err }, 'the write-behind buffer was not flushed'));
  }

  private async run(scope: PassScope): Promise<PassOutcome> {
    const taking = { mostPoints: this.width.points, ...scope };
    for (let shorter = 0, moves = 0; ; ) {
      try {
        return await runPass(this.setting, taking);
      } catch (error) {
        if (moves < MAX_MOVES && (await this.followLayout(error))) moves += 1;
        else if (error instanceof PassTooLong && shorter < MAX_SHORTER_PASSES) {
          shorter += 1;
          this.observers.metrics.passes.inc({ outcome: 'too-long' });
        } else throw error;
      }
    }
  }

  /** True if the pass was refused because the partition count has changed, so it can be retried. */
  private async followLayout(error: unknown): Promise<boolean> {
    const { pool, layout } = this.setting;
    if (error instanceof LayoutChanged) await layout.follow(pool);
    else if (error instanceof MisplacedBatches) {
      await this.observers.jobQueue.nudgeEvaluation(await repartitionInbox(pool, layout.count));
    } else return false;
    return true;
  }

  /**
   * Runs a pass for each sensor with waiting points, so that a failing sensor does not delay the others. Its own points
   * stay in the inbox.
   */
  private async isolateFailingSensors(partition: number): Promise<string> {
    const { metrics, logger } = this.observers;
    const { pool, clock, layout } = this.setting;
    let failed = 0;
    for (const sensorId of await waitingSensors(pool, partition, layout.count, clock.now())) {
      try {
        for (let pass = 0; pass < PASSES_PER_JOB && (await this.take({ partitions: [partition], sensorId })); )
          pass += 1;
      } catch (error) {
        if (!isPermanent(error)) throw error;
        failed += 1;
        metrics.passes.inc({ outcome: 'failed' });
        logger.error({ sensorId, err: error }, 'the waiting points of a sensor cannot be handled');
      }
    }
    return `one by one, ${failed} failed`;
  }
}

/** Records the metrics of a pass: its size and duration, its decisions and its firings. */
function countPass(
  metrics: Metrics,
  results: readonly SensorResult[],
  { points, seconds }: { points: number; seconds: number },
): void {
  metrics.passes.inc({ outcome: results.length > 0 ? 'evaluated' : 'idle' });
  metrics.passSeconds.observe(seconds);
  metrics.passPoints.observe(points);
  const reasons = new Map<string, number>();
  for (const { changes } of results) {
    for (const firing of changes.firings) metrics.firings.inc({ reason: firing.reason });
    for (const { decision } of changes.decisions) reasons.set(decision.reason, (reasons.get(decision.reason) ?? 0) + 1);
    for (const [reason, count] of changes.unreported) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  }
  for (const [reason, count] of reasons) metrics.decisions.inc({ reason }, count);
}
