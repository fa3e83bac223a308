import type { EvaluationPayload } from '../jobs/evaluation.job';
import type { Container } from '../src/container';

/** Runs passes of the partitions, together, until their inboxes are empty. */
export function handleEvaluation(
  { partition, others = [] }: EvaluationPayload,
  { evaluationConsumer }: Pick<Container, 'evaluationConsumer'>,
): Promise<string> {
  return evaluationConsumer.drain([partition, ...others]);
}
