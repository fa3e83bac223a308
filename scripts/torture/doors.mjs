// Doors that report once when they open and once when they close: the clock decides on everything else.
import { setTimeout as sleep } from 'node:timers/promises';
import { latestInTime } from './lateness.mjs';

const HOLD_SECONDS = 20;
const KEEP_FIRING_SECONDS = 7;
const MINUTE_MS = 60_000;

/** Creates the doors and their trigger. */
export async function prepareDoors(client, count = 6) {
  const trigger = (
    await client.post('/triggers', {
      trigger: {
        name: 'door open',
        expression: 'sensor_data_value == 1',
        hold: HOLD_SECONDS,
        keep_firing_for: KEEP_FIRING_SECONDS,
        repeat: 0,
      },
    })
  ).trigger.id;
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { id } = (await client.post('/sensors', { sensor: { name: `door ${index}` } })).sensor;
      await client.post(`/sensors/${id}/triggers`, { trigger: { id: trigger } });
      return { id, trigger, kind: 'door', sent: 0 };
    }),
  );
}

/** Opens a door, waits for the firing, closes the door, waits for the end of the episode, repeatedly. */
export async function useDoor(client, door, isOver) {
  const path = `/sensors/${door.id}`;
  const until = async (state) => {
    while (!isOver()) {
      if ((await client.get(`${path}/triggers/${door.trigger}`)).trigger.state === state) return;
      await sleep(500);
    }
  };
  const report = async (value) => {
    await client.post(`${path}/data`, { data: [{ value }] });
    door.sent += 1;
  };
  while (!isOver()) {
    await report(1);
    await until('firing');
    await report(0);
    await until('ok');
  }
  await client.put(`${path}/trigger/${door.trigger}`, { trigger: { active: false } });
}

/** The delay of each firing and of each end after its due time, in ms; points have the dates of their arrivals. */
export async function judgeDoors(rows, doors, incidents, stalls) {
  const result = { late: [], early: 0, tooLate: 0, remarks: [] };
  const judge = (id, what, atMs, dueMs) => {
    result.late.push(atMs - dueMs);
    if (atMs < dueMs) result.early += 1;
    if (atMs <= latestInTime(dueMs, incidents) + stalls.allowance(dueMs, atMs)) return;
    result.tooLate += 1;
    result.remarks.push(`door ${id} ${what} ${atMs - dueMs} ms late`);
  };
  for (const { id } of doors) {
    const points = await rows('SELECT date_ms AS ms, value FROM data_points WHERE sensor_id = ? ORDER BY date_ms', [
      id,
    ]);
    const firings = await rows(
      `SELECT fired_ms AS firedMs, ended_ms AS endedMs, resolved_by AS resolvedBy FROM firings
       WHERE sensor_id = ? ORDER BY id`,
      [id],
    );
    for (const [index, { firedMs, endedMs, resolvedBy }] of firings.entries()) {
      // A point may have been sent again: the first of equal ones counts.
      const closedBefore = points.findLast(({ ms, value }) => value === '0' && ms <= firedMs)?.ms ?? 0;
      const opened = points.find(({ ms, value }) => value === '1' && ms > closedBefore);
      const minuteMs = index === 0 ? 0 : firings[index - 1].firedMs + MINUTE_MS;
      if (opened) judge(id, 'fired', firedMs, Math.max(opened.ms + HOLD_SECONDS * 1000, minuteMs));
      const closed = points.find(({ ms, value }) => value === '0' && ms > firedMs);
      if (closed && resolvedBy === 'data') judge(id, 'ended', endedMs, closed.ms + KEEP_FIRING_SECONDS * 1000);
    }
  }
  return result;
}
