import { Op, QueryTypes, type Transaction } from 'sequelize';
import type { RemovalStep } from '../../access/removal-step';
import type { ModelEdit } from '../../access/rule-edit';
import { type DeliveredEnds, endSome } from '../../alerts';
import type { EventLog, NewEvent } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { partsByWeight } from '../../platform/parts-of';
import type { Database } from '../../storage';
import { Device } from '../../storage/models/device.model';
import { Environment } from '../../storage/models/environment.model';
import { EnvironmentSensor } from '../../storage/models/environment-sensor.model';
import { GroupSensor } from '../../storage/models/group-sensor.model';
import { Metatag } from '../../storage/models/metatag.model';
import { Note } from '../../storage/models/note.model';
import { Sensor } from '../../storage/models/sensor.model';
import { SensorUser } from '../../storage/models/sensor-user.model';
import { ServiceExample } from '../../storage/models/service-example.model';
import { TrainingJob } from '../../storage/models/training-job.model';
import type { RunSql } from '../../storage/transaction';
import { deleteSensors } from './sensor-removal';

const SENSORS_PER_STEP = 100;
const ROWS_PER_STEP = 1_000;

/** Shared sensors, sensors in a group, and sensors that another user's virtual sensor uses. */
const SEEN_BY_OTHERS = `SELECT s.id FROM sensors s WHERE s.owner_id = ? AND (
    EXISTS (SELECT 1 FROM sensor_users u WHERE u.sensor_id = s.id)
    OR EXISTS (SELECT 1 FROM group_sensors g WHERE g.sensor_id = s.id)
    OR EXISTS (SELECT 1 FROM connected_sensors c JOIN sensors v ON v.id = c.sensor_id AND v.owner_id <> s.owner_id
               WHERE c.used_sensor_id = s.id))
  ORDER BY s.id LIMIT ${SENSORS_PER_STEP}`;
const ALL = `SELECT s.id FROM sensors s WHERE s.owner_id = ? ORDER BY s.id LIMIT ${SENSORS_PER_STEP}`;

/** Removes sensors, shares, devices and environments, and raises their events. */
export class SensorsOfClosedAccounts {
  constructor(
    private readonly database: Database,
    private readonly effects: { events: EventLog; ends: DeliveredEnds },
    private readonly clock: Clock,
  ) {}

  /** Sensors that other users see. */
  readonly seenByOthers: RemovalStep = (userId, edit) => this.deleteSome(SEEN_BY_OTHERS, userId, edit);

  readonly all: RemovalStep = (userId, edit) => this.deleteSome(ALL, userId, edit);

  readonly shares: RemovalStep = async (userId, { transaction }) => {
    const find = { where: { userId }, limit: ROWS_PER_STEP, transaction, lock: transaction.LOCK.UPDATE };
    const shares = await SensorUser.findAll(find);
    const sensorIds = shares.map(({ sensorId }) => sensorId);
    const left = { name: 'remove_sensor_user' as const, subjectId: userId, userId };
    await this.effects.events.raise(
      transaction,
      sensorIds.map((sourceId) => ({ ...left, sourceId })),
    );
    return (await SensorUser.destroy({ where: { userId, sensorId: sensorIds }, transaction })) > 0;
  };

  readonly places: RemovalStep = async (ownerId, edit) => {
    const { transaction } = edit;
    const devices = await Device.destroy({ where: { ownerId }, limit: ROWS_PER_STEP, transaction });
    if (devices > 0) return true;
    const environments = await Environment.findAll({
      where: { ownerId },
      order: ['id'],
      limit: SENSORS_PER_STEP,
      transaction,
    });
    const environmentId = environments.map(({ id }) => id);
    await edit.affects({ ownerId });
    const places = await EnvironmentSensor.destroy({ where: { environmentId }, limit: ROWS_PER_STEP, transaction });
    if (places === ROWS_PER_STEP) return true;
    return (await Environment.destroy({ where: { id: environmentId }, transaction })) > 0;
  };

  private async deleteSome(sql: string, userId: number, edit: ModelEdit): Promise<boolean> {
    const { transaction } = edit;
    const options = { replacements: [userId], type: QueryTypes.SELECT as const, transaction };
    const found = await this.database.sequelize.query<{ id: number }>(sql, options);
    if (found.length === 0) return false;
    const sensorIds = await firstSensors(
      edit.run,
      found.map(({ id }) => id),
    );
    if (await hasManyRows(sensorIds, transaction)) return true;
    if ((await endSome(edit, this.effects.ends, { of: { sensorIds } })) !== undefined) return true;
    const consequences = (ids: readonly number[]) => departuresFromGroups(userId, ids, transaction);
    const survivors = (virtualIds: readonly number[]) => notOwnedBy(userId, virtualIds, transaction);
    const removal = {
      userId,
      sensorIds,
      nowMs: this.clock.now(),
      isOfClosedAccount: true as const,
      consequences,
      survivors,
    };
    await deleteSensors(this.effects, removal, edit);
    return true;
  }
}

/** Those whose triggers and notifications fit in one transaction: one at least. */
async function firstSensors(run: RunSql, sensorIds: readonly number[]): Promise<number[]> {
  const rows = await run(
    `SELECT st.sensor_id AS id, COUNT(*) AS count FROM sensor_triggers st
       LEFT JOIN sensor_trigger_notifications stn ON stn.sensor_trigger_id = st.id
     WHERE st.sensor_id IN (?) GROUP BY st.sensor_id`,
    [sensorIds],
  );
  const connections = new Map(rows.map(({ id, count }) => [Number(id), Number(count)]));
  return partsByWeight(sensorIds, (id) => 1 + (connections.get(id) ?? 0), ROWS_PER_STEP)[0] ?? [];
}

async function hasManyRows(sensorIds: readonly number[], transaction: Transaction): Promise<boolean> {
  const [ids, limit] = [[...sensorIds], ROWS_PER_STEP];
  return (
    (await ServiceExample.destroy({ where: { serviceId: ids }, limit, transaction })) === limit ||
    (await TrainingJob.destroy({ where: { serviceId: ids }, limit, transaction })) === limit ||
    (await Metatag.destroy({ where: { sensorId: ids }, limit, transaction })) === limit ||
    (await Note.destroy({ where: { sensorId: ids }, limit, transaction })) === limit
  );
}

async function departuresFromGroups(
  userId: number,
  sensorIds: readonly number[],
  transaction: Transaction,
): Promise<NewEvent[]> {
  const where = { sensorId: [...sensorIds] };
  const rows = await GroupSensor.findAll({ where, order: ['groupId', 'sensorId'], transaction });
  return rows.map(({ sensorId, groupId }) => ({
    name: 'remove_group_sensor',
    subjectId: sensorId,
    sourceId: groupId,
    userId,
  }));
}

/** Own virtual sensors will be deleted, so they need no repair. */
async function notOwnedBy(userId: number, sensorIds: readonly number[], transaction: Transaction): Promise<number[]> {
  const where = { id: [...sensorIds], ownerId: { [Op.ne]: userId } };
  const sensors = await Sensor.findAll({ attributes: ['id'], where, transaction, raw: true });
  return sensors.map(({ id }) => id);
}
