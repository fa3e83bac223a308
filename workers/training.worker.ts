import type { TrainingPayload } from '../jobs/training.job';
import type { Container } from '../src/container';

/** A few seconds per job. The rest is another job, so that services are served round-robin and workers can stop. */
const STEPS_PER_JOB = 5;

export async function handleTraining({ serviceId }: TrainingPayload, container: Container): Promise<string> {
  const { careful, services } = container;
  const work = () => learn(serviceId, container);
  if (!careful) return work();
  const outcome = await careful.run({ kind: 'training', id: serviceId }, work, (reason) =>
    services.trainingJobs.end(serviceId, reason),
  );
  return outcome ?? 'alone';
}

async function learn(serviceId: number, container: Container): Promise<string> {
  for (let step = 0; step < STEPS_PER_JOB; step += 1) {
    const outcome = await container.services.trainingJobs.step(serviceId);
    if (outcome === 'nothing-waits' || outcome === 'overtaken' || outcome === 'pauses') return outcome;
  }
  await container.jobQueue.enqueueTraining([serviceId]);
  return 'more-waits';
}
