import type { SensorTurnPayload } from '../jobs/sensor-turn.job';
import type { Container } from '../src/container';

/** Takes turns of partitions, together, until nothing waits in them. */
export async function handleSensorTurn(
  { partition, others = [] }: SensorTurnPayload,
  { partitionTurns }: Pick<Container, 'partitionTurns'>,
): Promise<string> {
  const outcomes = await Promise.all([partition, ...others].map((each) => partitionTurns.drain(each)));
  return [...new Set(outcomes)].join(', ');
}
