import { InvalidInput } from '../../platform/errors';
import { readSensorIds } from '../data-points/data-reads.request';

const MAX_STREAMED = 100;

/** The start of a stream. */
export interface StreamQuery {
  /**
   * The cursor after which to continue: the `id` of an event. For clients that cannot send the header `Last-Event-ID`.
   * @maxLength 100
   * @example ""
   */
  last_event_id?: string;
}

/** The start of a stream, and its sensors. */
export interface SensorsStreamQuery extends StreamQuery {
  /**
   * The ids of the sensors, at most 100: `sensor_id[]=1&sensor_id[]=2`.
   * @example ["42"]
   */
  sensor_id: string[];
}

/** The sensors of a stream, each once. */
export function readStreamedSensors(given: readonly string[]): number[] {
  const ids = readSensorIds(given);
  if (ids.length > MAX_STREAMED) throw InvalidInput.field('sensor_id', `must name at most ${MAX_STREAMED} sensors`);
  return ids;
}
