import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Job, Queue } from 'bullmq';
import { Conflict } from '../../platform/errors';

const JOBS_AT_ONCE = 1_000;

export interface JobDescription {
  name: string;
  data: object;
}

export interface JobsOnBoard {
  description: string;
  describe?(payloads: readonly unknown[]): Promise<readonly (JobDescription | undefined)[]>;
  /** Changes rows so that a failed job has work when it runs again. May throw a refusal if `isSingle`. */
  beforeRetry?(payload: unknown, isSingle: boolean): Promise<void>;
  beforePromote?(payloads: readonly unknown[]): Promise<void>;
}

/** Jobs have names instead of bare ids, and only failed ones may be retried. */
export class BoardQueue extends BullMQAdapter {
  override readonly allowCompletedRetries = false;

  constructor(
    queue: Queue,
    private readonly jobs: JobsOnBoard,
    readOnlyMode: boolean,
  ) {
    super(queue, { description: jobs.description, readOnlyMode });
  }

  override async getJob(id: string): Promise<Job | undefined> {
    const job = await super.getJob(id);
    if (job) await this.prepare([job], true);
    return job;
  }

  override async getJobs(...args: Parameters<BullMQAdapter['getJobs']>): Promise<Job[]> {
    // BullMQ returns nothing for a job that was removed between listing and loading.
    const jobs = (await super.getJobs(...args)).filter(Boolean);
    await this.prepare(jobs, false);
    return jobs;
  }

  override async promoteAll(): Promise<void> {
    for (let start = 0; ; start += JOBS_AT_ONCE) {
      const jobs = await super.getJobs(['delayed'], start, start + JOBS_AT_ONCE - 1);
      if (jobs.length === 0) break;
      await this.jobs.beforePromote?.(jobs.filter(Boolean).map(({ data }) => data));
    }
    await super.promoteAll();
  }

  private async prepare(jobs: readonly Job[], isSingle: boolean): Promise<void> {
    // Without MySQL the board shows bare ids.
    const descriptions = await this.jobs.describe?.(jobs.map(({ data }) => data)).catch(() => undefined);
    for (const [index, job] of jobs.entries()) {
      const description = descriptions?.[index];
      const [toJson, retry, promote] = [job.toJSON.bind(job), job.retry.bind(job), job.promote.bind(job)];
      job.toJSON = () => ({ ...toJson(), ...WITHOUT_TECHNICALITIES, ...description });
      job.retry = async (state, options) => {
        if (state !== 'failed') throw refusal('the job has not failed, so it has nothing left to do');
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

/** Numbers computed from rows say nothing to operators. */
const WITHOUT_TECHNICALITIES = { priority: 0, deduplicationId: undefined };

/** The board's page shows the message. */
export function refusal(message: string): Error {
  const error = new Conflict(message);
  return Object.assign(error, { statusCode: error.status });
}
