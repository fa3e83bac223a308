import type { RowDataPacket } from 'mysql2/promise';
import type { Transaction } from 'sequelize';
import { findOwned } from '../../access/find-owned';
import type { Clock } from '../../platform/clock';
import { Conflict, NotFound, PlatformError } from '../../platform/errors';
import type { Database } from '../../storage';
import { Delivery } from '../../storage/models/delivery.model';
import { Notification } from '../../storage/models/notification.model';
import { ThrottledDelivery } from '../../storage/models/throttled-delivery.model';
import { forUpdate, inPoolTransaction, inTransaction } from '../../storage/transaction';
import { receiverOf } from '../delivery/channels';
import { NUDGE_COLUMNS, type NudgeRow, nudgeOf } from '../delivery/delivery-rows';
import type { DeliveryRunner } from '../delivery/delivery-runner';
import { kindOf } from '../kinds';
import type { NotificationsService } from '../notifications/notifications.service';
import type { RequestedSends } from './requested-sends';

const DELIVERIES_PER_STATEMENT = 1_000;
/** The next request takes the rest. */
const MOST_AT_ONCE = 10_000;

/** Sends deliveries again: with their ids, to the current destination. The schedule of attempts starts over. */
export class RedeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly notifications: NotificationsService,
    private readonly runner: Pick<DeliveryRunner, 'start'>,
    private readonly clock: Clock,
    private readonly sends: RequestedSends,
  ) {}

  /** TooMany beyond the limit, Conflict if the recipient of a mail does not want it. */
  async redeliver(userId: number, id: number): Promise<void> {
    await this.sends.charge(userId);
    const delivery = await inTransaction(this.database.sequelize, async (transaction) => {
      const found = await findOwned(Delivery, { id, ownerId: userId }, 'the delivery', forUpdate(transaction));
      return this.restart(found, transaction);
    });
    await this.runner.start([nudgeOf({ ...delivery.get(), owner_id: delivery.ownerId })]);
  }

  /** For operators. True if the delivery may be sent and was restarted. Enqueues nothing: the caller has its job. */
  restartIfFailed(id: number): Promise<boolean> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const found = await Delivery.findOne({ where: { id, status: 'failed' }, ...forUpdate(transaction) });
      if (!found) return false;
      return this.restart(found, transaction).then(
        () => true,
        (error: unknown) => {
          if (error instanceof PlatformError) return false;
          throw error;
        },
      );
    });
  }

  /** Oldest first, at most 10,000. Returns the number. */
  async redeliverFailed(userId: number, notificationId: number): Promise<number> {
    const notification = await this.notifications.find(userId, notificationId);
    if (!notification.enabled) throw switchedOff();
    await this.sends.charge(userId);
    await this.sends.require(userId, notification);
    let redelivered = 0;
    // A delivery that fails again meanwhile is not taken twice.
    for (let afterId = 0; redelivered < MOST_AT_ONCE; ) {
      const rows = await this.redeliverBatch(notification, afterId);
      const last = rows.at(-1);
      if (!last) break;
      afterId = last.id;
      redelivered += rows.length;
      await this.runner.start(
        rows.map((row) => ({
          ...nudgeOf(row),
          attempts: 0,
          receiver: receiverOf(notification.type, notification.destination),
        })),
      );
    }
    return redelivered;
  }

  private async restart(delivery: Delivery, transaction: Transaction): Promise<Delivery> {
    const notification = await Notification.findByPk(delivery.notificationId, { transaction });
    if (!notification) throw new NotFound('the notification of this delivery');
    const kind = kindOf(delivery);
    if (!kind.isSentWhileOff && !notification.enabled) throw switchedOff();
    const { type, destination } = kind.isForOwner ? delivery : notification;
    await this.sends.require(delivery.ownerId, { type, destination });
    delivery.set({ type, destination, receiver: receiverOf(type, destination), status: 'pending', attempts: 0 });
    delivery.set({
      nextAttemptMs: this.clock.now(),
      finishedMs: null,
      throttledMs: null,
      permit: null,
      waitsFor: null,
    });
    // The delivery goes alone and now, whatever becomes of its episode or mute.
    delivery.set({ digestId: null, escalation: false, afterMute: false });
    await ThrottledDelivery.destroy({ where: { deliveryId: delivery.id }, transaction });
    return delivery.save({ transaction });
  }

  private redeliverBatch(notification: Notification, afterId: number): Promise<NudgeRow[]> {
    const { id, type, destination } = notification;
    return inPoolTransaction(this.database.pool, async (connection) => {
      const [rows] = await connection.query<(RowDataPacket & NudgeRow)[]>(
        `SELECT ${NUDGE_COLUMNS} FROM deliveries
         WHERE notification_id = ? AND status = 'failed' AND id > ? AND kind <> 'notice' AND digest_id IS NULL
         ORDER BY id LIMIT ? FOR UPDATE`,
        [id, afterId, DELIVERIES_PER_STATEMENT],
      );
      if (rows.length === 0) return rows;
      await connection.query(
        `UPDATE deliveries SET type = ?, destination = ?, receiver = ?, status = 'pending', attempts = 0, next_attempt_ms = ?,
           finished_ms = NULL, escalation = FALSE,
           after_mute = FALSE WHERE id IN (?)`,
        [type, destination, receiverOf(type, destination), this.clock.now(), rows.map((row) => row.id)],
      );
      return rows;
    });
  }
}

function switchedOff(): Conflict {
  return new Conflict('the notification is switched off: switch it on first');
}
