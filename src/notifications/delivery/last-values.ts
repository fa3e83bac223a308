import { nameOf, readFirstOfEach, readValues } from '../../points';
import type { Reader } from '../../storage/read-pool';
import { type Alert, lastValueOf } from './alert';

/**
 * An inactivity with the newest stored value of its sensor, if that is newer than the last evaluated one: values that
 * were stored before the trigger was connected, or while it was paused, were not evaluated.
 */
export async function withLastValue(from: Reader, alert: Alert): Promise<Alert> {
  const { state, reason, sensor, atMs, begunMs = atMs } = alert;
  if (state !== 'firing' || reason !== 'inactivity' || sensor.id === null) return alert;
  const range = { startMs: (lastValueOf(alert)?.dateMs ?? -1) + 1, endMs: begunMs };
  const [newest] = await readFirstOfEach(from, [sensor.id], { ...range, isDescending: true });
  if (!newest) return alert;
  const value = newest.value ?? (await readValues(from, [newest])).get(nameOf(newest));
  return value === undefined ? alert : { ...alert, last: { value, dateMs: newest.dateMs } };
}
