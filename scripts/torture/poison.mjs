// A user whose points end the workers that evaluate them, by code that is loaded into the workers.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from './client.mjs';

const POISON = fileURLToPath(new URL('../../test/support/poison.cjs', import.meta.url));
/** The settings of workers for which the text "poison" is one. */
export const POISONED = { NODE_OPTIONS: `--require=${POISON}` };
const BETWEEN_MS = 20_000;
const SEEN_WITHIN_MS = 300_000;
const POLL_MS = 500;

/** Creates the user, with a sensor whose trigger fires for "HOT", and ends the process for "poison". */
export async function preparePoison(apiPorts) {
  const client = await connect(apiPorts);
  const { sensor } = await client.post('/sensors', { sensor: { name: 'poison', data_type: 'string' } });
  const { trigger } = await client.post('/triggers', {
    trigger: { name: 'poison', expression: 'lower(sensor_data_value) == "hot"', repeat: 0 },
  });
  await client.post(`/sensors/${sensor.id}/triggers`, { trigger: { id: trigger.id } });
  return { client, sensor: sensor.id, trigger: trigger.id, sent: 0, isSetAside: false };
}

/** Sends a poisonous point, waits until it is set aside, and sends another one and a harmless one. */
export async function sendPoison(poison, isOver) {
  const { client, sensor, trigger } = poison;
  poison.fromMs = Date.now();
  await client.post(`/sensors/${sensor}/data`, { value: 'poison' });
  poison.sent += 1;
  for (const untilMs = Date.now() + SEEN_WITHIN_MS; !poison.isSetAside && !isOver() && Date.now() < untilMs; ) {
    const { trigger: record } = await client.get(`/sensors/${sensor}/triggers/${trigger}`);
    poison.isSetAside = /set aside/.test(record.last_error);
    await sleep(POLL_MS);
  }
  poison.toMs = Date.now();
  for (let waitedMs = 0; waitedMs < BETWEEN_MS && !isOver(); waitedMs += POLL_MS) await sleep(POLL_MS);
  if (isOver() || !poison.isSetAside) return;
  await client.post(`/sensors/${sensor}/data`, { value: 'poison' });
  await client.post(`/sensors/${sensor}/data`, { value: 'HOT' });
  poison.sent += 2;
}

/**
 * The incident that the poisonous point was: until it is set aside, the other work of its partition waits for workers that
 * it has ended, and for its source to be taken apart.
 */
export function poisonIncidents({ fromMs, toMs } = {}) {
  return toMs === undefined ? [] : [{ what: 'poison', fromMs, toMs }];
}

/** Only this user is set aside, by their points, and the harmless point has fired. */
export async function judgePoison(rows, { sensor, sent }) {
  const setAside = await rows('SELECT kind, thing_id AS id, owner_id AS ownerId, reason FROM quarantine');
  const [{ ownerId }] = await rows('SELECT owner_id AS ownerId FROM sensors WHERE id = ?', [sensor]);
  const others = setAside.filter((row) => row.kind !== 'evaluation' || Number(row.id) !== Number(ownerId));
  const [{ firings }] = await rows('SELECT COUNT(*) AS firings FROM firings WHERE sensor_id = ?', [sensor]);
  return {
    sent,
    others: others.length,
    unfired: sent < 3 || Number(firings) === 1 ? 0 : 1,
    missed: sent > 0 && setAside.length === others.length ? 1 : 0,
    remarks: others.map(({ kind, id, reason }) => `${kind} ${id} was set aside: ${reason}`),
  };
}
