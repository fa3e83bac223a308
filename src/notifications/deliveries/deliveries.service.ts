import type { Pool } from 'mysql2/promise';
import { Op } from 'sequelize';
import { findOwned } from '../../access/find-owned';
import { LAST_DATE_MS } from '../../edge/dates';
import type { Page, PageOf } from '../../edge/paging';
import { renderText } from '../../language/notification-text';
import type { Clock } from '../../platform/clock';
import { inOneStep } from '../../platform/steps';
import { withoutUndefined } from '../../platform/without-undefined';
import { Delivery, type DeliveryKind } from '../../storage/models/delivery.model';
import { DeliveryAttempt } from '../../storage/models/delivery-attempt.model';
import { findFittingPage } from '../../storage/response-size';
import { runOn } from '../../storage/transaction';
import type { DeliveryComputing } from '../delivery/delivery-computing';
import { insertDelivery } from '../delivery/delivery-rows';
import type { DeliveryRunner } from '../delivery/delivery-runner';
import { readWords, wordsOf } from '../delivery/delivery-words';
import { thingsOfEvent } from '../delivery/event-names';
import type { Standstill, Standstills } from '../delivery/standstill';
import { readThingNames, type Thing } from '../delivery/thing-names';
import type { Wait } from '../delivery/waiting';
import { readWaiting, readWaits } from '../delivery/waiting-deliveries';
import type { NotificationsService } from '../notifications/notifications.service';
import { AwaitedTests, type TestAttempt } from './awaited-tests';
import type { RequestedSends } from './requested-sends';
import { composeTest } from './test-alerts';

/** Null for what the delivery lacks, and for what its owner may not see. */
export type NamesOfDelivery = Readonly<Record<'sensor' | 'trigger' | 'subject' | 'source', string | null>>;

export interface AttemptedDelivery extends DeliveryDetails {
  delivery: Delivery;
  attempts: DeliveryAttempt[];
}

interface DeliveryDetails {
  names: NamesOfDelivery;
  /** Number of deliveries in a digest. */
  held: number;
  /** Null if the delivery does not wait; `count` is that of its notification. */
  waiting: (Wait & { count: number }) | null;
  /** Version of the trigger that fired what it reports; null without one. */
  triggerVersion: number | null;
}

/** Undefined is no condition. */
export interface DeliveryFilter {
  status?: string;
  notificationId?: number;
  sensorId?: number;
  triggerId?: number;
  digestId?: number;
  /** True: only deliveries in digests; false: only others. */
  aggregated?: boolean;
  /** Range of their creation, both ends included. */
  startMs?: number;
  endMs?: number;
}

const OF_NOTIFICATIONS = { kind: { [Op.ne]: 'report' satisfies DeliveryKind } };

interface DeliveriesParts {
  pool: Pool;
  clock: Clock;
  notifications: NotificationsService;
  runner: Pick<DeliveryRunner, 'start'>;
  sends: RequestedSends;
  standstills: Standstills;
  deliveryComputing: DeliveryComputing;
}

/** The deliveries of a user's notifications. */
export class DeliveriesService {
  private readonly awaited: AwaitedTests;

  constructor(private readonly parts: DeliveriesParts) {
    this.awaited = new AwaitedTests(parts.pool);
  }

  /** Ids follow the order of creation. */
  async list(
    userId: number,
    { startMs = 0, endMs = LAST_DATE_MS, aggregated, digestId, ...columns }: DeliveryFilter,
    page: Page,
    sort: 'ASC' | 'DESC' = 'ASC',
  ): Promise<PageOf<AttemptedDelivery>> {
    const isLimited = startMs > 0 || endMs < LAST_DATE_MS;
    const createdMs = isLimited ? { [Op.between]: [startMs, endMs] } : undefined;
    const inDigest = aggregated === undefined ? undefined : { [aggregated ? Op.ne : Op.is]: null };
    const where = withoutUndefined({
      ...columns,
      ...OF_NOTIFICATIONS,
      digestId: digestId ?? inDigest,
      createdMs,
      ownerId: userId,
    });
    const { items, total } = await findFittingPage(Delivery, 'text', { where, sort }, page);
    return { items: await withAttempts(items, await this.readDetails(userId, items)), total };
  }

  async find(userId: number, id: number): Promise<AttemptedDelivery> {
    const delivery = await findOwned(Delivery, { id, ownerId: userId, ...OF_NOTIFICATIONS }, 'the delivery');
    const [attempts, detailsOf] = await Promise.all([
      DeliveryAttempt.findAll({ where: { deliveryId: id }, order: ['id'] }),
      this.readDetails(userId, [delivery]),
    ]);
    return { delivery, attempts, ...detailsOf(delivery) };
  }

  private async readDetails(
    userId: number,
    deliveries: readonly Delivery[],
  ): Promise<(delivery: Delivery) => DeliveryDetails> {
    const { pool } = this.parts;
    const namesOf = await readNames(pool, userId, deliveries);
    const held = await countHeld(pool, deliveries);
    const versions = await readVersions(pool, deliveries);
    const waiting = await this.waitingOf(deliveries);
    return (delivery) => {
      const { id, firingId } = delivery;
      const counted = { held: held.get(id) ?? 0, waiting: waiting.get(id) ?? null };
      return { names: namesOf(delivery), ...counted, triggerVersion: versions.get(firingId ?? 0) ?? null };
    };
  }

  /**
   * Sends the text once, for the latest value of a connected sensor, even if the notification is disabled. Conflict if
   * the recipient of a mail does not want it, TooMany beyond the limit.
   */
  async sendTest(userId: number, notificationId: number): Promise<AttemptedDelivery> {
    const { notifications, sends, runner, clock, deliveryComputing } = this.parts;
    const { type, destination, text, body } = await notifications.find(userId, notificationId);
    await sends.charge(userId);
    await sends.require(userId, { type, destination });
    const nowMs = clock.now();
    const { language } = await readWords(userId);
    const words = wordsOf({ type, body, owner_language: language });
    const { alert, values } = await composeTest(this.parts.pool, notificationId, { nowMs, words });
    const rendered = await deliveryComputing.run(
      userId,
      inOneStep(() => renderText(text, values)),
    );
    const content = { text: rendered, details: alert };
    const deliveryId = await insertDelivery(this.parts.pool, {
      ...{ ownerId: userId, notificationId, kind: 'test', type, destination },
      ...{ ...content, nextAttemptMs: nowMs, createdMs: nowMs },
    });
    await runner.start([{ deliveryId, ownerId: userId, attempts: 0, priority: 0, cause: 'trigger' }]);
    return this.find(userId, deliveryId);
  }

  /** Null while a worker runs, and while nothing of the user is overdue. */
  standstill(userId: number): Promise<Standstill | null> {
    return this.parts.standstills.of(userId, this.parts.clock.now());
  }

  /** By delivery; nothing for those that do not wait. */
  private async waitingOf(deliveries: readonly Delivery[]): Promise<Map<number, Wait & { count: number }>> {
    const pending = deliveries.filter(({ status }) => status === 'pending');
    const [run, nowMs] = [runOn(this.parts.pool), this.parts.clock.now()];
    const ids = pending.map(({ id }) => id);
    const waits = await this.parts.standstills.explain(await readWaits(run, ids, nowMs));
    const waiting = pending.filter(({ id }) => waits.has(id));
    const notificationIds = waiting.map(({ notificationId }) => Number(notificationId));
    const counts = await readWaiting(run, notificationIds, nowMs);
    return new Map(
      waiting.flatMap(({ id, notificationId }) => {
        const wait = waits.get(id);
        return wait ? [[id, { ...wait, count: counts.get(Number(notificationId))?.count ?? 1 }]] : [];
      }),
    );
  }

  /** Returns as `AwaitedTests`. */
  firstAttempt(
    userId: number,
    id: number,
    limits: { waitMs: number; signal: AbortSignal },
  ): Promise<TestAttempt | undefined> {
    return this.awaited.firstAttempt(userId, id, limits);
  }
}

async function readNames(
  pool: Pool,
  userId: number,
  deliveries: readonly Delivery[],
): Promise<(delivery: Delivery) => NamesOfDelivery> {
  const things = deliveries.flatMap((delivery) => Object.values(thingsOf(delivery)));
  const nameOf = await readThingNames(pool, userId, things);
  return (delivery) => {
    const { sensor, trigger, subject, source } = thingsOf(delivery);
    return { sensor: nameOf(sensor), trigger: nameOf(trigger), subject: nameOf(subject), source: nameOf(source) };
  };
}

function thingsOf(delivery: Delivery): Record<keyof NamesOfDelivery, Thing | null> {
  const { sensorId, triggerId } = delivery;
  return {
    sensor: sensorId === null ? null : { kind: 'sensor', id: sensorId },
    trigger: triggerId === null ? null : { kind: 'trigger', id: triggerId },
    ...thingsOfEvent(delivery),
  };
}

/** By id, for digests only. */
async function countHeld(pool: Pool, deliveries: readonly Delivery[]): Promise<Map<number, number>> {
  const ids = deliveries.filter(({ digestMinuteMs }) => digestMinuteMs !== null).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const sql = 'SELECT digest_id AS id, COUNT(*) AS held FROM deliveries WHERE digest_id IN (?) GROUP BY digest_id';
  return new Map((await runOn(pool)(sql, [ids])).map(({ id, held }) => [Number(id), Number(held)]));
}

/** By firing; none for a firing that was purged, or is from before triggers had versions. */
async function readVersions(pool: Pool, deliveries: readonly Delivery[]): Promise<Map<number, number>> {
  const ids = deliveries.flatMap(({ firingId }) => firingId ?? []);
  if (ids.length === 0) return new Map();
  const sql = 'SELECT id, trigger_version AS version FROM firings WHERE id IN (?) AND trigger_version IS NOT NULL';
  return new Map((await runOn(pool)(sql, [ids])).map(({ id, version }) => [Number(id), Number(version)]));
}

async function withAttempts(
  deliveries: Delivery[],
  detailsOf: (delivery: Delivery) => DeliveryDetails,
): Promise<AttemptedDelivery[]> {
  const attempts = await DeliveryAttempt.findAll({
    attributes: { exclude: ['requestBody', 'responseBody'] },
    where: { deliveryId: deliveries.map((delivery) => delivery.id) },
    order: [['id', 'ASC']],
  });
  const byDelivery = new Map<number, DeliveryAttempt[]>(deliveries.map((delivery) => [delivery.id, []]));
  for (const attempt of attempts) byDelivery.get(attempt.deliveryId)?.push(attempt);
  return deliveries.map((delivery) => ({
    delivery,
    attempts: byDelivery.get(delivery.id) ?? [],
    ...detailsOf(delivery),
  }));
}
