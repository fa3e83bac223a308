import type { RowDataPacket } from 'mysql2/promise';
import { literal, Op } from 'sequelize';
import { editRules, type ModelEdit } from '../../access/rule-edit';
import { LARGEST_PAGE, type Page, type PageOf } from '../../edge/paging';
import {
  cancelWaiting,
  findEmptyFieldAmong,
  findNotifications,
  type NotificationsService,
  ownNotificationsSql,
} from '../../notifications';
import { Conflict, NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Firing } from '../../storage/models/firing.model';
import type { Notification } from '../../storage/models/notification.model';
import { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import { SensorTriggerNotification } from '../../storage/models/sensor-trigger-notification.model';
import type { SensorTriggerPair } from '../../storage/models/sensor-trigger-pair';
import { TriggerNotification } from '../../storage/models/trigger-notification.model';
import type { Reader } from '../../storage/read-pool';
import { requireFits } from '../../storage/response-size';
import type { DeliveredEnds } from '../firings/delivered-ends';
import { showLatestPoints } from '../trigger-store/latest-points';
import { pairsOf } from './sensor-trigger-pairs';
import type { SensorTriggersService } from './sensor-triggers.service';

/** A firing causes a delivery for all of them. */
const MAX_NOTIFICATIONS_OF_A_SENSOR_TRIGGER = 20;

export interface NotificationConnection {
  notification: Notification;
  /** Seconds that an episode lasts before the notification gets the firing. */
  afterS: number;
}

export interface ConnectedNotification extends NotificationConnection {
  pair: SensorTriggerPair;
}

/** Without `afterS` it is 0, or stays. */
export interface WantedNotification {
  notificationId: number;
  afterS?: number | undefined;
}

export class TriggerNotificationsService {
  constructor(
    private readonly database: Database,
    private readonly sensorTriggers: SensorTriggersService,
    private readonly notifications: NotificationsService,
    private readonly ends: DeliveredEnds,
  ) {}

  async list(
    userId: number,
    sensorId: number,
    triggerId: number,
    page: Page = LARGEST_PAGE,
  ): Promise<PageOf<NotificationConnection>> {
    const { sensorTrigger } = await this.sensorTriggers.find(userId, sensorId, triggerId);
    const where = { sensorTriggerId: sensorTrigger.id };
    const { items, total } = await findPage(SensorTriggerNotification, { where, order: ['notificationId'] }, page);
    return { items: await connectionsOf(items), total };
  }

  async listAll(userId: number, page: Page): Promise<PageOf<ConnectedNotification>> {
    const where = { notificationId: { [Op.in]: literal(`(${ownNotificationsSql(userId)})`) } };
    const order = ['sensorTriggerId', 'notificationId'];
    const { items: rows, total } = await findPage(SensorTriggerNotification, { where, order }, page);
    await requireFittingValues(this.database.reads, rows);
    const found = await SensorTrigger.findAll({ where: { id: rows.map((row) => row.sensorTriggerId) } });
    await showLatestPoints(this.database.pool, found);
    const pairs = new Map((await pairsOf(this.database.pool, found)).map((pair) => [pair.sensorTrigger.id, pair]));
    const notifications = await findNotifications(rows.map((row) => row.notificationId));
    const byId = new Map(notifications.map((notification) => [notification.id, notification]));
    const items = rows.flatMap(({ sensorTriggerId, notificationId, afterS }) => {
      const pair = pairs.get(sensorTriggerId);
      const notification = byId.get(notificationId);
      return pair && notification ? [{ pair, notification, afterS }] : [];
    });
    return { items, total };
  }

  /**
   * Connects all or none; a connected one changes only `afterS`. `alone` disconnects all others. Throws Conflict for
   * too many.
   */
  async connect(
    userId: number,
    sensorId: number,
    triggerId: number,
    notifications: readonly WantedNotification[],
    { alone = false } = {},
  ): Promise<void> {
    const wanted = new Map(notifications.map(({ notificationId, afterS }) => [notificationId, afterS]));
    await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      // A deletion locks in this order: notifications, then sensor triggers.
      await this.notifications.lockAll(userId, [...wanted.keys()], transaction);
      const { sensorTrigger } = await this.sensorTriggers.find(userId, sensorId, triggerId, transaction);
      const where = { sensorTriggerId: sensorTrigger.id };
      const connections = await SensorTriggerNotification.findAll({ where, transaction });
      const connected = new Set(connections.map(({ notificationId }) => notificationId));
      const others = alone ? [...connected].filter((id) => !wanted.has(id)) : [];
      await this.remove(sensorTrigger, others, edit);
      for (const connection of connections) {
        const afterS = wanted.get(connection.notificationId);
        if (afterS !== undefined) await connection.update({ afterS }, { transaction });
      }
      const added = [...wanted].filter(([notificationId]) => !connected.has(notificationId));
      if (added.length === 0) return;
      if (connected.size - others.length + added.length > MAX_NOTIFICATIONS_OF_A_SENSOR_TRIGGER) throw tooMany();
      const rows = added.map(([notificationId, afterS]) => ({ ...where, notificationId, afterS: afterS ?? 0 }));
      await SensorTriggerNotification.bulkCreate(rows, { transaction });
    });
  }

  /** Warns of a notification with a field that the sensor does not have. */
  warningFor(
    userId: number,
    sensorId: number,
    triggerId: number,
    notifications: readonly WantedNotification[],
  ): Promise<string | undefined> {
    const ids = notifications.map(({ notificationId }) => notificationId);
    return findEmptyFieldAmong(this.database.pool, userId, ids, { triggerId, sensorId });
  }

  /** The notification gets the ends of lasting episodes of which it got a firing. */
  async disconnect(userId: number, sensorId: number, triggerId: number, notificationId: number): Promise<void> {
    await editRules(this.database.sequelize, async (edit) => {
      const { sensorTrigger } = await this.sensorTriggers.find(userId, sensorId, triggerId, edit.transaction);
      const removed = await this.remove(sensorTrigger, [notificationId], edit);
      if (removed === 0) throw new NotFound('the notification of this trigger');
    });
  }

  /**
   * Ends episodes for notifications that the whole trigger does not connect, and cancels what they wait for.
   * Returns their number.
   */
  private async remove(
    { id, triggerId, episodeMs, inactivityEpisodeMs }: SensorTrigger,
    notificationIds: readonly number[],
    edit: ModelEdit,
  ): Promise<number> {
    if (notificationIds.length === 0) return 0;
    const { transaction } = edit;
    const whole = await TriggerNotification.findAll({
      where: { triggerId, notificationId: [...notificationIds] },
      transaction,
    });
    const stay = new Set(whole.map(({ notificationId }) => notificationId));
    const gone = notificationIds.filter((notificationId) => !stay.has(notificationId));
    const firedMs = [episodeMs, inactivityEpisodeMs].filter((ms) => ms !== null);
    const first = await Firing.findAll({ attributes: ['id'], where: { sensorTriggerId: id, firedMs }, transaction });
    const firingIds = first.map((firing) => firing.id);
    await cancelWaiting(edit.run, firingIds, gone);
    await this.ends.endFor(edit, gone, [id]);
    const where = { sensorTriggerId: id, notificationId: [...notificationIds] };
    return SensorTriggerNotification.destroy({ where, transaction });
  }
}

export async function connectionsOf(
  rows: readonly { notificationId: number; afterS: number }[],
): Promise<NotificationConnection[]> {
  const afterOf = new Map(rows.map(({ notificationId, afterS }) => [notificationId, afterS]));
  const notifications = await findNotifications([...afterOf.keys()]);
  return notifications.map((notification) => ({ notification, afterS: afterOf.get(notification.id) ?? 0 }));
}

function tooMany(): Conflict {
  const most = `a trigger on a sensor has at most ${MAX_NOTIFICATIONS_OF_A_SENSOR_TRIGGER} notifications`;
  return new Conflict(`${most}: disconnect others first`);
}

/** Every connection shows the last value of its sensor trigger. */
async function requireFittingValues(reads: Reader, rows: readonly SensorTriggerNotification[]): Promise<void> {
  const ids = rows.map(({ sensorTriggerId }) => sensorTriggerId);
  if (ids.length === 0) return;
  const [found] = await reads.query<RowDataPacket[]>(
    'SELECT id, COALESCE(LENGTH(last_data_value), 0) AS bytes FROM sensor_triggers WHERE id IN (?)',
    [ids],
  );
  const bytes = new Map(found.map((row) => [Number(row.id), Number(row.bytes)]));
  requireFits(ids.reduce((sum, id) => sum + (bytes.get(id) ?? 0), 0));
}
