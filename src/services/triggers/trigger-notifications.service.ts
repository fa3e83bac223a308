import { QueryTypes } from 'sequelize';
import type { Database } from '../../database';
import { inTransaction } from '../../database/transaction';
import { LARGEST_PAGE, type Page } from '../../domain/paging';
import { Conflict, NotFound } from '../../errors';
import { Notification } from '../../models/notification.model';
import { SensorTrigger } from '../../models/sensor-trigger.model';
import { SensorTriggerNotification } from '../../models/sensor-trigger-notification.model';
import type { SensorTriggerPair } from '../../models/sensor-trigger-pair';
import type { NotificationsService } from '../notifications/notifications.service';
import { type SensorTriggersService, withTriggers } from './sensor-triggers.service';

/** Each firing makes a delivery for every one of them. */
const MAX_NOTIFICATIONS_OF_A_SENSOR_TRIGGER = 20;

/** A notification with the sensor trigger that it is connected to. */
export interface ConnectedNotification {
  notification: Notification;
  pair: SensorTriggerPair;
}

/** Which notifications go out when a trigger fires on a sensor. */
export class TriggerNotificationsService {
  constructor(
    private readonly database: Database,
    private readonly sensorTriggers: SensorTriggersService,
    private readonly notifications: NotificationsService,
  ) {}

  async list(
    userId: number,
    sensorId: number,
    triggerId: number,
    { offset, limit, withTotal }: Page = LARGEST_PAGE,
  ): Promise<{ notifications: Notification[]; total?: number }> {
    const { sensorTrigger } = await this.sensorTriggers.find(userId, sensorId, triggerId);
    const where = { sensorTriggerId: sensorTrigger.id };
    const connections = await SensorTriggerNotification.findAll({ where, order: ['notificationId'], offset, limit });
    const ids = connections.map((connection) => connection.notificationId);
    const notifications = await Notification.findAll({ where: { id: ids }, order: [['id', 'ASC']] });
    return { notifications, total: withTotal ? await SensorTriggerNotification.count({ where }) : undefined };
  }

  /** Every connection of a notification of the user to a trigger on a sensor. */
  async listAll(userId: number, page: Page): Promise<{ connected: ConnectedNotification[]; total?: number }> {
    const from = `FROM sensor_trigger_notifications stn JOIN notifications n ON n.id = stn.notification_id
                  WHERE n.owner_id = :userId`;
    const rows = await this.database.sequelize.query<{ sensorTriggerId: number; notificationId: number }>(
      `SELECT stn.sensor_trigger_id AS sensorTriggerId, stn.notification_id AS notificationId ${from}
       ORDER BY stn.sensor_trigger_id, stn.notification_id LIMIT :limit OFFSET :offset`,
      { replacements: { userId, limit: page.limit, offset: page.offset }, type: QueryTypes.SELECT },
    );
    const found = await SensorTrigger.findAll({ where: { id: rows.map((row) => row.sensorTriggerId) } });
    const pairs = new Map((await withTriggers(found)).map((pair) => [pair.sensorTrigger.id, pair]));
    const notifications = await Notification.findAll({ where: { id: rows.map((row) => row.notificationId) } });
    const byId = new Map(notifications.map((notification) => [notification.id, notification]));
    const connected = rows.flatMap(({ sensorTriggerId, notificationId }) => {
      const pair = pairs.get(sensorTriggerId);
      const notification = byId.get(notificationId);
      return pair && notification ? [{ pair, notification }] : [];
    });
    if (!page.withTotal) return { connected };
    const [count] = await this.database.sequelize.query<{ total: number }>(`SELECT COUNT(*) AS total ${from}`, {
      replacements: { userId },
      type: QueryTypes.SELECT,
    });
    return { connected, total: count?.total ?? 0 };
  }

  /**
   * Connects notifications, all or none; one that is connected already stays as it is. Conflict when the sensor trigger
   * would have too many.
   */
  async connect(userId: number, sensorId: number, triggerId: number, notificationIds: number[]): Promise<void> {
    const wanted = [...new Set(notificationIds)];
    await inTransaction(this.database.sequelize, async (transaction) => {
      // In the order in which a deletion locks them: the notifications, then their sensor triggers.
      await this.notifications.lockAll(userId, wanted, transaction);
      const { sensorTrigger } = await this.sensorTriggers.find(userId, sensorId, triggerId, transaction);
      const where = { sensorTriggerId: sensorTrigger.id };
      const connections = await SensorTriggerNotification.findAll({ where, transaction });
      const connected = new Set(connections.map(({ notificationId }) => notificationId));
      const added = wanted.filter((notificationId) => !connected.has(notificationId));
      if (added.length === 0) return;
      if (connected.size + added.length > MAX_NOTIFICATIONS_OF_A_SENSOR_TRIGGER) throw tooMany();
      const rows = added.map((notificationId) => ({ ...where, notificationId }));
      await SensorTriggerNotification.bulkCreate(rows, { transaction });
    });
  }

  async disconnect(userId: number, sensorId: number, triggerId: number, notificationId: number): Promise<void> {
    const { sensorTrigger } = await this.sensorTriggers.find(userId, sensorId, triggerId);
    const removed = await SensorTriggerNotification.destroy({
      where: { sensorTriggerId: sensorTrigger.id, notificationId },
    });
    if (removed === 0) throw new NotFound('the notification of this trigger');
  }
}

function tooMany(): Conflict {
  const most = `a trigger on a sensor has at most ${MAX_NOTIFICATIONS_OF_A_SENSOR_TRIGGER} notifications`;
  return new Conflict(`${most}: disconnect others first`);
}
