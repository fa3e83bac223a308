import { toUnixSeconds } from '../../edge/dates';
import type { StoredDataPoint } from '../data-points/data-point';

/** A data point in a stream. */
export interface StreamedPointView {
  sensor_id: string;
  id: string;
  /** Unix seconds with up to 3 decimals. */
  date: number;
  value: string;
}

export function toStreamedPoint({ id, sensorId, dateMs, value }: StoredDataPoint): StreamedPointView {
  return { sensor_id: String(sensorId), id: String(id), date: toUnixSeconds(dateMs), value };
}
