// Sensors that are changed again and again, and event notifications that have to tell of each change.
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 1_000;
const TOLD = 'changed';
/** Not the hanging one: what waits for it is for the deliveries of triggers to show. */
const MOODS = ['steady', 'moody'];

/** Makes the sensors, and a notification of their changes to each receiver. */
export async function prepareWatched(client, urls, count = 3) {
  for (const mood of MOODS) {
    const { notification } = await client.post('/notifications', {
      notification: { type: 'url', destination: urls[mood], text: `${TOLD} {{subject_id}} ${mood}` },
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

/** Changes one, each time in another way, until `isOver()`; a change that was answered has happened. */
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

/** Every change that was answered is told to every receiver; one that had to be repeated may have happened as often. */
export function judgeWatched(watched, received) {
  const result = { changes: 0, lost: 0, doubled: 0 };
  for (const { id, acknowledged, tried } of watched) {
    result.changes += acknowledged;
    for (const mood of MOODS) {
      const told = new Set(
        received.filter(({ text }) => text === `${TOLD} ${id} ${mood}`).map((request) => request.id),
      );
      result.lost += Math.max(0, acknowledged - told.size);
      result.doubled += Math.max(0, told.size - tried);
    }
  }
  return result;
}
