import type { JobsOptions, Queue } from 'bullmq';
import { QUEUE_NAMES, type QueueName, type Queues } from '../../jobs/queues';
import type { Random } from './random';
import type { Scheduler, StepTaker } from './scheduler';

export interface Job {
  name: string;
  data: unknown;
  priority: number;
  readyMs: number;
  deduplicationId: string | null;
  keepLast: boolean;
  /** Enqueued again while it ran: it must run once more. */
  again: Job | null;
  owner: StepTaker | null;
  stalls: number;
}

interface NewJob {
  name: string;
  data: unknown;
  opts?: JobsOptions;
}

/** The unreliability of wake-ups. */
export interface WakeUpFaults {
  lost: number;
  doubled: number;
  delayed: number;
  reordered: number;
}

/** BullMQ's queues in Redis as far as wake-ups use them: deduplication, delays, priorities, owners of running jobs. */
export class SimulatedRedis {
  private readonly jobs: Record<QueueName, Job[]> = {
    evaluation: [],
    events: [],
    deliveries: [],
    training: [],
    archives: [],
    schedule: [],
  };
  isUp = true;
  /** Until when somebody has taken work that is repeated. */
  private readonly takenUntilMs = new Map<string, number>();
  /** Called for each faulty wake-up. */
  onFault: (untilMs: number) => void = () => undefined;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly random: Random,
    private readonly faults: WakeUpFaults,
  ) {}

  /** The state of the connection, as a process sees it. */
  get isReady(): boolean {
    return this.isUp;
  }

  /** The parts of the queues that the platform uses, for one process. */
  queuesOf(taker: StepTaker): Queues {
    const queueOf = (name: QueueName) => {
      const addBulk = (jobs: NewJob[]) => this.scheduler.step(taker, 'enqueue', () => this.enqueue(name, jobs));
      const parts = {
        addBulk,
        add: (job: string, data: unknown, opts?: JobsOptions) => addBulk([{ name: job, data, ...(opts && { opts }) }]),
      };
      return parts as unknown as Queue; // `jobs/` uses no other part of it on the path of a data point
    };
    return {
      evaluation: queueOf('evaluation'),
      events: queueOf('events'),
      deliveries: queueOf('deliveries'),
      training: queueOf('training'),
      archives: queueOf('archives'),
      schedule: queueOf('schedule'),
    };
  }

  /** Repeatable jobs, as one of all workers takes each run of them. */
  repeatableJobsOf(taker: StepTaker): { take(work: string, forMs: number): Promise<boolean> } {
    const take = (work: string, forMs: number) => {
      if (!this.isUp || (this.takenUntilMs.get(work) ?? 0) > this.scheduler.nowMs) return false;
      this.takenUntilMs.set(work, this.scheduler.nowMs + forMs);
      return true;
    };
    return { take: (work, forMs) => this.scheduler.step(taker, 'enqueue', () => take(work, forMs)).catch(() => false) };
  }

  /** Whether any job could be taken. */
  hasReady(): boolean {
    return QUEUE_NAMES.some((queue) =>
      this.jobs[queue].some((job) => job.owner === null && job.readyMs <= this.scheduler.nowMs),
    );
  }

  /** The next job of a queue, now running on that worker. */
  take(queue: QueueName, owner: StepTaker): Job | undefined {
    const ready = this.jobs[queue].filter((job) => job.owner === null && job.readyMs <= this.scheduler.nowMs);
    if (ready.length === 0) return undefined;
    const first = ready.reduce((best, job) => (job.priority < best.priority ? job : best));
    const job = this.random.chance(this.faults.reordered) ? this.random.pick(ready) : first;
    job.owner = owner;
    return job;
  }

  running(queue: QueueName, owner: StepTaker): number {
    return this.jobs[queue].filter((job) => job.owner === owner).length;
  }

  /** The job has ended; if it succeeded, a wake-up that arrived meanwhile makes another one. */
  end(queue: QueueName, job: Job, owner: StepTaker, wasDone: boolean): void {
    if (job.owner !== owner || !this.remove(queue, job)) return;
    if (wasDone && job.again) this.push(queue, job.again);
  }

  /** The lock of a job has expired: another worker gets the job the first time, and it is dropped the second time. */
  stall(queue: QueueName, job: Job): void {
    job.owner = null;
    job.stalls += 1;
    if (job.stalls > 1) this.remove(queue, job);
  }

  runningOf(owner: StepTaker): { queue: QueueName; job: Job }[] {
    return QUEUE_NAMES.flatMap((queue) =>
      this.jobs[queue].filter((job) => job.owner === owner).map((job) => ({ queue, job })),
    );
  }

  empty(): void {
    for (const queue of QUEUE_NAMES) this.jobs[queue] = [];
    this.takenUntilMs.clear();
  }

  /** The time of the next delayed job. */
  nextReadyMs(): number {
    const waiting = QUEUE_NAMES.flatMap((queue) => this.jobs[queue].filter((job) => job.owner === null));
    return Math.min(...waiting.map((job) => job.readyMs));
  }

  private enqueue(queue: QueueName, jobs: readonly NewJob[]): void {
    if (!this.isUp) throw new Error('Redis is unreachable');
    for (const given of jobs) {
      if (this.random.chance(this.faults.lost)) {
        this.onFault(this.scheduler.nowMs);
        continue;
      }
      const job = this.build(given);
      if (this.random.chance(this.faults.delayed)) {
        job.readyMs += this.random.between(1, 5_000);
        this.onFault(job.readyMs);
      }
      this.add(queue, job);
      if (this.random.chance(this.faults.doubled)) this.push(queue, { ...job, deduplicationId: null });
    }
  }

  private add(queue: QueueName, job: Job): void {
    const { deduplicationId } = job;
    const same = deduplicationId && this.jobs[queue].find((other) => other.deduplicationId === deduplicationId);
    if (!same) this.push(queue, job);
    else if (same.owner !== null && job.keepLast) same.again = job;
  }

  private push(queue: QueueName, job: Job): void {
    this.jobs[queue].push(job);
  }

  private build({ name, data, opts = {} }: NewJob): Job {
    return {
      name,
      data,
      priority: opts.priority ?? 0,
      readyMs: this.scheduler.nowMs + (opts.delay ?? 0),
      deduplicationId: opts.deduplication?.id ?? null,
      keepLast: opts.deduplication?.keepLastIfActive === true,
      again: null,
      owner: null,
      stalls: 0,
    };
  }

  private remove(queue: QueueName, job: Job): boolean {
    const index = this.jobs[queue].indexOf(job);
    if (index >= 0) this.jobs[queue].splice(index, 1);
    return index >= 0;
  }
}
