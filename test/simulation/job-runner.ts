import { QUEUE_NAMES, type QueueName } from '../../jobs/queues';
import { registry } from '../../workers/registry';
import { LOCK_MS, STALLED_CHECK_MS } from '../../workers/run-worker';
import type { Random } from './random';
import type { Scheduler, StepTaker } from './scheduler';
import type { SimulatedProcess } from './simulated-process';
import type { Job, SimulatedRedis } from './simulated-redis';

/** Gives jobs to workers as `runWorker` and BullMQ do: with the platform's handlers, concurrency and expiring locks. */
export class JobRunner {
  constructor(
    private readonly redis: SimulatedRedis,
    private readonly scheduler: Scheduler,
    private readonly random: Random,
  ) {}

  /** Starts every job that one of these workers can take; returns whether there was any. */
  dispatch(workers: readonly SimulatedProcess[]): boolean {
    if (!this.redis.isUp || !this.redis.hasReady()) return false;
    let started = false;
    for (const worker of workers) {
      if (worker.pausedUntilMs > this.scheduler.nowMs) continue;
      for (const queue of QUEUE_NAMES) started = this.work(queue, worker) || started;
    }
    return started;
  }

  /** The owner of the job no longer renews its lock: later the job is given to another worker, if it still runs. */
  expectStall(queue: QueueName, job: Job, owner: StepTaker): void {
    this.scheduler.after(LOCK_MS + this.random.between(0, STALLED_CHECK_MS), () => {
      const runs = this.redis.runningOf(owner).some((running) => running.job === job);
      if (job.owner === owner && runs) this.redis.stall(queue, job);
    });
  }

  private work(queue: QueueName, worker: SimulatedProcess): boolean {
    const { handle, concurrency } = registry[queue];
    let started = false;
    while (this.redis.running(queue, worker) < concurrency(worker.container.config)) {
      const job = this.redis.take(queue, worker);
      if (!job) break;
      started = true;
      const end = (wasDone: boolean) => {
        if (worker.isAlive) this.redis.end(queue, job, worker, wasDone);
      };
      handle(job, worker.container).then(
        (outcome) => end(typeof outcome === 'string'),
        () => end(false),
      );
    }
    return started;
  }
}
