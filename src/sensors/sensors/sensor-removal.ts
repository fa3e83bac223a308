import { Op } from 'sequelize';
import { markSensorCountChange } from '../../access/own-sensor-counts';
import type { ModelEdit } from '../../access/rule-edit';
import { lockSensors } from '../../access/sensor-lock';
import { type DeliveredEnds, forgetDecisions } from '../../alerts';
import { actAsClosedAccount } from '../../audit';
import type { EventLog, NewEvent } from '../../events/event-log';
import { leaveGroupsOfSensors } from '../../people';
import { ConnectedSensor } from '../../storage/models/connected-sensor.model';
import { DeletedThing } from '../../storage/models/deleted-thing.model';
import { Sensor } from '../../storage/models/sensor.model';
import { resetSensorType } from '../virtual-sensors/sensor-connections';
import { deleteUnfedServices } from '../virtual-sensors/unfed-services';

/** The sensors to delete. */
export interface SensorRemoval {
  userId: number;
  sensorIds: readonly number[];
  nowMs: number;
  /** Nobody acts: what groups lose is recorded under the name of the account. */
  isOfClosedAccount?: true;
  /** Further events of the deletion. */
  consequences?: (sensorIds: readonly number[]) => Promise<NewEvent[]>;
  /** The virtual sensors to keep, among those that use the sensors; by default all. */
  survivors?: (virtualIds: readonly number[]) => Promise<number[]>;
}

/**
 * Deletes sensors with all connections, in the caller's transaction; data and history go to the purge. Episodes end;
 * virtual sensors and services continue without them. Returns the number of deleted sensors.
 */
export async function deleteSensors(
  { events, ends }: { events: EventLog; ends: DeliveredEnds },
  { userId, sensorIds, nowMs, isOfClosedAccount, consequences, survivors }: SensorRemoval,
  edit: ModelEdit,
): Promise<number> {
  const { transaction } = edit;
  // The lock keeps other transactions from connecting them, and shows which ones were deleted meanwhile.
  const ids = (await lockSensors(sensorIds, transaction)).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await edit.affects({ sensorIds: ids });
  await ends.end(edit, { sensorIds: ids });
  const deleted = ids.map((subjectId) => ({ name: 'delete_sensor' as const, subjectId, userId }));
  await events.raise(transaction, [...deleted, ...((await consequences?.(ids)) ?? [])]);
  const entries = ids.map((thingId) => ({ kind: 'sensor' as const, thingId, ownerId: userId, createdMs: nowMs }));
  await DeletedThing.bulkCreate(entries, { ignoreDuplicates: true, transaction });
  await forgetDecisions(userId, ids, nowMs, transaction);
  const where = { usedSensorId: ids, sensorId: { [Op.notIn]: ids } };
  const connections = await ConnectedSensor.findAll({ where, transaction, raw: true });
  const virtualIds = [...new Set(connections.map(({ sensorId }) => sensorId))];
  const left = survivors && virtualIds.length > 0 ? await survivors(virtualIds) : virtualIds;
  const leave = () => leaveGroupsOfSensors(ids, transaction);
  await (isOfClosedAccount ? actAsClosedAccount(userId, nowMs, leave) : leave());
  const count = await Sensor.destroy({ where: { id: ids }, transaction });
  await markSensorCountChange(userId, transaction);
  if (left.length > 0) await resetSensorType(left, transaction);
  await deleteUnfedServices(left, edit);
  return count;
}
