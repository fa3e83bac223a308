import type { SimulatedDatabase } from './database/simulated-database';
import type { Value } from './database/sql-syntax';
import type { Random } from './random';
import { type Add, addRow, OWNER_ID } from './scenario';
import { buildClient, type ClientPlan } from './upload-plans';

export const FLEET_ID = 31;
export const MEMBER_IDS = [32, 33, 34, 35];
const SETTINGS = { filter: null, field: 'value', inactiveAfter: 0, triggerId: 0 };

/** A fleet whose owner has connected its members, and their uploads. */
export function buildFleet(random: Random, database: SimulatedDatabase, nowMs: number): ClientPlan[] {
  const add: Add = (table, row) => addRow(database, table, row, nowMs);
  for (const id of [FLEET_ID, ...MEMBER_IDS]) {
    const data = { data_type: id === FLEET_ID ? 'json' : 'float', data_structure: '', use_data_storage: 1 };
    add('sensors', { id, owner_id: OWNER_ID, name: `sensor ${id}`, ...data, created_ms: nowMs });
  }
  const service = { id: FLEET_ID, name: 'fleet_service', memory: 'null', created_ms: nowMs };
  add('services', { ...service, settings: JSON.stringify(SETTINGS) });
  for (const id of MEMBER_IDS) add('service_inputs', { service_id: FLEET_ID, sensor_id: id, data_fields: '["value"]' });
  const members = Buffer.alloc(0) as unknown as Value; // only the platform reads it
  add('fleets', { service_id: FLEET_ID, owner_id: OWNER_ID, members });
  return MEMBER_IDS.flatMap((id) => [buildClient(random, id), buildClient(random, id)]);
}
