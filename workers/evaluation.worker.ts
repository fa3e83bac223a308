import type { EvaluationPayload } from '../jobs/evaluation.job';
import type { Container } from '../src/container';

/** Until the inboxes of the partitions are empty. */
export function handleEvaluation(
  { partition, others = [] }: EvaluationPayload,
  { evaluationConsumer }: Pick<Container, 'evaluationConsumer'>,
): Promise<string> {
  return evaluationConsumer.drain([partition, ...others]);
}
