// Sensors whose alert repeatedly begins and ends: by data, by hand, acknowledged, and muted.
import { setTimeout as sleep } from 'node:timers/promises';
import { MOOD_NAMES } from './receiver.mjs';

/** Points of a cycle for which the alert is true, and the same number for which it is false. */
const POINTS = 5;
const HOW = ['data', 'user', 'acknowledged', 'muted'];
const PREFIX = 'over';
const FAR_SECONDS = 86_400;
const POLL_MS = 1_000;
const EVALUATED_WITHIN_MS = 120_000;
/** As for the other sensors: the receiver that hangs must not have a backlog at the end. */
const PAUSE_MS = { hanging: 8_000 };

/** Creates a sensor with an alert for each receiver, `count` times. */
export async function prepareEpisodes(client, notifications, count = 2) {
  const { trigger } = await client.post('/triggers', {
    trigger: {
      name: 'alert',
      expression: `(sensor_data_value - 1) % ${2 * POINTS} < ${POINTS}`,
      repeat: 0,
      notify_resolved: true,
      resolved_text: `${PREFIX} $sensor_id $sensor_data_value`,
    },
  });
  const make = async (mood, index) => {
    const { sensor } = await client.post('/sensors', { sensor: { name: `alert ${mood} ${index}` } });
    const path = `/sensors/${sensor.id}/triggers`;
    await client.post(path, { trigger: { id: trigger.id } });
    await client.post(`${path}/${trigger.id}/notifications`, { notification: { id: notifications[mood] } });
    return {
      id: sensor.id,
      kind: 'alert',
      mood,
      path: `${path}/${trigger.id}`,
      triggerId: trigger.id,
      sent: 0,
      cycles: [],
    };
  };
  return Promise.all(MOOD_NAMES.flatMap((mood) => Array.from({ length: count }, (_, index) => make(mood, index))));
}

/** Lets one alert begin and end, cycle by cycle, until `isOver()`. */
export async function cycleEpisodes(client, alert, isOver) {
  alert.startSeconds = Math.floor(Date.now() / 1000) - 1_000;
  while (!isOver() && !alert.isStuck) {
    const how = HOW[alert.cycles.length % HOW.length];
    const mutedUntil = how === 'muted' ? Math.floor(Date.now() / 1000) + FAR_SECONDS : null;
    // Without this reset the trigger could not fire again for a minute.
    await client.put(alert.path, { trigger: { last_triggered: 0, muted_until: mutedUntil } });
    const value = await sendPoints(client, alert);
    await intervene(client, alert, how);
    await sendPoints(client, alert);
    alert.cycles.push({ value, how });
    await sleep(PAUSE_MS[alert.mood] ?? 1_200);
  }
}

/** Sends the next points and waits until they are evaluated. Returns the first value. */
async function sendPoints(client, alert) {
  const first = alert.sent + 1;
  const data = Array.from({ length: POINTS }, () => {
    alert.sent += 1;
    return { value: alert.sent, date: Math.round((alert.startSeconds + alert.sent / 1000) * 1000) / 1000 };
  });
  await client.post(`/sensors/${alert.id}/data`, { data });
  const until = Date.now() + EVALUATED_WITHIN_MS;
  for (;;) {
    const { trigger } = await client.get(alert.path);
    if (trigger.last_sensor_data_date === data.at(-1).date) return first;
    if (Date.now() > until) {
      alert.isStuck = true; // the verdict counts it
      return first;
    }
    await sleep(POLL_MS);
  }
}

async function intervene(client, alert, how) {
  if (how !== 'user' && how !== 'acknowledged') return;
  const { firings } = await client.get(`/firings?state=firing&sensor_id=${alert.id}`);
  for (const { id } of firings) {
    const act = how === 'user' ? 'resolve' : 'acknowledge';
    // Repeated after a lost answer, it may find that the episode has ended.
    await client.post(`/firings/${id}/${act}`).catch((error) => {
      if (!String(error).includes('409')) throw error;
    });
  }
}

/**
 * Every cycle is one episode with one firing and one end; each of them is delivered, in this order, unless it was
 * muted.
 */
export async function judgeEpisodes(rows, alerts, received) {
  const result = { count: 0, lost: 0, doubled: 0, wrong: 0, misdelivered: 0, disordered: 0 };
  const arrivals = arrivalsIn(received);
  for (const { id, triggerId, cycles } of alerts) {
    const firings = await rows('SELECT * FROM firings WHERE sensor_id = ? AND trigger_id = ?', [id, triggerId]);
    const valueThatFired = ({ variables }) => Number(JSON.parse(variables).sensor_data_value);
    result.count += cycles.length;
    result.doubled += firings.length - new Set(firings.map(valueThatFired)).size;
    for (const { value, how } of cycles) {
      const firing = firings.find((one) => valueThatFired(one) === value);
      if (!firing) result.lost += 1;
      else if (!isAsExpected(firing, how)) result.wrong += 1;
      const [fired, over] = [arrivals.get(`${id} ${value}`), arrivals.get(`${PREFIX} ${id} ${value}`)];
      result.misdelivered += [fired, over].filter((arrival) => !isDeliveredAsExpected(arrival, how)).length;
      if (fired && over && over.index < fired.index) result.disordered += 1;
    }
  }
  result.wrong += await countInconsistent(rows);
  return result;
}

/** The received texts by sensor and value: which request brought the text first, and under which ids. */
function arrivalsIn(received) {
  const arrivals = new Map();
  for (const [index, { text, id }] of received.entries()) {
    const key = text
      ?.split(' ')
      .slice(0, text.startsWith(PREFIX) ? 3 : 2)
      .join(' ');
    const known = arrivals.get(key) ?? { index, ids: new Set() };
    arrivals.set(key, { index: known.index, ids: known.ids.add(id) });
  }
  return arrivals;
}

function isDeliveredAsExpected(arrival, how) {
  return (arrival?.ids.size ?? 0) === (how === 'muted' ? 0 : 1);
}

function isAsExpected({ is_lasting, episode_id, resolved_by, muted, acknowledged_ms }, how) {
  return (
    !is_lasting &&
    episode_id === null &&
    resolved_by === (how === 'user' ? 'user' : 'data') &&
    Boolean(muted) === (how === 'muted') &&
    (acknowledged_ms !== null) === (how === 'acknowledged')
  );
}

/**
 * Counts episodes, of all triggers, that are open by their firing and not by their sensor trigger, or the other way
 * round.
 */
async function countInconsistent(rows) {
  const [{ n }] = await rows(
    `SELECT (SELECT COUNT(*) FROM firings f JOIN sensor_triggers st ON st.id = f.sensor_trigger_id WHERE f.is_lasting AND NOT
               (IF(f.reason = 'expression', st.episode_ms, st.inactivity_episode_ms) <=> f.fired_ms))
          + (SELECT COUNT(*) FROM sensor_triggers st WHERE st.episode_ms IS NOT NULL AND NOT EXISTS (SELECT 1 FROM firings f
               WHERE f.sensor_trigger_id = st.id AND f.fired_ms = st.episode_ms AND f.is_lasting)) AS n`,
  );
  return Number(n);
}
