// Sensors at one point a second with a trigger each: members of a fleet, next to as many that are members of none.
import { setTimeout as sleep } from 'node:timers/promises';
import { create, registered } from './support/client.mjs';
import { connectAll, fillSensors } from './support/fill.mjs';
import { measureRounds } from './support/steady.mjs';

export const name = 'fleets';
export const order = 10;
export const isLong = true;
export const options = { members: 10_000 };

const ALONE = 'one point a second, a trigger each';
const MEMBERS = 'one point a second, a trigger each, all members of a fleet';
const INACTIVE_AFTER_S = 600;

export async function run({ port, pool, rounds, seconds, sizes, costs, log }) {
  const client = await registered(port);
  const groups = [{ what: ALONE }, { what: MEMBERS, against: ALONE }];
  for (const group of groups) {
    const trigger = await create(client, 'trigger', { name: group.what, expression: 'sensor_data_value > 1000' });
    const first = await fillSensors(pool, client.userId, sizes.members);
    await connectAll(pool, { first, count: sizes.members, trigger });
    group.sensors = Array.from({ length: sizes.members }, (_, index) => String(first + index));
    if (group.against) group.fleet = await buildFleet({ client, pool, log }, { first, count: sizes.members, trigger });
  }
  const rows = await measureRounds({ port, pool, client, seconds, costs, rounds, log }, groups, ({ fleet }) =>
    fleet ? () => untilFolded(pool, fleet) : undefined,
  );
  await client.close();
  return rows.list();
}

/** A fleet over these sensors, once all of them have joined it. */
async function buildFleet({ client, pool, log }, { first, count, trigger }) {
  await pool.query("UPDATE sensors SET device_type = 'member' WHERE id >= ? AND id < ?", [first, first + count]);
  const statement = { sensor_property: 'device_type', operator: 'equal', value: 'member' };
  const filter = { filter: { sensor_statement_groups: [[statement]] } };
  const given = { name: 'fleet_service', filter, silent_after: INACTIVE_AFTER_S, trigger_id: String(trigger) };
  const { service } = await client.post(`/sensors/${first}/services`, { service: given });
  const started = performance.now();
  const sql = `SELECT LENGTH(members) / 32 AS members, next_due_ms AS nextDueMs FROM fleets WHERE service_id = ?`;
  for (;;) {
    const [[fleet]] = await pool.query(sql, [service.id]);
    if (Number(fleet.members) === count && Number(fleet.nextDueMs) !== 0) break;
    await sleep(200);
  }
  log(`  ${count} sensors have joined the fleet within ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return service.id;
}

async function untilFolded(pool, fleet) {
  for (;;) {
    const [[{ changes }]] = await pool.query('SELECT COUNT(*) AS changes FROM fleet_changes WHERE service_id = ?', [
      fleet,
    ]);
    if (Number(changes) === 0) return;
    await sleep(50);
  }
}
