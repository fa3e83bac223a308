import type { EvaluationPayload } from '../jobs/evaluation.job';
import type { Container } from '../src/container';

export function handleEvaluation(
  { partition, others = [] }: EvaluationPayload,
  { evaluationConsumer }: Pick<Container, 'evaluationConsumer'>,
): Promise<string> {
  return evaluationConsumer.drain([partition, ...others]);
}
