import type { Pool } from 'mysql2/promise';
import {
  col,
  type FindAttributeOptions,
  type FindOptions,
  fn,
  type Model,
  type ModelStatic,
  type WhereOptions,
} from 'sequelize';
import type { Clock } from '../clock';
import type { Doorbells } from '../doorbells';
import { NotFound } from '../errors';
import { insertDeliveries } from '../ingest/delivery-rows';
import { Delivery } from '../models/delivery.model';
import { DeliveryAttempt } from '../models/delivery-attempt.model';
import { Firing } from '../models/firing.model';
import type { Page } from '../requests/paging';
import { requireFits } from './answer-size';
import type { NotificationsService } from './notifications.service';

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
    private readonly pool: Pool,
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
    const id = await pageOf(Delivery, 'text', where, page, 'ASC');
    const deliveries = await Delivery.findAll({ where: { ...where, id }, order: [['id', 'ASC']] });
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
    const deliveryId = await insertDeliveries(this.pool, [
      { ownerId: userId, notificationId, type, destination, text, nextAttemptMs: nowMs, createdMs: nowMs },
    ]);
    await this.doorbells.deliveries([{ deliveryId, attempts: 0, priority: 0, cause: 'trigger' }]);
    return this.find(userId, deliveryId);
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
    const id = await pageOf(Firing, 'variables', where, page, sort);
    const firings = await Firing.findAll({ where: { ...where, id }, order: [['id', sort]] });
    return { firings, total: page.withTotal ? await Firing.count({ where }) : undefined };
  }
}

/** The ids of a page; InvalidInput when its texts, which are in this column, are too large for one answer. */
async function pageOf(
  rows: ModelStatic<Model>,
  column: 'text' | 'variables',
  where: WhereOptions,
  { offset, limit }: Page,
  sort: 'ASC' | 'DESC',
): Promise<number[]> {
  const attributes: FindAttributeOptions = ['id', [fn('LENGTH', col(column)), 'bytes']];
  const find: FindOptions = { attributes, where, order: [['id', sort]], offset, limit, raw: true };
  const sizes = (await rows.findAll(find)) as unknown as { id: number; bytes: number }[]; // the attributes
  requireFits(sizes.reduce((sum, { bytes }) => sum + bytes, 0));
  return sizes.map(({ id }) => id);
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
