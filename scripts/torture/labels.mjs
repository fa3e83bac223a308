// Sensors whose rule reads a label that changes: each point must be decided by the label of its time.
import { setTimeout as sleep } from 'node:timers/promises';
import { madeOn, POINT_EVERY_MS, untilDecided } from './decided.mjs';

const SENSORS = 3;
/** Points between two changes of the label. */
const POINTS_PER_LABEL = 12;
/** Decisions that the platform keeps are fewer. */
const NOTED_POINTS = 400;

export async function prepareLabelled(client) {
  const { trigger } = await client.post('/triggers', {
    trigger: { name: 'labelled', expression: 'sensor_data_value % label("every") == 0', repeat: 0 },
  });
  const sensors = [];
  for (let index = 0; index < SENSORS; index += 1) {
    const { id } = (await client.post('/sensors', { sensor: { name: `labelled ${index}` } })).sensor;
    await client.post(`/sensors/${id}/triggers`, { trigger: { id: trigger.id } });
    await client.put(`/sensors/${id}/metatags`, { metatags: { every: [1] } });
    sensors.push({ id, triggerId: trigger.id, kind: 'labelled', every: 1, sent: 0, labels: new Map() });
  }
  return sensors;
}

/** Changes the label between points. `labels` has what decided on each point, where that is certain. */
export async function changeLabels(client, sensor, isOver) {
  while (!isOver()) {
    for (let point = 0; point < POINTS_PER_LABEL && !isOver(); point += 1) {
      sensor.sent += 1;
      await client.post(`/sensors/${sensor.id}/data`, { value: sensor.sent, date: Date.now() / 1000 });
      sensor.labels.set(String(sensor.sent), sensor.every);
      sensor.labels.delete(String(sensor.sent - NOTED_POINTS));
      await sleep(POINT_EVERY_MS);
    }
    // A point that waits for its evaluation may be decided by the next label, which is allowed.
    const isDecided = await untilDecided(client, sensor, String(sensor.sent), isOver);
    if (isOver()) return;
    if (!isDecided) sensor.labels.clear();
    sensor.every += 1;
    await client.put(`/sensors/${sensor.id}/metatags`, { metatags: { every: [sensor.every] } });
  }
}

/** Decisions on points by another label than that of their time, and results that do not follow from it. */
export async function judgeLabels(client, sensors) {
  const remarks = [];
  let compared = 0;
  for (const sensor of sensors) {
    const made = await madeOn(client, sensor);
    compared += made.filter(({ value }) => sensor.labels.has(value)).length;
    for (const decision of made) if (!isRight(decision, sensor.labels)) remarks.push(described(sensor, decision));
  }
  return { compared, wrong: remarks.length, remarks };
}

function described({ id, labels }, { date, value, reason, variables }) {
  const [used, expected] = [variables.labels?.every, labels.get(value)];
  return `sensor ${id} decided ${reason} on ${value} by the label ${used} instead of ${expected}, at ${date}`;
}

function isRight({ value, reason, variables }, labels) {
  const every = variables.labels?.every;
  const isTrue = reason !== 'false' && reason !== 'resolved';
  return (labels.get(value) ?? every) === every && isTrue === (Number(value) % every === 0);
}
