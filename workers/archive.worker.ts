import type { ArchivePayload } from '../jobs/archive.job';
import type { Container } from '../src/container';

/** The rest of a slice is another job, so that owners are served round-robin and workers can stop. */
export async function handleArchive({ archiveId }: ArchivePayload, container: Container): Promise<string> {
  const outcome = await container.archiveJobs.run(archiveId);
  if (outcome === 'more') await container.jobQueue.enqueueArchives([archiveId]);
  return outcome;
}
