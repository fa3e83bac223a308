// The number of firings of triggers on points, and of their deliveries.
import { FIRE_EVERY } from './load.mjs';

const MINUTE_MS = 60_000;

/** The firings and deliveries of sensors that count, each of which fires at every 50th point. */
export async function judgeMarkers(rows, { counters, triggers }, received) {
  const result = { lost: 0, doubled: 0, undelivered: 0, doubledDeliveries: 0 };
  const idsOf = new Map();
  for (const { text, id } of received) {
    const point = text?.split(' ').slice(0, 2).join(' ');
    idsOf.set(point, (idsOf.get(point) ?? new Set()).add(id));
  }
  for (const { id, sent } of counters) {
    const firings = await rows('SELECT variables FROM firings WHERE sensor_id = ? AND trigger_id = ?', [
      id,
      triggers.marker,
    ]);
    const values = firings.map(({ variables }) => Number(JSON.parse(variables).sensor_data_value));
    const fired = new Set(values);
    result.doubled += values.length - fired.size;
    for (let value = FIRE_EVERY; value <= sent; value += FIRE_EVERY) {
      if (!fired.has(value)) result.lost += 1;
      const arrived = idsOf.get(`${id} ${value}`)?.size ?? 0;
      if (arrived === 0) result.undelivered += 1;
      if (arrived > 1) result.doubledDeliveries += arrived - 1;
    }
  }
  return result;
}

/** Sensors whose trigger is always true: the number of firings less than a minute after another, or missing. */
export async function judgeStorms(rows, { storms, triggers }) {
  let wrong = 0;
  for (const { id } of storms) {
    const firings = await rows(
      'SELECT fired_ms AS ms FROM firings WHERE sensor_id = ? AND trigger_id = ? ORDER BY id',
      [id, triggers.always],
    );
    if (firings.length === 0) wrong += 1;
    for (let index = 1; index < firings.length; index += 1) {
      if (firings[index].ms - firings[index - 1].ms < MINUTE_MS) wrong += 1;
    }
  }
  return wrong;
}
