import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Job, Queue } from 'bullmq';
import { Conflict } from '../../errors';

const JOBS_AT_ONCE = 1_000;

/** What the board shows of a job in addition to its ids: read from MySQL at that moment, and never put into Redis. */
export interface JobDescription {
  name: string;
  data: object;
}

/** What the board shows of the jobs of one queue, and does in MySQL before it changes them in Redis. */
export interface JobsOnBoard {
  /** Shown on the queue's page. */
  description: string;
  /** Describes jobs by their payloads, in the same order; undefined for one of which nothing more is known. */
  describe?(payloads: readonly unknown[]): Promise<readonly (JobDescription | undefined)[]>;
  /** Gives the worker something to do when the failed job runs again; `isSingle`: may refuse, by an error. */
  beforeRetry?(payload: unknown, isSingle: boolean): Promise<void>;
  /** Makes due what these delayed jobs are about. */
  beforePromote?(payloads: readonly unknown[]): Promise<void>;
}

/** A queue as the board shows it: jobs have names instead of bare ids, and only failed ones may be retried. */
export class BoardQueue extends BullMQAdapter {
  override readonly allowCompletedRetries = false;

  constructor(
    queue: Queue,
    private readonly jobs: JobsOnBoard,
  ) {
    super(queue, { description: jobs.description });
  }

  override async getJob(id: string): Promise<Job | undefined> {
    const job = await super.getJob(id);
    if (job) await this.prepare([job], true);
    return job;
  }

  override async getJobs(...args: Parameters<BullMQAdapter['getJobs']>): Promise<Job[]> {
    const jobs = await super.getJobs(...args);
    await this.prepare(jobs, false);
    return jobs;
  }

  override async promoteAll(): Promise<void> {
    for (let start = 0; ; start += JOBS_AT_ONCE) {
      const jobs = await super.getJobs(['delayed'], start, start + JOBS_AT_ONCE - 1);
      if (jobs.length === 0) break;
      await this.jobs.beforePromote?.(jobs.map(({ data }) => data));
    }
    await super.promoteAll();
  }

  /** Makes these jobs show and do on the board what the queue's description promises. */
  private async prepare(jobs: readonly Job[], isSingle: boolean): Promise<void> {
    // While MySQL is away the bare ids are shown.
    const descriptions = await this.jobs.describe?.(jobs.map(({ data }) => data)).catch(() => undefined);
    for (const [index, job] of jobs.entries()) {
      const description = descriptions?.[index];
      const [toJson, retry, promote] = [job.toJSON.bind(job), job.retry.bind(job), job.promote.bind(job)];
      if (description) job.toJSON = () => ({ ...toJson(), ...description });
      job.retry = async (state, options) => {
        if (state !== 'failed') throw refusal('the job has not failed: it has nothing left to do');
        await this.jobs.beforeRetry?.(job.data, isSingle);
        await retry(state, options);
      };
      job.promote = async () => {
        await this.jobs.beforePromote?.([job.data]);
        await promote();
      };
    }
  }
}

/** An error whose status and message the board's page shows. */
export function refusal(message: string): Error {
  const error = new Conflict(message);
  return Object.assign(error, { statusCode: error.status });
}
