import type { Transaction } from 'sequelize';
import type { Clock } from '../../clock';
import type { Database } from '../../database';
import { inTransaction } from '../../database/transaction';
import { EVENT_NAMES, type EventName } from '../../domain/event-catalogue';
import type { Page } from '../../domain/paging';
import { withoutUndefined } from '../../domain/without-undefined';
import { NotFound } from '../../errors';
import { EventNotification } from '../../models/event-notification.model';
import { Notification } from '../../models/notification.model';

/** What the owner decides about an event notification; undefined stays as it is. */
export interface EventNotificationInput {
  name?: string;
  event?: EventName;
  notificationId?: number;
  priority?: number;
  enabled?: boolean;
  sourceId?: number | null;
}

/** Which events a user wants to hear of. An event notification is its owner's alone. */
export class EventNotificationsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** A page of the catalogue. */
  events({ offset, limit, withTotal }: Page): { names: readonly EventName[]; total?: number } {
    return {
      names: EVENT_NAMES.slice(offset, offset + limit),
      total: withTotal ? EVENT_NAMES.length : undefined,
    };
  }

  async list(
    userId: number,
    { enabled, event }: { enabled?: boolean; event?: string },
    { offset, limit, withTotal }: Page,
  ): Promise<{ eventNotifications: EventNotification[]; total?: number }> {
    const where = {
      ownerId: userId,
      ...(enabled === undefined ? {} : { enabled }),
      ...(event === undefined ? {} : { event }),
    };
    const eventNotifications = await EventNotification.findAll({ where, order: ['id'], offset, limit });
    return { eventNotifications, total: withTotal ? await EventNotification.count({ where }) : undefined };
  }

  async find(userId: number, id: number): Promise<EventNotification> {
    return owned(userId, id);
  }

  /** NotFound when the notification is not the caller's. */
  async create(
    userId: number,
    input: EventNotificationInput & { event: EventName; notificationId: number },
  ): Promise<EventNotification> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      await requireNotification(userId, input.notificationId, transaction);
      return EventNotification.create(
        {
          name: input.name ?? '',
          event: input.event,
          notificationId: input.notificationId,
          priority: input.priority ?? 0,
          enabled: input.enabled ?? true,
          sourceId: input.sourceId ?? null,
          ownerId: userId,
          createdMs: this.clock.now(),
        },
        { transaction },
      );
    });
  }

  /** Changes what is given; it counts for what happens from now on. */
  async update(userId: number, id: number, input: EventNotificationInput): Promise<EventNotification> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const row = await owned(userId, id, transaction);
      if (input.notificationId !== undefined) await requireNotification(userId, input.notificationId, transaction);
      return row.update(withoutUndefined(input), { transaction });
    });
  }

  async remove(userId: number, id: number): Promise<void> {
    const removed = await EventNotification.destroy({ where: { id, ownerId: userId } });
    if (removed === 0) throw new NotFound('the event notification');
  }
}

async function owned(userId: number, id: number, transaction?: Transaction): Promise<EventNotification> {
  const lock = transaction?.LOCK.UPDATE;
  const row = await EventNotification.findOne({ where: { id, ownerId: userId }, transaction, lock });
  if (!row) throw new NotFound('the event notification');
  return row;
}

/** Locks it, too: it cannot be deleted before it is connected. */
async function requireNotification(userId: number, id: number, transaction: Transaction): Promise<void> {
  const lock = transaction.LOCK.SHARE;
  const notification = await Notification.findOne({ where: { id, ownerId: userId }, transaction, lock });
  if (!notification) throw new NotFound('the notification');
}
