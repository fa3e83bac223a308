import { Op, type Transaction } from 'sequelize';
import type { ModelEdit } from '../../access/rule-edit';
import { lockSensors } from '../../access/sensor-lock';
import type { EventLog } from '../../events/event-log';
import { Conflict } from '../../platform/errors';
import { FLEET_SERVICE } from '../../points';
import { ConnectedSensor } from '../../storage/models/connected-sensor.model';
import { SENSOR_TYPE, Sensor } from '../../storage/models/sensor.model';
import { Service } from '../../storage/models/service.model';
import type { RunSql } from '../../storage/transaction';
import { resetSensorType } from '../virtual-sensors/sensor-connections';

const MAX_FLEETS = 20;

export function isFleet({ name }: { name: string }): boolean {
  return name === FLEET_SERVICE;
}

/** For a new service, whose transaction has locked a row of the owner. Throws Conflict for too many. */
export async function createFleet(run: RunSql, { id, ownerId }: { id: number; ownerId: number }): Promise<void> {
  await run("INSERT INTO fleets (service_id, owner_id, members) VALUES (?, ?, '')", [id, ownerId]);
  const [row] = await run('SELECT COUNT(*) AS total FROM fleets WHERE owner_id = ?', [ownerId]);
  if (Number(row?.total) > MAX_FLEETS) throw new Conflict(`a user has at most ${MAX_FLEETS} fleets`);
}

/** Call after a change of inputs, in its transaction: the next summary compares the members with them. */
export async function markFleets(run: RunSql, serviceIds: readonly number[]): Promise<void> {
  if (serviceIds.length > 0) await run('UPDATE fleets SET next_due_ms = 0 WHERE service_id IN (?)', [serviceIds]);
}

/** Those whose members follow a selector. */
export async function selectingFleets(run: RunSql, serviceIds: readonly number[]): Promise<Set<number>> {
  if (serviceIds.length === 0) return new Set();
  const rows = await run('SELECT service_id AS id FROM fleets WHERE selects AND service_id IN (?)', [serviceIds]);
  return new Set(rows.map(({ id }) => Number(id)));
}

/** Throws Conflict if the members follow a selector, so that no one connects or disconnects them. */
export async function requireNoSelector(run: RunSql, serviceId: number): Promise<void> {
  if ((await selectingFleets(run, [serviceId])).size === 0) return;
  throw new Conflict(`the filter of the service ${serviceId} selects its sensors: change their metatags or the filter`);
}

/** Throws Conflict for the sensor of another user, or if the members follow a selector. */
export async function requireMayJoin(run: RunSql, serviceId: number, isOwner: boolean): Promise<void> {
  if (!isOwner) throw new Conflict('a fleet has only your own sensors');
  await requireNoSelector(run, serviceId);
}

interface Members {
  serviceId: number;
  sensorIds: readonly number[];
}

/** The transaction has locked the sensors and named them to the edit. */
export async function joinMembers(
  { run, transaction }: ModelEdit,
  { serviceId, sensorIds, field, nowMs }: Members & { field: string; nowMs: number },
): Promise<void> {
  if (sensorIds.length === 0) return;
  const fields = JSON.stringify([field]);
  await run('INSERT INTO service_inputs (service_id, sensor_id, data_fields) VALUES ?', [
    sensorIds.map((sensorId) => [serviceId, sensorId, fields]),
  ]);
  // The owner may have connected some of them before.
  await run('INSERT IGNORE INTO connected_sensors (sensor_id, used_sensor_id, created_ms) VALUES ?', [
    sensorIds.map((sensorId) => [serviceId, sensorId, nowMs]),
  ]);
  const isOther = { id: serviceId, type: { [Op.ne]: SENSOR_TYPE.virtual } };
  await Sensor.update({ type: SENSOR_TYPE.virtual }, { where: isOther, transaction });
  await markFleets(run, [serviceId]);
}

/** The transaction has locked the sensors and named them to the edit. */
export async function dropMembers({ run }: ModelEdit, { serviceId, sensorIds }: Members): Promise<void> {
  if (sensorIds.length === 0) return;
  await run('DELETE FROM service_inputs WHERE service_id = ? AND sensor_id IN (?)', [serviceId, sensorIds]);
  await run('DELETE FROM connected_sensors WHERE sensor_id = ? AND used_sensor_id IN (?)', [serviceId, sensorIds]);
  await markFleets(run, [serviceId]);
}

/** The virtual sensor and its data stay, as a plain sensor. */
export async function deleteFleet(
  edit: ModelEdit,
  events: EventLog,
  { serviceId, userId }: { serviceId: number; userId: number },
): Promise<void> {
  const { run, transaction } = edit;
  await lockSensors([serviceId], transaction);
  await edit.affects({ from: 'service_inputs', sensorId: 'sensor_id', column: 'service_id', ids: [serviceId] });
  await events.raise(transaction, { name: 'remove_sensor_service', subjectId: serviceId, sourceId: serviceId, userId });
  await Service.destroy({ where: { id: serviceId }, transaction });
  await run('DELETE FROM connected_sensors WHERE sensor_id = ?', [serviceId]);
  await resetSensorType([serviceId], transaction);
}

/** The sensors that use one, directly or through others. Each is locked before it is read, as in `allUsedBy`. */
export async function allUsing(sensorId: number, transaction: Transaction): Promise<Set<number>> {
  const found = new Set<number>();
  let next = [sensorId];
  while (next.length > 0) {
    await lockSensors(next, transaction);
    const rows = await ConnectedSensor.findAll({ where: { usedSensorId: next }, transaction, raw: true });
    next = rows.map(({ sensorId: id }) => id).filter((id) => !found.has(id));
    for (const id of next) found.add(id);
  }
  return found;
}
