import { InvalidInput } from '../../platform/errors';
import { RANGES_PER_READ, readStoredPoints } from '../../point-store/window-points';
import { partsOf } from '../../rules/parts-of';
import { keptDays, type RetentionDays } from '../../rules/retention';
import { SensorWindows } from '../../rules/windows/sensor-windows';
import { longestWindow, type TriggerExpressions, windowsOf } from '../../rules/windows/written-windows';
import type { Sensor } from '../../storage/models/sensor.model';
import type { Reader } from '../../storage/read-pool';

/** Maximum number of sensors of a backtest with windows: the points of all windows are in memory. */
const MAX_SENSORS = 100;

/** Where the windows of a backtest begin, and for how long the platform keeps points. */
interface WindowStart {
  rule: TriggerExpressions;
  startMs: number;
  platformDays: RetentionDays;
}

/** The windows of each sensor at the start of a backtest, with the points before it; empty without windows. */
export async function windowsAtStart(
  from: Reader,
  sensors: readonly Sensor[],
  { rule, startMs, platformDays }: WindowStart,
): Promise<Map<number, SensorWindows>> {
  const windows = new Map<number, SensorWindows>();
  const [calls, longest] = [windowsOf(rule), longestWindow(rule)];
  if (longest === 0) return windows;
  if (sensors.length > MAX_SENSORS) {
    throw InvalidInput.field('sensor_id', `must name at most ${MAX_SENSORS} sensors if the expression has windows`);
  }
  const range = { afterMs: startMs - longest * 1000, untilMs: startMs - 1 };
  for (const part of partsOf(sensors, RANGES_PER_READ)) {
    const read = await readStoredPoints(
      from,
      part.map(({ id }) => ({ sensorId: id, ...range })),
    );
    for (const sensor of part) {
      const own = new SensorWindows(calls, { dataType: sensor.dataType, keptDays: keptDays(sensor, platformDays) });
      for (const point of read.get(sensor.id)?.points ?? []) own.put(point);
      windows.set(sensor.id, own);
    }
  }
  return windows;
}
