import { findOwned } from '../../access/find-owned';
import { editRules, type ModelEdit } from '../../access/rule-edit';
import { LARGEST_PAGE, type Page, type PageOf } from '../../edge/paging';
import { cancelEscalationsOfTrigger, findEmptyFieldAmong, type NotificationsService } from '../../notifications';
import { Conflict, NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Trigger } from '../../storage/models/trigger.model';
import { TriggerNotification } from '../../storage/models/trigger-notification.model';
import { forUpdate, inTransaction } from '../../storage/transaction';
import type { DeliveredEnds } from '../firings/delivered-ends';
import { connectionsOf, type NotificationConnection, type WantedNotification } from './trigger-notifications.service';

/** In addition to those of the trigger on a sensor. */
const MAX_NOTIFICATIONS_OF_A_TRIGGER = 20;

/** The pass reads one row for all sensors of a trigger: no future sensor can be missing. */
export class WholeTriggerNotificationsService {
  constructor(
    private readonly database: Database,
    private readonly notifications: NotificationsService,
    private readonly ends: DeliveredEnds,
  ) {}

  async list(userId: number, triggerId: number, page: Page = LARGEST_PAGE): Promise<PageOf<NotificationConnection>> {
    await findOwned(Trigger, { id: triggerId, ownerId: userId }, 'the trigger');
    const { items, total } = await findPage(
      TriggerNotification,
      { where: { triggerId }, order: ['notificationId'] },
      page,
    );
    return { items: await connectionsOf(items), total };
  }

  /** Connects all or none; a connected one changes only `afterS`. Throws Conflict for too many. */
  async connect(userId: number, triggerId: number, notifications: readonly WantedNotification[]): Promise<void> {
    const wanted = new Map(notifications.map(({ notificationId, afterS }) => [notificationId, afterS]));
    await inTransaction(this.database.sequelize, async (transaction) => {
      // A deletion locks in this order: notifications, then what they are connected to.
      await this.notifications.lockAll(userId, [...wanted.keys()], transaction);
      await findOwned(Trigger, { id: triggerId, ownerId: userId }, 'the trigger', forUpdate(transaction));
      const connections = await TriggerNotification.findAll({ where: { triggerId }, transaction });
      const connected = new Set(connections.map(({ notificationId }) => notificationId));
      for (const connection of connections) {
        const afterS = wanted.get(connection.notificationId);
        if (afterS !== undefined) await connection.update({ afterS }, { transaction });
      }
      const added = [...wanted].filter(([notificationId]) => !connected.has(notificationId));
      if (connected.size + added.length > MAX_NOTIFICATIONS_OF_A_TRIGGER) throw tooMany();
      const rows = added.map(([notificationId, afterS]) => ({ triggerId, notificationId, afterS: afterS ?? 0 }));
      await TriggerNotification.bulkCreate(rows, { transaction });
    });
  }

  /** Warns of a notification with a field that no sensor of the trigger has. */
  warningFor(userId: number, triggerId: number, notifications: readonly WantedNotification[]) {
    const ids = notifications.map(({ notificationId }) => notificationId);
    return findEmptyFieldAmong(this.database.pool, userId, ids, { triggerId });
  }

  /** The notification gets the ends of lasting episodes of which it got a firing. Connections on one sensor stay. */
  async disconnect(userId: number, triggerId: number, notificationId: number): Promise<void> {
    const { sequelize } = this.database;
    await findOwned(Trigger, { id: triggerId, ownerId: userId }, 'the trigger');
    const alone = await editRules(sequelize, (edit) => findOnlyWhole(edit, triggerId, notificationId));
    await this.ends.endMostFor(sequelize, notificationId, alone);
    await editRules(sequelize, async (edit) => {
      const { transaction } = edit;
      await findOwned(Trigger, { id: triggerId, ownerId: userId }, 'the trigger', forUpdate(transaction));
      await cancelEscalationsOfTrigger(edit.run, triggerId, notificationId);
      await this.ends.endFor(edit, [notificationId], await findOnlyWhole(edit, triggerId, notificationId));
      const removed = await TriggerNotification.destroy({ where: { triggerId, notificationId }, transaction });
      if (removed === 0) throw new NotFound('the notification of this trigger');
    });
  }
}

async function findOnlyWhole({ run }: ModelEdit, triggerId: number, notificationId: number): Promise<number[]> {
  const rows = await run(
    `SELECT st.id FROM trigger_notifications tn JOIN sensor_triggers st ON st.trigger_id = tn.trigger_id
     LEFT JOIN sensor_trigger_notifications stn
       ON stn.sensor_trigger_id = st.id AND stn.notification_id = tn.notification_id
     WHERE tn.trigger_id = ? AND tn.notification_id = ? AND stn.notification_id IS NULL ORDER BY st.sensor_id`,
    [triggerId, notificationId],
  );
  return rows.map(({ id }) => Number(id));
}

function tooMany(): Conflict {
  const most = `a trigger has at most ${MAX_NOTIFICATIONS_OF_A_TRIGGER} notifications on all its sensors`;
  return new Conflict(`${most}: disconnect others first`);
}
