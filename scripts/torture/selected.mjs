// Sensors that get and lose the metatag of a trigger's selector, each of them sometimes while its alert is firing.
import { setTimeout as sleep } from 'node:timers/promises';
import { latestInTime } from './lateness.mjs';
import { randomSource } from './random.mjs';

const EVENTS = ['add_sensor_trigger', 'remove_sensor_trigger'];
const PREFIX = 'selected';
/** How late a selector may follow a change, in ms. */
const FOLLOWED_MS = 10_000;
const SEEN_WITHIN_MS = 120_000;
const POLL_MS = 250;
const QUICK_MS = 3_000;

/** Creates the trigger, sensors that change, and sensors with another metatag, which must never be connected. */
export async function prepareSelected(client, urls, count = 8, others = 2) {
  const { notification } = await client.post('/notifications', {
    notification: { type: 'url', destination: urls.steady, text: `${PREFIX} $sensor_id $sensor_data_value` },
  });
  const { trigger } = await client.post('/triggers', {
    trigger: {
      name: 'selected',
      expression: 'sensor_data_value > 0',
      repeat: 0,
      notify_resolved: true,
      resolved_text: `${PREFIX} over $sensor_id $sensor_data_value`,
      selector: {
        filter: { metatag_statement_groups: [[{ metatag_name: 'kind', operator: 'equal', value: 'cold' }]] },
      },
    },
  });
  await client.post(`/triggers/${trigger.id}/notifications`, { notification: { id: notification.id } });
  for (const event of EVENTS) {
    await client.post('/events/notifications', {
      event_notification: { name: event, event, notification_id: notification.id },
    });
  }
  const make = async (index, kinds) => {
    const { id } = (await client.post('/sensors', { sensor: { name: `${PREFIX} ${index}` } })).sensor;
    await client.put(`/sensors/${id}/metatags`, { metatags: { kind: kinds } });
    return { id, index, kind: PREFIX, trigger: trigger.id, sent: 0, changes: [], fired: [], isStuck: false };
  };
  const several = (number, kinds) => Promise.all(Array.from({ length: number }, (_, index) => make(index, kinds)));
  return { trigger: trigger.id, sensors: await several(count, ['warm']), others: await several(others, ['warm']) };
}

/** Gives a sensor the metatag and takes it away again, repeatedly: after it was followed, or sooner. */
export async function changeSelected(client, sensor, isOver) {
  const random = randomSource(sensor.index + 1);
  while (!isOver() && !sensor.isStuck) {
    await setKind(client, sensor, 'cold');
    if (random.between(0, 3) === 0) await sleep(random.between(0, QUICK_MS));
    else if ((await until(client, sensor, isOver, isConnected)) === 'ok') await fire(client, sensor, isOver);
    if (isOver()) return;
    await setKind(client, sensor, 'warm');
    if (random.between(0, 3) === 0) await sleep(random.between(0, QUICK_MS));
    else await until(client, sensor, isOver, (state) => !isConnected(state));
  }
}

async function setKind(client, sensor, kind) {
  const change = { isSelected: kind === 'cold', triedMs: Date.now(), answeredMs: Number.POSITIVE_INFINITY };
  sensor.changes.push(change);
  await client.put(`/sensors/${sensor.id}/metatags`, { metatags: { kind: [kind] } });
  change.answeredMs = Date.now();
}

/** Sends a value for which the alert fires, and waits for the firing. */
async function fire(client, sensor, isOver) {
  sensor.sent += 1;
  await client.post(`/sensors/${sensor.id}/data`, { data: [{ value: sensor.sent }] });
  if (await until(client, sensor, isOver, (state) => state === 'firing')) sensor.fired.push(sensor.sent);
}

function isConnected(state) {
  return state !== undefined;
}

/** Waits for a state of the sensor trigger, `undefined` while there is none. Returns that state if it has come. */
async function until(client, sensor, isOver, isReached) {
  const untilMs = Date.now() + SEEN_WITHIN_MS;
  while (!isOver()) {
    const { triggers } = await client.get(`/sensors/${sensor.id}/triggers`);
    const state = triggers.find(({ id }) => id === sensor.trigger)?.state;
    if (isReached(state)) return state;
    sensor.isStuck = Date.now() > untilMs; // the verdict counts it
    if (sensor.isStuck) return undefined;
    await sleep(POLL_MS);
  }
  return undefined;
}

/**
 * Each change is followed in time, each matching sensor is connected once in the end and no other one, and each episode
 * of a sensor that no longer matched has ended as by an edit, with a delivery.
 */
export async function judgeSelected(rows, { trigger, sensors, others }, received, { incidents, stalls }) {
  const result = { changes: 0, late: [], tooLate: 0, unfollowed: 0, ends: 0, open: 0, remarks: [] };
  for (const sensor of sensors) {
    const followed = await rows(
      'SELECT event, created_ms AS atMs FROM deliveries WHERE event IN (?) AND subject_id = ? AND source_id = ? ORDER BY event_id',
      [EVENTS, trigger, sensor.id],
    );
    result.changes += sensor.changes.length;
    judgeChanges(result, sensor, followed, { incidents, stalls });
    await judgeConnection(rows, result, sensor, followed);
    await judgeEnds(rows, result, sensor, received);
  }
  const ids = others.map(({ id }) => id);
  const [{ n }] = await rows('SELECT COUNT(*) AS n FROM sensor_triggers WHERE trigger_id = ? AND sensor_id IN (?)', [
    trigger,
    ids,
  ]);
  result.unfollowed += Number(n);
  return result;
}

/** The event of a connection is dispatched after it: the delay includes that. */
function judgeChanges(result, { id, changes }, followed, { incidents, stalls }) {
  for (const [index, { isSelected, answeredMs }] of changes.entries()) {
    const nextMs = changes[index + 1]?.triedMs ?? Number.POSITIVE_INFINITY;
    const before = followed.findLast(({ atMs }) => atMs <= answeredMs);
    const isAlready = (before?.event === EVENTS[0]) === isSelected;
    const after = followed.find(({ event, atMs }) => atMs > answeredMs && (event === EVENTS[0]) === isSelected);
    const atMs = isAlready ? answeredMs : (after?.atMs ?? Number.POSITIVE_INFINITY);
    const limitMs = latestInTime(answeredMs, incidents, FOLLOWED_MS);
    if (atMs < nextMs && !isAlready) result.late.push(atMs - answeredMs);
    if (Math.min(atMs, nextMs) <= limitMs + stalls.allowance(answeredMs, Math.min(atMs, nextMs))) continue;
    result.tooLate += 1;
    result.remarks.push(`sensor ${id} followed its metatag ${atMs - answeredMs} ms late`);
  }
}

async function judgeConnection(rows, result, { id, trigger, changes, isStuck }, followed) {
  const connected = await rows(
    'SELECT by_selector AS bySelector FROM sensor_triggers WHERE trigger_id = ? AND sensor_id = ?',
    [trigger, id],
  );
  const expected = changes.at(-1)?.isSelected ? 1 : 0;
  const alternates = followed.every(({ event }, index) => event === EVENTS[index % 2]);
  const isRight = connected.length === expected && connected.every(({ bySelector }) => bySelector);
  if (isRight && alternates && followed.length % 2 === expected && followed.length <= changes.length && !isStuck)
    return;
  result.unfollowed += 1;
  const events = followed.map(({ event }) => event).join(', ');
  result.remarks.push(`sensor ${id} is connected ${connected.length} times instead of ${expected}: ${events}`);
}

async function judgeEnds(rows, result, { id, trigger, fired }, received) {
  const firings = await rows('SELECT * FROM firings WHERE sensor_id = ? AND trigger_id = ?', [id, trigger]);
  const connected = await rows(
    'SELECT episode_ms AS episodeMs FROM sensor_triggers WHERE sensor_id = ? AND trigger_id = ?',
    [id, trigger],
  );
  const idsOf = (text) =>
    new Set(received.filter((request) => request.text === text).map((request) => request.id)).size;
  const firedBy = ({ variables }) => Number(JSON.parse(variables).sensor_data_value);
  result.ends += firings.filter(({ is_lasting }) => !is_lasting).length;
  for (const firing of firings) {
    const value = firedBy(firing);
    const isOpen = connected.some(({ episodeMs }) => episodeMs === firing.fired_ms);
    const hasEnded = !firing.is_lasting && firing.resolved_by === 'edit';
    const isDelivered = idsOf(`${PREFIX} ${id} ${value}`) === 1;
    const ends = idsOf(`${PREFIX} over ${id} ${value}`);
    if (isDelivered && (isOpen ? firing.is_lasting && ends === 0 : hasEnded && ends === 1)) continue;
    result.open += 1;
    result.remarks.push(
      `firing ${firing.id} of sensor ${id}: resolved by ${firing.resolved_by}, ${ends} ends delivered`,
    );
  }
  const wrong = fired.filter((value) => firings.filter((firing) => firedBy(firing) === value).length !== 1);
  result.open += wrong.length;
  if (wrong.length > 0) result.remarks.push(`sensor ${id} did not fire once for the values ${wrong}`);
}
