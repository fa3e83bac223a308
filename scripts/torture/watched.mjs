// Sensors that are changed repeatedly, and event notifications that must report each change.
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 1_000;
const PREFIX = 'changed';
/** Not the hanging receiver: the deliveries of triggers test that one. */
const MOODS = ['steady', 'moody'];

/** Creates the sensors, and a notification about their changes for each receiver. */
export async function prepareWatched(client, urls, count = 3) {
  for (const mood of MOODS) {
    const { notification } = await client.post('/notifications', {
      notification: { type: 'url', destination: urls[mood], text: `${PREFIX} {{subject_id}} ${mood}` },
    });
    await client.post('/events/notifications', {
      event_notification: { name: `to ${mood}`, event: 'update_sensor', notification_id: notification.id },
    });
  }
  const make = async (index) => {
    const { sensor } = await client.post('/sensors', { sensor: { name: `watched ${index}` } });
    return { id: sensor.id, acknowledged: 0, tried: 0 };
  };
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}

/** Changes one sensor, each time differently, until `isOver()`. A change is acknowledged once its request succeeded. */
export async function changeWatched(client, sensor, isOver) {
  while (!isOver()) {
    const name = `changed ${sensor.acknowledged + 1} times`;
    await client.put(`/sensors/${sensor.id}`, { sensor: { name } }, () => {
      sensor.tried += 1;
    });
    sensor.acknowledged += 1;
    await sleep(PAUSE_MS);
  }
}

/** Every acknowledged change must reach every receiver; a repeated one may have happened as often as it was tried. */
export function judgeWatched(watched, received) {
  const result = { changes: 0, lost: 0, doubled: 0 };
  for (const { id, acknowledged, tried } of watched) {
    result.changes += acknowledged;
    for (const mood of MOODS) {
      const events = new Set(
        received.filter(({ text }) => text === `${PREFIX} ${id} ${mood}`).map((request) => request.id),
      );
      result.lost += Math.max(0, acknowledged - events.size);
      result.doubled += Math.max(0, events.size - tried);
    }
  }
  return result;
}
