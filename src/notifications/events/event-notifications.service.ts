import type { Attributes, Transaction } from 'sequelize';
import { findOwned } from '../../access/find-owned';
import { lockUser } from '../../access/locked-user';
import { editRules } from '../../access/rule-edit';
import { type Page, type PageOf, pageOf } from '../../edge/paging';
import { EVENT_NAMES, type EventName } from '../../events/event-catalogue';
import type { Clock } from '../../platform/clock';
import { Conflict, NotFound } from '../../platform/errors';
import { withoutUndefined } from '../../platform/without-undefined';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { EventNotification } from '../../storage/models/event-notification.model';
import { Notification } from '../../storage/models/notification.model';
import { forShare, forUpdate, inTransaction } from '../../storage/transaction';

/** An event is compared with all of its name, and every match is a delivery. */
const MAX_OF_A_USER = 1_000;
const MAX_OF_A_USER_AND_EVENT = 100;

export type EventNotificationInput = { event?: EventName } & Partial<
  Pick<Attributes<EventNotification>, 'name' | 'notificationId' | 'priority' | 'enabled' | 'sourceId'>
>;

/** Only its owner sees an event notification. */
export class EventNotificationsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  events(page: Page): PageOf<EventName> {
    return pageOf(EVENT_NAMES, page);
  }

  list(
    userId: number,
    { enabled, event }: { enabled?: boolean; event?: string },
    page: Page,
  ): Promise<PageOf<EventNotification>> {
    const where = withoutUndefined({ enabled, event, ownerId: userId });
    return findPage(EventNotification, { where, order: ['id'] }, page);
  }

  find(userId: number, id: number): Promise<EventNotification> {
    return findOwned(EventNotification, { id, ownerId: userId }, 'the event notification');
  }

  /** NotFound if the notification is not the caller's, Conflict beyond the limit. */
  async create(
    userId: number,
    input: EventNotificationInput & { event: EventName; notificationId: number },
  ): Promise<EventNotification> {
    return editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      await lockUser(userId, transaction);
      await lockNotification(input.notificationId, userId, transaction);
      await requireRoom(userId, input.event, transaction);
      const row = await EventNotification.create(
        {
          name: '',
          priority: 0,
          enabled: true,
          sourceId: null,
          ...input,
          ownerId: userId,
          createdMs: this.clock.now(),
        },
        { transaction },
      );
      if (waitsForUploads(row)) edit.affectsUploads();
      return row;
    });
  }

  /** Applies to later events. Conflict if there are too many for the new event. */
  async update(userId: number, id: number, input: EventNotificationInput): Promise<EventNotification> {
    return editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      if (input.event !== undefined) await lockUser(userId, transaction);
      const where = { id, ownerId: userId };
      const row = await findOwned(EventNotification, where, 'the event notification', forUpdate(transaction));
      if (input.notificationId !== undefined) await lockNotification(input.notificationId, userId, transaction);
      if (input.event !== undefined && input.event !== row.event) {
        await requireRoomForEvent(userId, input.event, transaction);
      }
      const waited = waitsForUploads(row);
      await row.update(input, { transaction });
      if (waitsForUploads(row) && !waited) edit.affectsUploads();
      return row;
    });
  }

  async delete(userId: number, id: number): Promise<void> {
    const where = { id, ownerId: userId };
    const removed = await inTransaction(this.database.sequelize, (transaction) =>
      EventNotification.destroy({ where, transaction }),
    );
    if (removed === 0) throw new NotFound('the event notification');
  }
}

function waitsForUploads({ event, enabled }: EventNotification): boolean {
  return event === 'add_sensor_data' && enabled;
}

async function requireRoom(ownerId: number, event: EventName, transaction: Transaction): Promise<void> {
  if ((await EventNotification.count({ where: { ownerId }, transaction })) >= MAX_OF_A_USER) {
    throw new Conflict(`a user has at most ${MAX_OF_A_USER} event notifications: delete others first`);
  }
  await requireRoomForEvent(ownerId, event, transaction);
}

async function requireRoomForEvent(ownerId: number, event: EventName, transaction: Transaction): Promise<void> {
  if ((await EventNotification.count({ where: { ownerId, event }, transaction })) >= MAX_OF_A_USER_AND_EVENT) {
    const most = `a user has at most ${MAX_OF_A_USER_AND_EVENT} event notifications of one event`;
    throw new Conflict(`${most}: delete others of ${event} first`);
  }
}

/** The notification must not be deleted before it is connected. */
async function lockNotification(id: number, ownerId: number, transaction: Transaction): Promise<void> {
  await findOwned(Notification, { id, ownerId }, 'the notification', forShare(transaction));
}
