// Two sensors that are inputs of one service, which must count each of their points once.
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 400;
/** The largest window of the service. */
const WINDOW = 5_000;

/** Creates a service that computes statistics over all points of its sensors. */
export async function prepareServed(client, count = 2) {
  const sensors = [];
  let service;
  for (let index = 0; index < count; index += 1) {
    const { sensor } = await client.post('/sensors', { sensor: { name: `served ${index}` } });
    const created = await client.post(`/sensors/${sensor.id}/services`, {
      service: service ? { id: service } : { name: 'statistics_service' },
    });
    service = created.service.id;
    sensors.push({ id: sensor.id, kind: 'served', sent: 0, most: WINDOW / count });
  }
  await client.post(`/sensors/${sensors[0].id}/services/${service}/SetWindow`, {
    parameters: [String(WINDOW), 'points'],
  });
  return { service, sensors };
}

/** Sends 1, 2, 3 ... until `isOver()`, or until the window of the service would be full. */
export async function feedServed(client, sensor, isOver) {
  while (!isOver() && sensor.sent < sensor.most) {
    sensor.sent += 1;
    await client.post(`/sensors/${sensor.id}/data`, { data: [{ value: sensor.sent, date: Date.now() / 1000 }] });
    await sleep(PAUSE_MS);
  }
}

/** The differences between the service's newest count and sum and the sent points. */
export async function judgeServed(rows, { service, sensors }) {
  const [newest] = await rows('SELECT value FROM data_points WHERE sensor_id = ? ORDER BY date_ms DESC LIMIT 1', [
    service,
  ]);
  const { count, mean } = newest ? JSON.parse(newest.value) : { count: 0, mean: 0 };
  const sent = sensors.reduce((all, sensor) => all + sensor.sent, 0);
  const sum = sensors.reduce((all, sensor) => all + (sensor.sent * (sensor.sent + 1)) / 2, 0);
  return { count, missed: Math.abs(sent - count) + (Math.abs(mean * count - sum) > 0.5 ? 1 : 0) };
}
