// Alerts with a notification that gets a firing only if its episode lasts: the episodes are acknowledged, resolved, and
// ended by data within milliseconds of that time.
import { setTimeout as sleep } from 'node:timers/promises';
import { latestInTime } from './lateness.mjs';
import { randomSource } from './random.mjs';

const AFTER_SECONDS = 5;
const PREFIX = 'escalation';
const SEEN_WITHIN_MS = 120_000;
const POLL_MS = 200;
/** What happens about when the notification is due, with weights; `nothing` until it is over. */
const HOW = [
  ['acknowledge', 5],
  ['resolve', 2],
  ['data', 2],
  ['nothing', 2],
];
/** How far from that time, in ms: the second one is sure to be before it, if nothing fails. */
const CLOSE = [-40, 40];
const EARLIER = [-3_000, 0];
const PAST_MS = 2_500;

/** Creates the trigger and its sensors, each with a notification that gets a firing at once, and one that waits. */
export async function prepareEscalations(client, urls, count = 8) {
  const { trigger } = await client.post('/triggers', {
    trigger: { name: PREFIX, expression: 'sensor_data_value % 2 == 1', repeat: 0, notify_resolved: true },
  });
  const make = async (index) => {
    const { id } = (await client.post('/sensors', { sensor: { name: `${PREFIX} ${index}` } })).sensor;
    const path = `/sensors/${id}/triggers/${trigger.id}`;
    await client.post(`/sensors/${id}/triggers`, { trigger: { id: trigger.id } });
    const notify = async (after) => {
      const { notification } = await client.post('/notifications', {
        notification: { type: 'url', destination: urls.steady, text: `${PREFIX} $sensor_id $sensor_data_value` },
      });
      await client.post(`${path}/notifications`, { notification: { id: notification.id, after } });
      return notification.id;
    };
    const [first, late] = [await notify(0), await notify(AFTER_SECONDS)];
    return { id, index, kind: PREFIX, path, trigger: trigger.id, first, late, sent: 0, cycles: [], isStuck: false };
  };
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}

/** Lets an episode begin and end, cycle by cycle, until `isOver()`. */
export async function escalate(client, alert, isOver) {
  const random = randomSource(alert.index + 1);
  while (!isOver() && !alert.isStuck) {
    // Without this reset the trigger could not fire again for a minute.
    await client.put(alert.path, { trigger: { last_triggered: 0 } });
    await report(client, alert);
    const cycle = { value: alert.sent, how: random.pick(HOW), calmedMs: Number.POSITIVE_INFINITY };
    alert.cycles.push(cycle);
    const firing = await untilFiring(client, alert);
    if (!firing) return;
    const dueMs = firing.date * 1000 + AFTER_SECONDS * 1000;
    const offsetMs =
      cycle.how === 'nothing'
        ? PAST_MS
        : random.between(
            ...random.pick([
              [CLOSE, 3],
              [EARLIER, 1],
            ]),
          );
    await sleep(Math.max(0, dueMs + offsetMs - Date.now()));
    await calm(client, cycle, firing.id);
    await report(client, alert);
    await untilState(client, alert, (state) => state === 'ok');
    cycle.calmedMs = Math.min(cycle.calmedMs, Date.now());
  }
}

/** The next value, without a date: odd ones fire. */
async function report(client, alert) {
  alert.sent += 1;
  await client.post(`/sensors/${alert.id}/data`, { data: [{ value: alert.sent }] });
}

/** Acknowledges or resolves the episode, and records when that was answered. */
async function calm(client, cycle, firingId) {
  if (cycle.how !== 'acknowledge' && cycle.how !== 'resolve') return;
  // Repeated after a lost answer, it may find that the episode has ended.
  await client.post(`/firings/${firingId}/${cycle.how}`).catch((error) => {
    if (!String(error).includes('409')) throw error;
  });
  cycle.calmedMs = Date.now();
}

async function untilFiring(client, alert) {
  if (!(await untilState(client, alert, (state) => state === 'firing'))) return undefined;
  const { firings } = await client.get(`/firings?state=firing&sensor_id=${alert.id}`);
  return firings[0];
}

async function untilState(client, alert, isReached) {
  const untilMs = Date.now() + SEEN_WITHIN_MS;
  while (!isReached((await client.get(alert.path)).trigger.state)) {
    alert.isStuck = Date.now() > untilMs; // the verdict counts it
    if (alert.isStuck) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/**
 * Each episode fires once. The notification that waits gets it once and in time, unless the episode was acknowledged or
 * ended by then; and it gets the end only if it got the firing.
 */
export async function judgeEscalations(rows, alerts, received, { incidents, stalls }) {
  const result = { sent: 0, calmed: 0, late: [], early: 0, tooLate: 0, wrong: 0, remarks: [] };
  const firstMs = new Map();
  for (const { id, atMs } of received) if (!firstMs.has(id)) firstMs.set(id, atMs);
  for (const alert of alerts) {
    const { id, trigger, cycles, isStuck } = alert;
    if (isStuck) result.wrong += 1;
    const firings = await rows('SELECT * FROM firings WHERE sensor_id = ? AND trigger_id = ? ORDER BY id', [
      id,
      trigger,
    ]);
    const deliveries = await rows(
      `SELECT firing_id AS firingId, notification_id AS notificationId, kind = 'end' AS resolved, webhook_id AS webhookId FROM deliveries
       WHERE sensor_id = ? AND trigger_id = ?`,
      [id, trigger],
    );
    result.wrong += Math.abs(firings.length - cycles.length);
    for (const firing of firings) {
      const value = Number(JSON.parse(firing.variables).sensor_data_value);
      const cycle = cycles.find((one) => one.value === value);
      const own = deliveries.filter(({ firingId }) => firingId === firing.id);
      judgeEpisode(result, alert, { firing, cycle, own, firstMs }, { incidents, stalls });
    }
  }
  return result;
}

function judgeEpisode(result, alert, { firing, cycle, own, firstMs }, { incidents, stalls }) {
  const of = (notification, isEnd) =>
    own.filter((row) => String(row.notificationId) === String(notification) && Boolean(row.resolved) === isEnd);
  const [sent, ...more] = of(alert.late, false);
  const hasEnded = firing.ended_ms === null ? 0 : 1;
  const counts = [of(alert.first, false), of(alert.first, true), of(alert.late, true), more].map((some) => some.length);
  const expected = [1, hasEnded, sent ? hasEnded : 0, 0];
  const dueMs = firing.fired_ms + AFTER_SECONDS * 1000;
  const name = `episode ${firing.id} of sensor ${alert.id} (${cycle?.how})`;
  const calmedMs = cycle?.calmedMs ?? 0; // an episode without a cycle is counted as well
  if (String(counts) !== String(expected) || (sent && calmedMs < dueMs)) {
    result.wrong += 1;
    result.remarks.push(`${name} has the deliveries ${counts}, not ${expected}; calmed ${calmedMs - dueMs} ms late`);
  }
  result[sent ? 'sent' : 'calmed'] += 1;
  const decidedMs = sent ? (firstMs.get(sent.webhookId) ?? Number.POSITIVE_INFINITY) : calmedBy(firing);
  if (sent) result.late.push(decidedMs - dueMs);
  if (sent && decidedMs < dueMs) result.early += 1;
  if (decidedMs <= latestInTime(dueMs, incidents) + stalls.allowance(dueMs, decidedMs)) return;
  result.tooLate += 1;
  result.remarks.push(
    `${name} was ${sent ? 'escalated' : 'calmed without an escalation'} ${decidedMs - dueMs} ms late`,
  );
}

/** When the episode of a firing was acknowledged or ended, whichever was first. */
function calmedBy({ acknowledged_ms, ended_ms }) {
  return Math.min(acknowledged_ms ?? Number.POSITIVE_INFINITY, ended_ms ?? Number.POSITIVE_INFINITY);
}
