import type { Clock } from '../clock';
import type { Database } from '../database';
import { hurryPending } from '../deliveries/notification-switch';
import { linkSecrets, readReplacedSecrets } from '../domain/signing-secrets';
import { isSignedBy, readUnsubscribeToken } from '../domain/unsubscribe-token';
import { InvalidInput, NotFound } from '../errors';
import { Notification } from '../models/notification.model';
import type { EventLog } from './event-log';
import { inTransaction } from './transaction';

/** What the recipient of a mail may do without an account: want no more of them. */
export class UnsubscribesService {
  constructor(
    private readonly database: Database,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  /** Switches the notification of the link off. Harmless when it is off already. */
  async unsubscribe(token: string): Promise<void> {
    const parts = readUnsubscribeToken(token);
    if (!parts) throw InvalidInput.field('token', 'must be the one of a link in a mail');
    const { notificationId, signature } = parts;
    const isOff = await inTransaction(this.database.sequelize, async (transaction) => {
      const lock = transaction.LOCK.UPDATE;
      const notification = await Notification.findByPk(notificationId, { transaction, lock });
      if (!notification || !isGood(signature, notification, this.clock.now())) throw new NotFound('this subscription');
      if (!notification.enabled) return false;
      await notification.update({ enabled: false, disabledReason: 'unsubscribed' }, { transaction });
      const { ownerId: userId } = notification;
      await this.events.raise(transaction, { name: 'update_notification', subjectId: notificationId, userId });
      return true;
    });
    if (isOff) await hurryPending(this.database.pool, notificationId, this.clock.now());
  }
}

function isGood(signature: Buffer, notification: Notification, nowMs: number): boolean {
  const { id, destination, signingSecret, replacedSecrets } = notification;
  const secrets = linkSecrets(signingSecret, readReplacedSecrets(replacedSecrets), nowMs);
  return isSignedBy(signature, { notificationId: id, destination }, secrets);
}
