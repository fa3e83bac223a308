import type { Queue } from 'bullmq';
import { PLATFORM_PRIORITY } from './priority';
import { addJobs } from './queues';

/** An export or an import waits for its next steps. */
export interface ArchivePayload {
  archiveId: number;
}

const ARCHIVE = 'archive';

/**
 * While a job of an archive waits, nudges are deduplicated; while one runs, they make exactly one more. A failed job is
 * not retried: the reconciler nudges what remains.
 */
export async function enqueueArchives(queue: Queue, archiveIds: Iterable<number>): Promise<void> {
  const jobs = [...archiveIds].map((archiveId) => ({
    name: ARCHIVE,
    data: { archiveId } satisfies ArchivePayload,
    opts: {
      priority: PLATFORM_PRIORITY,
      deduplication: { id: `archive-${archiveId}`, keepLastIfActive: true },
      removeOnComplete: 100,
      removeOnFail: 1000,
    },
  }));
  await addJobs(queue, jobs);
}
