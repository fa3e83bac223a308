import { nameOf, readFirstOfEach, readValues } from '../../points';
import type { Reader } from '../../storage/read-pool';
import { type Alert, lastValueOf } from './alert';

/** The trigger has not evaluated values that were stored before its connection, or while it was paused. */
export async function withLastValue(from: Reader, alert: Alert): Promise<Alert> {
  const { state, reason, sensor, atMs, begunMs = atMs } = alert;
  if (state !== 'firing' || reason !== 'inactivity' || sensor.id === null) return alert;
  const range = { startMs: (lastValueOf(alert)?.dateMs ?? -1) + 1, endMs: begunMs };
  const [newest] = await readFirstOfEach(from, [sensor.id], { ...range, isDescending: true });
  if (!newest) return alert;
  const value = newest.value ?? (await readValues(from, [newest])).get(nameOf(newest));
  return value === undefined ? alert : { ...alert, last: { value, dateMs: newest.dateMs } };
}
