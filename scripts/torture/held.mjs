// Sensors behind a gateway: while the alert of the gateway is open, their alerts are held. Some end meanwhile, others outlast it.
import { setTimeout as sleep } from 'node:timers/promises';
import { randomSource } from './random.mjs';

const PREFIX = 'held';
const WRONG = 'held alerts and their ends not delivered as they had to';
const STUCK = 'held alerts that did not begin, end or go out';
const WAIT_SECONDS = 5;
const SEEN_WITHIN_MS = 120_000;
const POLL_MS = 1_000;
/** The alerts begin this close to each other, in ms. */
const APART_MS = 1_500;

/** Creates the gateway, its trigger, and sensors whose trigger depends on that. */
export async function prepareHeld(client, urls, count = 4) {
  const { notification } = await client.post('/notifications', {
    notification: { type: 'url', destination: urls.steady, text: `${PREFIX} $sensor_id $sensor_data_value` },
  });
  const rule = { expression: 'sensor_data_value % 2 == 1', repeat: 0 };
  const { trigger: parent } = await client.post('/triggers', { trigger: { name: 'gateway', ...rule } });
  const { trigger } = await client.post('/triggers', {
    trigger: {
      ...{ name: PREFIX, ...rule, notify_resolved: true },
      depends_on: { trigger_id: parent.id, sensor: { label: 'gateway' }, wait: WAIT_SECONDS },
    },
  });
  const make = async (name, triggerId) => {
    const { id } = (await client.post('/sensors', { sensor: { name } })).sensor;
    await client.put(`/sensors/${id}/metatags`, { metatags: { gateway: ['7'] } });
    await client.post(`/sensors/${id}/triggers`, { trigger: { id: triggerId } });
    return { id, kind: PREFIX, path: `/sensors/${id}/triggers/${triggerId}`, sent: 0, outlasting: [], isStuck: false };
  };
  const gateway = await make('gateway', parent.id);
  const sensors = await Promise.all(
    Array.from({ length: count }, (_, index) => make(`${PREFIX} ${index}`, trigger.id)),
  );
  await client.post(`/triggers/${trigger.id}/notifications`, { notification: { id: notification.id } });
  return { gateway, sensors, parent: parent.id, trigger: trigger.id, notification: notification.id };
}

/** Lets the gateway fail and recover, cycle by cycle, until `isOver()`. */
export async function holdAlerts(client, held, isOver) {
  const random = randomSource(77);
  const { gateway, sensors } = held;
  const all = [gateway, ...sensors];
  while (!isOver() && !all.some(({ isStuck }) => isStuck)) {
    for (const one of all) await client.put(one.path, { trigger: { last_triggered: 0 } });
    const begin = async (one) => {
      await sleep(random.between(0, APART_MS));
      await report(client, one);
      await untilState(client, one, 'firing');
    };
    await Promise.all(all.map(begin));
    const hidden = sensors.filter(() => random.between(0, 1) === 0);
    const outlasting = sensors.filter((one) => !hidden.includes(one));
    await sleep(random.between(0, 2 * WAIT_SECONDS * 1000));
    await Promise.all(hidden.map((one) => end(client, one)));
    await end(client, gateway);
    for (const one of outlasting) one.outlasting.push(one.sent);
    await untilSent(client, held, outlasting);
    await Promise.all(outlasting.map((one) => end(client, one)));
  }
}

/** The next value, without a date: odd ones fire. */
async function report(client, one) {
  one.sent += 1;
  await client.post(`/sensors/${one.id}/data`, { data: [{ value: one.sent }] });
}

async function end(client, one) {
  await report(client, one);
  await untilState(client, one, 'ok');
}

async function untilState(client, one, state) {
  await until(one, async () => (await client.get(one.path)).trigger.state === state);
}

async function untilSent(client, { notification }, outlasting) {
  for (const one of outlasting) {
    await until(one, async () => {
      const { deliveries } = await client.get(
        `/deliveries?notification_id=${notification}&status=pending&per_page=1000`,
      );
      return deliveries.every(({ sensor_id: id }) => id !== one.id);
    });
  }
}

async function until(one, isReached) {
  const untilMs = Date.now() + SEEN_WITHIN_MS;
  while (!(await isReached())) {
    one.isStuck = Date.now() > untilMs; // the verdict counts it
    if (one.isStuck) return;
    await sleep(POLL_MS);
  }
}

/**
 * An alert that outlasted the gateway's was delivered once, and not before that ended; one that ended within it was not
 * delivered. Each delivered one got its end, and no other.
 */
export async function judgeHeld(rows, { gateway, sensors, parent, trigger }) {
  const result = { sent: 0, hidden: 0, faults: { [WRONG]: 0, [STUCK]: 0 }, remarks: [] };
  const failures = await episodesOf(rows, gateway.id, parent);
  for (const { id, outlasting, isStuck } of sensors) {
    if (isStuck) result.faults[STUCK] += 1;
    for (const episode of await episodesOf(rows, id, trigger)) {
      const deliveries = await rows('SELECT kind, status, sent_ms FROM deliveries WHERE firing_id = ?', [episode.id]);
      const value = Number(JSON.parse(episode.variables).sensor_data_value);
      const why = judgeEpisode(episode, { deliveries, failures, isOutlasting: outlasting.includes(value) });
      const isSent = deliveries.some(({ kind }) => kind === 'firing');
      result[isSent ? 'sent' : 'hidden'] += 1;
      if (!why) continue;
      result.faults[WRONG] += 1;
      result.remarks.push(`the held episode ${episode.id} of sensor ${id} ${why}`);
    }
  }
  if (gateway.isStuck) result.faults[STUCK] += 1;
  return result;
}

function episodesOf(rows, sensorId, triggerId) {
  return rows('SELECT * FROM firings WHERE sensor_id = ? AND trigger_id = ? AND episode_id IS NULL', [
    sensorId,
    triggerId,
  ]);
}

function judgeEpisode({ fired_ms: firedMs, ended_ms: endedMs }, { deliveries, failures, isOutlasting }) {
  const sent = deliveries.filter(({ kind }) => kind === 'firing');
  const ends = deliveries.filter(({ kind }) => kind === 'end');
  const isIn = (row) => row.fired_ms <= firedMs + WAIT_SECONDS * 1000 && (row.ended_ms ?? Infinity) > firedMs;
  const failure = failures.find(isIn);
  const isWithin = failure && endedMs !== null && endedMs <= (failure.ended_ms ?? Infinity);
  if (sent.length > 1) return `was delivered ${sent.length} times`;
  if (isOutlasting && sent.length === 0) return 'outlasted the failure and was not delivered';
  if (isWithin && sent.length > 0) return 'was delivered although it ended within the failure';
  if (sent.some(({ status }) => status !== 'delivered')) return `has a delivery that is ${sent[0].status}`;
  if (failure && sent.some(({ sent_ms: sentMs }) => sentMs < (failure.ended_ms ?? Infinity))) return 'was not held';
  const expected = endedMs === null ? 0 : sent.length;
  return ends.length === expected ? undefined : `has ${ends.length} ends instead of ${expected}`;
}
