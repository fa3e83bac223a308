import type { SensorTurnPayload } from '../jobs/sensor-turn.job';
import type { Container } from '../src/container';

/** Takes turns of partitions, together, until nothing waits in them. */
export function handleSensorTurn(
  { partition, others = [] }: SensorTurnPayload,
  { partitionTurns }: Pick<Container, 'partitionTurns'>,
): Promise<string> {
  return partitionTurns.drain([partition, ...others]);
}
