import { valueKey } from '../../src/access/metatags';
import { dueBucketOf } from '../../src/storage/due-buckets';
import type { SimulatedDatabase } from './database/simulated-database';
import type { Row } from './database/sql-syntax';
import { Blocked } from './database/transaction';
import type { Random } from './random';
import { addressOf, BEHAVIOURS } from './receivers';
import { type Add, addRow, OWNER_ID } from './scenario';
import { buildClient, type ClientPlan } from './upload-plans';
import type { World } from './world';

/** The trigger whose alerts hold those of the other one, on another sensor with the same metatag `kind`. */
export const PARENT_ID = 8;
export const CHILD_ID = 9;
const PARENT_SENSOR_ID = 11;
const CHILD_SENSOR_IDS = [12, 13, 14];
const FIRST_NOTIFICATION_ID = 51;
const PARENT_PAIR_ID = 1_000;

/** True for firings and deliveries that `verdict/dependencies.ts` judges. */
export function isDependency({ trigger_id }: Row): boolean {
  return trigger_id === PARENT_ID || trigger_id === CHILD_ID;
}

/** What depends on what in a simulation. */
export interface Dependents {
  notificationIds: number[];
  waitS: number;
  notifyResolved: boolean;
  clients: ClientPlan[];
}

/** Adds sensors whose alerts are held by that of another sensor. The parent has no notifications. */
export function buildDependents(random: Random, database: SimulatedDatabase, nowMs: number): Dependents {
  const add: Add = (table, row) => addRow(database, table, row, nowMs);
  const notificationIds = Array.from({ length: random.between(1, 3) }, (_, index) => FIRST_NOTIFICATION_ID + index);
  for (const id of notificationIds) {
    const destination = addressOf(random.pick(BEHAVIOURS.filter((behaviour) => behaviour !== 'broken')));
    const row = { owner_id: OWNER_ID, type: 'url', text: 'held', destination, signing_secret: 'whsec_c2VjcmV0' };
    add('notifications', { id, ...row, created_ms: nowMs });
  }
  const waitS = random.pick([0, 0, 5, 20]);
  const notifyResolved = random.chance(0.5);
  const rule = { owner_id: OWNER_ID, created_ms: nowMs, hold: 0, repeat_after: 0 };
  add('triggers', { id: PARENT_ID, name: 'parent', expression: 'sensor_data_value > 50', ...rule });
  const expression = `sensor_data_value > ${random.pick([0, 30, 60])}`;
  const dependency = { parent_id: PARENT_ID, parent_label: 'kind', parent_wait_s: waitS };
  const child = { id: CHILD_ID, name: 'child', expression, notify_resolved: notifyResolved ? 1 : 0 };
  add('triggers', { ...child, ...rule, ...dependency });
  for (const id of notificationIds)
    add('trigger_notifications', { trigger_id: CHILD_ID, notification_id: id, after_s: 0 });
  const sensorIds = [PARENT_SENSOR_ID, ...CHILD_SENSOR_IDS];
  for (const [index, id] of sensorIds.entries()) {
    const data = { data_type: 'float', data_structure: '', use_data_storage: 1 };
    add('sensors', { id, owner_id: OWNER_ID, name: `sensor ${id}`, ...data, created_ms: nowMs });
    const tag = { namespace: 'default', name: 'kind', position: 0, owner_id: OWNER_ID, value: '"warm"' };
    add('metatags', { sensor_id: id, ...tag, value_key: valueKey('warm') });
    const trigger_id = id === PARENT_SENSOR_ID ? PARENT_ID : CHILD_ID;
    const pair = { id: PARENT_PAIR_ID + index, sensor_id: id, due_bucket: dueBucketOf(id), trigger_id };
    add('sensor_triggers', {
      ...pair,
      created_ms: nowMs,
      inactive_since_ms: null,
      due_at_ms: null,
      muted_until_ms: null,
    });
  }
  const clients = sensorIds.flatMap((id) => [buildClient(random, id), buildClient(random, id)]);
  return { notificationIds, waitS, notifyResolved, clients };
}

/** Mutes the parent now and then, and removes and restores the dependency. */
export async function runDependencyEditor(world: World, untilMs: number): Promise<void> {
  for (let isDependent = true; ; ) {
    await world.scheduler.sleep(world.random.between(5_000, 60_000));
    if (world.nowMs > untilMs) return;
    if (world.random.chance(0.5)) {
      isDependent = !isDependent;
      const parentId = isDependent ? PARENT_ID : null;
      await edit(world, 'UPDATE triggers SET parent_id = ? WHERE id = ?', [parentId, CHILD_ID]);
    } else {
      const mutedMs = world.random.chance(0.5) ? world.nowMs + world.random.between(1_000, 60_000) : null;
      await edit(world, 'UPDATE sensor_triggers SET muted_until_ms = ? WHERE id = ?', [mutedMs, PARENT_PAIR_ID]);
    }
  }
}

async function edit(world: World, sql: string, values: (number | null)[]): Promise<void> {
  const transaction = world.database.begin('owner', world.nowMs);
  try {
    world.database.run(sql, values, transaction);
    world.database.run('UPDATE partitions SET state_epoch = state_epoch + 1', [], transaction);
    world.database.commit(transaction, world.nowMs);
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    world.database.rollback(transaction);
  }
}
