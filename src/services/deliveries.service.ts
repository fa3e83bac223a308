import type { Clock } from '../clock';
import type { Database } from '../database';
import { receiverOf } from '../domain/receiver';
import type { Doorbells } from '../doorbells';
import { Conflict, NotFound } from '../errors';
import { newWebhookId } from '../ingest/turn-results';
import { Delivery } from '../models/delivery.model';
import { DeliveryAttempt } from '../models/delivery-attempt.model';
import { Firing } from '../models/firing.model';
import { Notification } from '../models/notification.model';
import { ParkedDelivery } from '../models/parked-delivery.model';
import type { Page } from '../requests/paging';
import type { NotificationsService } from './notifications.service';
import { inTransaction } from './transaction';

/** A delivery with every attempt made so far. */
export interface AttemptedDelivery {
  delivery: Delivery;
  attempts: DeliveryAttempt[];
}

export interface DeliveryFilter {
  status?: string;
  notificationId?: number;
}

/** What went out, what waits, and what failed: for the notifications of a user. */
export class DeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly notifications: NotificationsService,
    private readonly doorbells: Doorbells,
    private readonly clock: Clock,
  ) {}

  async list(
    userId: number,
    filter: DeliveryFilter,
    page: Page,
  ): Promise<{ deliveries: AttemptedDelivery[]; total?: number }> {
    const where = {
      ownerId: userId,
      ...(filter.status === undefined ? {} : { status: filter.status }),
      ...(filter.notificationId === undefined ? {} : { notificationId: filter.notificationId }),
    };
    const deliveries = await Delivery.findAll({
      where,
      order: [['id', 'ASC']],
      offset: page.offset,
      limit: page.limit,
    });
    const total = page.withTotal ? await Delivery.count({ where }) : undefined;
    return { deliveries: await withAttempts(deliveries), total };
  }

  async find(userId: number, id: number): Promise<AttemptedDelivery> {
    const delivery = await Delivery.findOne({ where: { id, ownerId: userId } });
    const [found] = delivery ? await withAttempts([delivery]) : [];
    if (!found) throw new NotFound('the delivery');
    return found;
  }

  /** Sends the notification's text once, in the ordinary way, even when it is switched off. */
  async sendTest(userId: number, notificationId: number): Promise<AttemptedDelivery> {
    const { type, destination, text } = await this.notifications.find(userId, notificationId);
    const nowMs = this.clock.now();
    const delivery = await Delivery.create({
      webhookId: newWebhookId(),
      ownerId: userId,
      notificationId,
      type,
      destination,
      receiver: receiverOf(type, destination),
      text,
      nextAttemptMs: nowMs,
      createdMs: nowMs,
    });
    await this.doorbells.deliveries([{ deliveryId: delivery.id, attempts: 0, priority: 0, cause: 'trigger' }]);
    return this.find(userId, delivery.id);
  }

  /** Begins the schedule of attempts anew, under the same id, with the notification's present destination. */
  async redeliver(userId: number, id: number): Promise<AttemptedDelivery> {
    const delivery = await inTransaction(this.database.sequelize, async (transaction) => {
      const where = { id, ownerId: userId };
      const found = await Delivery.findOne({ where, transaction, lock: transaction.LOCK.UPDATE });
      if (!found) throw new NotFound('the delivery');
      const notification = await Notification.findByPk(found.notificationId, { transaction });
      if (!notification) throw new NotFound('the notification of this delivery');
      if (!isAskedFor(found) && !notification.enabled) throw switchedOff();
      // A mail about the notification goes where it went: to its owner.
      const { type, destination } = found.mailSubject === null ? notification : found;
      found.set({ type, destination, receiver: receiverOf(type, destination) });
      found.set({ status: 'pending', attempts: 0, nextAttemptMs: this.clock.now(), finishedMs: null, parkedMs: null, slot: null });
      await ParkedDelivery.destroy({ where: { deliveryId: id }, transaction });
      return found.save({ transaction });
    });
    const cause = delivery.event === null ? 'trigger' : 'event';
    await this.doorbells.deliveries([{ deliveryId: id, attempts: 0, priority: delivery.priority, cause }]);
    return this.find(userId, id);
  }

  /** The firings of a trigger on a sensor, oldest first unless `sort` says otherwise. */
  async firings(
    userId: number,
    sensorId: number,
    triggerId: number,
    page: Page,
    sort: 'ASC' | 'DESC' = 'ASC',
  ): Promise<{ firings: Firing[]; total?: number }> {
    const where = { sensorId, triggerId, ownerId: userId };
    const firings = await Firing.findAll({ where, order: [['id', sort]], offset: page.offset, limit: page.limit });
    return { firings, total: page.withTotal ? await Firing.count({ where }) : undefined };
  }
}

/** A try-out, or a mail about the notification itself: these go out although it is switched off. */
function isAskedFor(delivery: Delivery): boolean {
  return delivery.event === null && delivery.triggerId === null;
}

function switchedOff(): Conflict {
  return new Conflict('the notification is switched off: switch it on first');
}

async function withAttempts(deliveries: Delivery[]): Promise<AttemptedDelivery[]> {
  const attempts = await DeliveryAttempt.findAll({
    where: { deliveryId: deliveries.map((delivery) => delivery.id) },
    order: [['id', 'ASC']],
  });
  const byDelivery = new Map<number, DeliveryAttempt[]>(deliveries.map((delivery) => [delivery.id, []]));
  for (const attempt of attempts) byDelivery.get(attempt.deliveryId)?.push(attempt);
  return deliveries.map((delivery) => ({ delivery, attempts: byDelivery.get(delivery.id) ?? [] }));
}
