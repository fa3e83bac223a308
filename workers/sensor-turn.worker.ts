import type { SensorTurnPayload } from '../jobs/sensor-turn.job';
import type { Container } from '../src/container';

/** Takes turns of a partition until nothing waits in it. */
export function handleSensorTurn(
  { partition }: SensorTurnPayload,
  { partitionTurns }: Pick<Container, 'partitionTurns'>,
): Promise<string> {
  return partitionTurns.drain(partition);
}
