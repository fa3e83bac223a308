import type { RowDataPacket } from 'mysql2/promise';
import type { Attributes } from 'sequelize';
import { requireRight } from '../../access/group-access';
import { markSensorCountChange } from '../../access/own-sensor-counts';
import { editRules, type ModelEdit } from '../../access/rule-edit';
import type { SensorAccess } from '../../access/sensor-access';
import { markSensorChange } from '../../access/sensor-changes';
import type { SensorFilter, SensorList } from '../../access/sensor-list';
import { findSensors } from '../../access/sensor-lock';
import { type ShownUser, showUsers } from '../../access/shown-users';
import type { DeliveredEnds } from '../../alerts';
import { findSensorStates, type StateNow } from '../../alerts';
import type { Page, PageOf } from '../../edge/paging';
import type { EventLog } from '../../events/event-log';
import { refuseShare } from '../../people';
import type { Clock } from '../../platform/clock';
import { Forbidden, InvalidInput, NotFound } from '../../platform/errors';
import type { RetentionDays } from '../../platform/retention';
import type { Database } from '../../storage';
import { chargeAnswer } from '../../storage/cancellation';
import { Sensor } from '../../storage/models/sensor.model';
import { SensorUser } from '../../storage/models/sensor-user.model';
import { User } from '../../storage/models/user.model';
import { inTransaction } from '../../storage/transaction';
import { requireWindowsKept } from './kept-windows';
import type { ListedSensor } from './listed-sensors';
import { findSensorDetails } from './sensor-details';
import { findOwners } from './sensor-owners';
import { deleteSensors } from './sensor-removal';

/** Maximum number of users of shares on one page. */
const USERS_OF_A_PAGE = 50_000;
/** Approximate, in an answer. */
const BYTES_OF_A_USER = 100;

type SensorColumn =
  | ('name' | 'displayName' | 'deviceType' | 'dataTypeId' | 'pagerType' | 'dataType' | 'dataStructure')
  | ('unit' | 'fieldUnits' | 'expectedInterval' | 'useDataStorage');

export type SensorInput = Partial<Pick<Attributes<Sensor>, SensorColumn>>;

export class SensorsService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly sensorList: SensorList,
    private readonly effects: { events: EventLog; ends: DeliveredEnds },
    private readonly clock: Clock,
    /** Days. */
    private readonly platformDays: RetentionDays,
  ) {}

  /**
   * All that the user may see, or of a group, which requires the right to list its sensors. By id, with a fixed number
   * of statements.
   */
  async list(
    userId: number,
    filter: SensorFilter,
    page: Page,
    { withDetails = false, withStates = false } = {},
  ): Promise<Required<PageOf<ListedSensor>>> {
    if (filter.groupId !== undefined) await requireRight(userId, filter.groupId, 'listSensors');
    const { ids, total } = await this.sensorList.findPage(userId, filter, page);
    const sensors = await findSensors(ids);
    const owners = await findOwners(this.database.pool, userId, sensors);
    // A credential that is limited to sensors does not see who else has access to them.
    const withUsers = filter.shared && filter.reached === undefined;
    const users = withUsers ? await this.usersOf(userId, ids) : undefined;
    const details = withDetails ? await findSensorDetails(userId, sensors) : undefined;
    const states = withStates ? await this.statesOf(userId, ids) : undefined;
    return {
      items: sensors.map((sensor) => ({
        sensor,
        owner: owners.get(sensor.id),
        users: users && (users.get(sensor.id) ?? []),
        details: details?.get(sensor.id),
        now: states?.get(sensor.id),
      })),
      total,
    };
  }

  async find(userId: number, sensorId: number): Promise<ListedSensor> {
    const { sensor } = await this.access.find(userId, sensorId);
    const owner = (await findOwners(this.database.pool, userId, [sensor])).get(sensorId);
    return { ...(await this.withState(userId, sensor)), owner };
  }

  private async withState(userId: number, sensor: Sensor): Promise<ListedSensor> {
    return { sensor, now: (await this.statesOf(userId, [sensor.id])).get(sensor.id) };
  }

  private statesOf(userId: number, sensorIds: readonly number[]): Promise<Map<number, StateNow>> {
    return findSensorStates(this.database.reads, userId, sensorIds, this.clock.now());
  }

  async create(userId: number, fields: SensorInput & { name: string }): Promise<ListedSensor> {
    const created = await inTransaction(this.database.sequelize, async (transaction) => {
      const sensor = await Sensor.create(
        { dataStructure: '', ...fields, ownerId: userId, createdMs: this.clock.now() },
        { transaction },
      );
      await this.effects.events.raise(transaction, { name: 'add_sensor', subjectId: sensor.id, userId });
      await markSensorCountChange(userId, transaction);
      return sensor;
    });
    return this.withState(userId, created);
  }

  /** Throws Conflict if a window needs the stored points. */
  async update(userId: number, sensorId: number, changes: SensorInput): Promise<ListedSensor> {
    const updated = await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      const sensor =
        changes.useDataStorage === false
          ? await this.lockUnneededStorage(userId, sensorId, edit)
          : await this.access.findOwn(userId, sensorId, transaction);
      await edit.affects({ sensorIds: [sensorId] });
      await sensor.update(changes, { transaction });
      await this.effects.events.raise(transaction, { name: 'update_sensor', subjectId: sensorId, userId });
      await markSensorChange(userId, transaction);
      return sensor;
    });
    return this.withState(userId, updated);
  }

  /**
   * Deletes the owner's sensor with every connection at once; the purge deletes data and history. Ends the share of
   * another user, which they then refuse.
   */
  async delete(userId: number, sensorId: number): Promise<void> {
    if ((await this.access.find(userId, sensorId)).isOwner)
      await this.effects.ends.endMost(this.database.sequelize, { of: { sensorIds: [sensorId] } });
    await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      const { sensor, isOwner } = await this.access.find(userId, sensorId, transaction);
      if (!isOwner) {
        const left = { name: 'remove_sensor_user', subjectId: userId, sourceId: sensorId, userId } as const;
        await this.effects.events.raise(transaction, left);
        const shares = await SensorUser.destroy({ where: { sensorId, userId }, transaction });
        if (shares === 0) throw new Forbidden('only the owner may delete the sensor');
        await refuseShare(userId, sensor, this.clock.now(), transaction);
        return;
      }
      const removal = { userId, sensorIds: [sensorId], nowMs: this.clock.now() };
      if ((await deleteSensors(this.effects, removal, edit)) === 0) throw new NotFound('the sensor');
    });
  }

  /** Throws Conflict if a window needs the stored points. */
  private async lockUnneededStorage(userId: number, sensorId: number, edit: ModelEdit): Promise<Sensor> {
    const sensor = await this.access.lockOwn(userId, sensorId, edit.transaction);
    const change = { to: { useDataStorage: false }, field: 'sensor.use_data_storage', platformDays: this.platformDays };
    await requireWindowsKept(edit.run, sensor, change);
    return sensor;
  }

  private async usersOf(userId: number, sensorIds: readonly number[]): Promise<Map<number, ShownUser[]>> {
    if (sensorIds.length === 0) return new Map();
    await this.requireFewUsers(sensorIds);
    const [shares] = await this.database.pool.query<RowDataPacket[]>(
      'SELECT sensor_id AS sensorId, user_id AS userId FROM sensor_users WHERE sensor_id IN (?) ORDER BY sensor_id, user_id',
      [sensorIds],
    );
    const people = await User.findAll({ where: { id: [...new Set(shares.map((share) => Number(share.userId)))] } });
    const byId = new Map((await showUsers(userId, people)).map((user) => [user.id, user]));
    const users = new Map<number, ShownUser[]>();
    for (const share of shares) {
      const user = byId.get(Number(share.userId));
      if (!user) continue;
      const known = users.get(Number(share.sensorId));
      if (known) known.push(user);
      else users.set(Number(share.sensorId), [user]);
    }
    return users;
  }

  /** Before they are read. Throws InvalidInput if there are too many. */
  private async requireFewUsers(sensorIds: readonly number[]): Promise<void> {
    const [[counted]] = await this.database.pool.query<RowDataPacket[]>(
      'SELECT COUNT(*) AS total FROM sensor_users WHERE sensor_id IN (?)',
      [sensorIds],
    );
    const total = Number(counted?.total);
    if (total > USERS_OF_A_PAGE) {
      throw InvalidInput.field('per_page', 'asks for more than 50,000 users at once; ask for fewer per page');
    }
    chargeAnswer(total * BYTES_OF_A_USER);
  }
}
