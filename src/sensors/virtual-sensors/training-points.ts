import type { TimeRange } from '../../edge/time-range';
import { countStored, readRange, type SensorDataPoint } from '../../points';
import type { Reader } from '../../storage/read-pool';

export class TrainingPoints {
  constructor(
    private readonly from: Reader,
    private readonly sensorIds: readonly number[],
  ) {}

  /** Number of points in the range. */
  count(range: TimeRange): Promise<number> {
    return countStored(this.from, this.sensorIds, range);
  }

  /** Returns points by date, in parts of limited size with all points of their dates. */
  inOrder(range: TimeRange): AsyncGenerator<SensorDataPoint[]> {
    return readRange(this.from, this.sensorIds, { ...range, descending: false });
  }
}
