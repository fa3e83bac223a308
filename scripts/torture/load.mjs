// Sends data with known effects.
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareAgents, runAgents } from './agents.mjs';
import { prepareBroker, runBroker } from './broker.mjs';
import { prepareCold, useCold } from './cold.mjs';
import { prepareDoors, useDoor } from './doors.mjs';
import { cycleEpisodes, prepareEpisodes } from './episodes.mjs';
import { escalate, prepareEscalations } from './escalations.mjs';
import { holdAlerts, prepareHeld } from './held.mjs';
import { changeLabels, prepareLabelled } from './labels.mjs';
import { preparePoison, sendPoison } from './poison.mjs';
import { MOOD_NAMES } from './receiver.mjs';
import { changeSelected, prepareSelected } from './selected.mjs';
import { feedServed, prepareServed } from './served.mjs';
import { prepareUndated, sendUndated } from './undated.mjs';
import { changeWatched, prepareWatched } from './watched.mjs';
import { driveLocated, prepareLocated } from './zones.mjs';

/** A counting sensor must fire at every 50th point. */
const FIRE_EVERY = 50;
const POINTS_PER_REQUEST = 10;
const INACTIVITY_SECONDS = 60;
const EVALUATED_WITHIN_MS = 120_000;
/**
 * A receiver where every third request hangs for ten seconds takes about four deliveries a second through its permits.
 * The sensors that fire for it pause for longer, so that no backlog grows that would last long after the end.
 */
const PAUSE_MS = { hanging: 4_000 };
/**
 * The whole load takes two fifths of two cores while nothing is down. With twice of it there was not enough left to start the
 * workers and to work off what had waited within the recovery, and everything was late because of the test itself.
 */
const COUNTED_EVERY_MS = 2_000;
const POLL_MS = 1_000;

/** Creates the sensors and triggers before the first incident. */
export async function prepareLoad(
  client,
  urls,
  { counters = 9, storms = 3, inactive = 8, moods = MOOD_NAMES, seed = 1, poisonedPorts } = {},
) {
  const notifications = {};
  for (const mood of MOOD_NAMES) {
    notifications[mood] = await create(client, 'notification', {
      type: 'url',
      destination: urls[mood],
      text: '$sensor_id $sensor_data_value $times_triggered',
    });
  }
  const triggers = await prepareTriggers(client);
  const make = async (kind, index, used) => {
    const mood = kind === 'inactive' ? 'steady' : moods[index % moods.length];
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
    inactive: await several(inactive, 'inactive', [triggers.inactivity]),
    alerts: await prepareEpisodes(client, notifications),
    watched: await prepareWatched(client, urls),
    served: await prepareServed(client),
    undated: await prepareUndated(client),
    doors: await prepareDoors(client),
    labelled: await prepareLabelled(client),
    located: await prepareLocated(client),
    selected: await prepareSelected(client, urls),
    ...{ escalations: await prepareEscalations(client, urls), held: await prepareHeld(client, urls) },
    agents: await prepareAgents(client),
    broker: await prepareBroker(client),
    cold: await prepareCold(client, seed),
    poison: poisonedPorts && (await preparePoison(poisonedPorts)),
  };
}

async function prepareTriggers(client) {
  return {
    // Fires only if a point is lost, duplicated or out of order.
    sentinel: await create(client, 'trigger', {
      name: 'sentinel',
      expression: 'sensor_data_value != last_sensor_data_value + 1',
    }),
    marker: await create(client, 'trigger', { name: 'marker', expression: `sensor_data_value % ${FIRE_EVERY} == 0` }),
    always: await create(client, 'trigger', { name: 'always', expression: 'true' }),
    inactivity: await create(client, 'trigger', { name: 'inactivity', inactivity: INACTIVITY_SECONDS }),
  };
}

/** Sends until `isOver()`, for all sensors at the same time. Each counts its sent points. */
export async function runLoad(
  client,
  {
    triggers,
    counters,
    storms,
    inactive,
    alerts,
    watched,
    served,
    undated,
    doors,
    labelled,
    located,
    selected,
    escalations,
    held,
    agents,
    broker,
    cold,
    poison,
  },
  isOver,
) {
  await Promise.all([
    ...counters.map((sensor) => count(client, sensor, triggers, isOver)),
    ...storms.map((sensor) => storm(client, sensor, isOver)),
    ...inactive.map((sensor) => becomeInactive(client, sensor, isOver)),
    ...alerts.map((alert) => cycleEpisodes(client, alert, isOver)),
    ...watched.map((sensor) => changeWatched(client, sensor, isOver)),
    ...served.sensors.map((sensor) => feedServed(client, sensor, isOver)),
    ...undated.map((sensor) => sendUndated(client, sensor, isOver)),
    ...doors.map((door) => useDoor(client, door, isOver)),
    ...labelled.map((sensor) => changeLabels(client, sensor, isOver)),
    ...located.map((vehicle) => driveLocated(client, vehicle, isOver)),
    ...selected.sensors.map((sensor) => changeSelected(client, sensor, isOver)),
    ...escalations.map((alert) => escalate(client, alert, isOver)),
    holdAlerts(client, held, isOver),
    runAgents(client, agents, isOver),
    runBroker(broker, isOver),
    ...(poison ? [sendPoison(poison, isOver)] : []),
    ...cold.map((sensor) => useCold(sensor, isOver)),
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
    // The load is faster than real sensors: without this reset the trigger could not fire again for a minute.
    await client.put(`/sensors/${sensor.id}/trigger/${triggers.marker}`, { trigger: { last_triggered: 0 } });
    await sleep(PAUSE_MS[sensor.mood] ?? COUNTED_EVERY_MS);
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
    await sleep(POLL_MS);
  }
}

async function storm(client, sensor, isOver) {
  while (!isOver()) {
    sensor.sent += 1;
    await client.post(`/sensors/${sensor.id}/data`, { data: [{ value: sensor.sent, date: Date.now() / 1000 }] });
    await sleep(400);
  }
}

/**
 * Sends some points, then nothing until the trigger has fired, repeatedly. At the end it deactivates the trigger. The
 * points have no date, so each is dated when it arrives, even if it is sent again.
 */
async function becomeInactive(client, sensor, isOver) {
  const path = `/sensors/${sensor.id}`;
  const { triggers } = await client.get(`${path}/triggers`);
  let fired = 0;
  while (!isOver()) {
    sensor.sent += 1;
    await client.post(`${path}/data`, { data: [{ value: sensor.sent }] });
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
