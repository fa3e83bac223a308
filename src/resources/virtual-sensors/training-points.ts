import { readRange } from '../../point-store/merged-points';
import { countStored } from '../../point-store/point-count';
import type { SensorDataPoint } from '../../rules/data-point';
import type { TimeRange } from '../../rules/time-range';
import type { Reader } from '../../storage/read-pool';

/** Reads the stored points of several sensors for training. */
export class TrainingPoints {
  constructor(
    private readonly from: Reader,
    private readonly sensorIds: readonly number[],
  ) {}

  /** Number of points in the range. */
  count(range: TimeRange): Promise<number> {
    return countStored(this.from, this.sensorIds, range);
  }

  /** All points of the range, by date, in parts of limited size that have all points of their dates. */
  inOrder(range: TimeRange): AsyncGenerator<SensorDataPoint[]> {
    return readRange(this.from, this.sensorIds, { ...range, descending: false });
  }
}
