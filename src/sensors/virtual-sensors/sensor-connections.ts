import type { Transaction } from 'sequelize';
import { markSensorChange } from '../../access/sensor-changes';
import { lockSensors } from '../../access/sensor-lock';
import type { EventLog } from '../../events/event-log';
import { Conflict, NotFound } from '../../platform/errors';
import { ConnectedSensor } from '../../storage/models/connected-sensor.model';
import { SENSOR_TYPE, Sensor } from '../../storage/models/sensor.model';

/** `userId` connects or disconnects them. */
export interface Connection {
  virtualId: number;
  usedId: number;
  userId: number;
}

/** Connects in the caller's transaction; the virtual sensor becomes type 2. Idempotent. Throws Conflict for a cycle. */
export async function connectSensor(
  transaction: Transaction,
  events: EventLog,
  { virtualId, usedId, userId, nowMs }: Connection & { nowMs: number },
): Promise<void> {
  if (virtualId === usedId) throw cycle();
  const locked = await lockSensors([virtualId, usedId], transaction);
  const virtual = locked.find(({ id }) => id === virtualId);
  if (!virtual || locked.length < 2) throw new NotFound('the sensor');
  const row = { sensorId: virtualId, usedSensorId: usedId };
  if (await ConnectedSensor.findOne({ where: row, transaction })) return;
  if ((await allUsedBy(usedId, transaction)).has(virtualId)) throw cycle();
  await ConnectedSensor.create({ ...row, createdMs: nowMs }, { transaction });
  await virtual.update({ type: SENSOR_TYPE.virtual }, { transaction });
  const event = { name: 'add_sensor_sensor', subjectId: usedId, sourceId: virtualId, userId } as const;
  await events.raise(transaction, event);
  await markSensorChange(virtual.ownerId, transaction);
}

/** Without used sensors, the virtual sensor becomes plain. Returns false if it was not connected. */
export async function disconnectSensor(
  transaction: Transaction,
  events: EventLog,
  { virtualId, usedId, userId }: Connection,
): Promise<boolean> {
  const [virtual] = await lockSensors([virtualId], transaction);
  const row = await ConnectedSensor.findOne({ where: { sensorId: virtualId, usedSensorId: usedId }, transaction });
  if (!virtual || !row) return false;
  const event = { name: 'remove_sensor_sensor', subjectId: usedId, sourceId: virtualId, userId } as const;
  await events.raise(transaction, event);
  await row.destroy({ transaction });
  await resetSensorType([virtualId], transaction);
  return true;
}

/** Makes virtual sensors without used sensors plain, with a fixed number of statements. */
export async function resetSensorType(virtualIds: readonly number[], transaction: Transaction): Promise<void> {
  const sensors = await lockSensors(virtualIds, transaction);
  const ids = sensors.filter(({ type }) => type === SENSOR_TYPE.virtual).map(({ id }) => id);
  const connections = await ConnectedSensor.findAll({ where: { sensorId: ids }, transaction, raw: true });
  const using = new Set(connections.map(({ sensorId }) => sensorId));
  const plain = sensors.filter(({ id }) => ids.includes(id) && !using.has(id));
  await Sensor.update({ type: SENSOR_TYPE.plain }, { where: { id: plain.map(({ id }) => id) }, transaction });
  const ownerIds = new Set(plain.map(({ ownerId }) => ownerId));
  for (const ownerId of [...ownerIds].sort((a, b) => a - b)) await markSensorChange(ownerId, transaction);
}

/**
 * Directly or through others. Each is locked before it is read: of two connections that would make a cycle, one sees
 * the other.
 */
export async function allUsedBy(sensorId: number, transaction: Transaction): Promise<Set<number>> {
  const found = new Set<number>();
  let next = [sensorId];
  while (next.length > 0) {
    await lockSensors(next, transaction);
    const rows = await ConnectedSensor.findAll({ where: { sensorId: next }, transaction, raw: true });
    next = rows.map(({ usedSensorId }) => usedSensorId).filter((id) => !found.has(id));
    for (const id of next) found.add(id);
  }
  return found;
}

function cycle(): Conflict {
  return new Conflict('a sensor cannot use itself, directly or through others', 'cycle');
}
