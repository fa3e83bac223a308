// Data of which it is known beforehand what has to come of it.
import { setTimeout as sleep } from 'node:timers/promises';
import { MOOD_NAMES } from './receiver.mjs';
import { feedServed, prepareServed } from './served.mjs';
import { changeWatched, prepareWatched } from './watched.mjs';

/** Of a counting sensor every so-and-so-many-th point has to fire. */
const FIRE_EVERY = 50;
const POINTS_PER_REQUEST = 10;
const INACTIVITY_SECONDS = 60;
const EVALUATED_WITHIN_MS = 120_000;
/**
 * A receiver that lets every third request hang for ten seconds gets about four deliveries a second through its slots. Those
 * who fire for it rest, so that no backlog grows that could only be worked off long after the end.
 */
const REST_MS = { hanging: 2_000 };

/** Makes the sensors and triggers while nothing is broken yet. */
export async function prepareLoad(client, urls, { counters = 18, storms = 6, silents = 8 } = {}) {
  const notifications = {};
  for (const mood of MOOD_NAMES) {
    notifications[mood] = await create(client, 'notification', {
      type: 'url',
      destination: urls[mood],
      text: '$sensor_id $sensor_data_value $times_triggered',
    });
  }
  const triggers = {
    // Fires only if a point was lost, came twice or in the wrong order.
    sentinel: await create(client, 'trigger', {
      name: 'sentinel',
      expression: 'sensor_data_value != last_sensor_data_value + 1',
    }),
    marker: await create(client, 'trigger', { name: 'marker', expression: `sensor_data_value % ${FIRE_EVERY} == 0` }),
    always: await create(client, 'trigger', { name: 'always', expression: 'true' }),
    inactivity: await create(client, 'trigger', { name: 'inactivity', inactivity: INACTIVITY_SECONDS }),
  };
  const make = async (kind, index, used) => {
    const mood = kind === 'silent' ? 'steady' : MOOD_NAMES[index % MOOD_NAMES.length];
    const id = await create(client, 'sensor', { name: `${kind} ${index}` });
    for (const trigger of used) {
      await client.post(`/sensors/${id}/triggers`, { trigger: { id: trigger } });
      await client.post(`/sensors/${id}/triggers/${trigger}/notifications`, {
        notification: { id: notifications[mood] },
      });
    }
    return { id, kind, mood, sent: 0 };
  };
  const several = (count, kind, used) =>
    Promise.all(Array.from({ length: count }, (_, index) => make(kind, index, used)));
  return {
    triggers,
    counters: await several(counters, 'counter', [triggers.sentinel, triggers.marker]),
    storms: await several(storms, 'storm', [triggers.always]),
    silents: await several(silents, 'silent', [triggers.inactivity]),
    watched: await prepareWatched(client, urls),
    served: await prepareServed(client),
  };
}

/** Sends until `isOver()`; every sensor has a client of its own, as gateways do. Then all that was sent is known. */
export async function runLoad(client, { triggers, counters, storms, silents, watched, served }, isOver) {
  await Promise.all([
    ...counters.map((sensor) => count(client, sensor, triggers, isOver)),
    ...storms.map((sensor) => storm(client, sensor, isOver)),
    ...silents.map((sensor) => becomeInactive(client, sensor, isOver)),
    ...watched.map((sensor) => changeWatched(client, sensor, isOver)),
    ...served.sensors.map((sensor) => feedServed(client, sensor, isOver)),
  ]);
}

async function count(client, sensor, triggers, isOver) {
  sensor.startSeconds = Math.floor(Date.now() / 1000) - 1_000;
  while (!isOver() && !sensor.isStuck) {
    for (let request = 0; request < FIRE_EVERY / POINTS_PER_REQUEST; request += 1) {
      const data = Array.from({ length: POINTS_PER_REQUEST }, () => point(sensor));
      await client.post(`/sensors/${sensor.id}/data`, { data });
    }
    await untilEvaluated(client, sensor);
    // The load is faster than life: the minute of rest is counted anew.
    await client.put(`/sensors/${sensor.id}/trigger/${triggers.marker}`, { trigger: { last_triggered: 0 } });
    await sleep(REST_MS[sensor.mood] ?? 0);
  }
}

function point(sensor) {
  sensor.sent += 1;
  sensor.lastDate = Math.round((sensor.startSeconds + sensor.sent / 1000) * 1000) / 1000;
  return { value: sensor.sent, date: sensor.lastDate };
}

async function untilEvaluated(client, sensor) {
  const { id, lastDate } = sensor;
  const until = Date.now() + EVALUATED_WITHIN_MS;
  for (;;) {
    const { triggers } = await client.get(`/sensors/${id}/triggers`);
    if (triggers.every((trigger) => trigger.last_sensor_data_date === lastDate)) return;
    if (Date.now() > until) {
      sensor.isStuck = true; // the verdict counts it
      return;
    }
    await sleep(100);
  }
}

async function storm(client, sensor, isOver) {
  while (!isOver()) {
    sensor.sent += 1;
    await client.post(`/sensors/${sensor.id}/data`, { data: [{ value: sensor.sent, date: Date.now() / 1000 }] });
    await sleep(200);
  }
}

/** Sends some points, then nothing until the trigger has fired; then the same again. In the end nothing is due any more. */
async function becomeInactive(client, sensor, isOver) {
  const path = `/sensors/${sensor.id}`;
  const { triggers } = await client.get(`${path}/triggers`);
  let fired = 0;
  while (!isOver()) {
    sensor.sent += 1;
    await client.post(`${path}/data`, { data: [{ value: sensor.sent, date: Date.now() / 1000 }] });
    if (sensor.sent % 3 !== 0) {
      await sleep(1_000);
      continue;
    }
    while (!isOver()) {
      const { firings } = await client.get(`${path}/triggers/${triggers[0].id}/firings?per_page=1000`);
      if (firings.length > fired) {
        fired = firings.length;
        break;
      }
      await sleep(500);
    }
  }
  await client.put(`${path}/trigger/${triggers[0].id}`, { trigger: { active: false } });
}

async function create(client, kind, fields) {
  return (await client.post(`/${kind}s`, { [kind]: fields }))[kind].id;
}

export { FIRE_EVERY, INACTIVITY_SECONDS };
