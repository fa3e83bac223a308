import { parseId } from '../../edge/id';
import type { PageQuery } from '../../edge/paging';
import { InvalidInput } from '../../platform/errors';

/** Which series to list. */
export interface SeriesQuery extends PageQuery {
  /**
   * Only the series that lead to this sensor.
   * @example "42"
   */
  sensor_id?: string;
}

/** Leads a series to another sensor. */
export interface UpdateSeriesRequest {
  /**
   * One of your sensors.
   * @example "43"
   */
  sensor_id: string;
}

/** Reads the id of a sensor in a field. */
export function readSensorId(text: string): number {
  const id = parseId(text);
  if (id === null) throw InvalidInput.field('sensor_id', 'must be the id of a sensor');
  return id;
}
