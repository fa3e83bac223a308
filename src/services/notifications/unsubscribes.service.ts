import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../../clock';
import { inPoolTransaction, runOn } from '../../database/transaction';
import { makePendingDue, switchOff } from '../../deliveries/notification-switch';
import { linkSecrets, readReplacedSecrets } from '../../domain/signing-secrets';
import { isSignedBy, readUnsubscribeToken } from '../../domain/unsubscribe-token';
import { InvalidInput, NotFound } from '../../errors';
import type { JobQueue } from '../../redis/job-queue';

interface NotificationRow extends RowDataPacket {
  id: number;
  destination: string;
  signing_secret: string;
  replaced_secrets: string | null;
}

/** What the recipient of a mail may do without an account: want no more of them. */
export class UnsubscribesService {
  constructor(
    private readonly pool: Pool,
    private readonly jobQueue: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** Switches the notification of the link off. Harmless when it is off already. */
  async unsubscribe(token: string): Promise<void> {
    const parts = readUnsubscribeToken(token);
    if (!parts) throw InvalidInput.field('token', 'must be a token from a link in a mail');
    const { notificationId, signature } = parts;
    const isOff = await inPoolTransaction(this.pool, async (connection) => {
      const [rows] = await connection.query<NotificationRow[]>(
        'SELECT id, destination, signing_secret, replaced_secrets FROM notifications WHERE id = ? FOR UPDATE',
        [notificationId],
      );
      const nowMs = this.clock.now();
      if (!rows[0] || !isGood(signature, rows[0], nowMs)) throw new NotFound('this subscription');
      return switchOff(runOn(connection), notificationId, 'unsubscribed', nowMs);
    });
    if (!isOff) return;
    await this.jobQueue.enqueueEventDispatch();
    await makePendingDue(this.pool, notificationId, this.clock.now());
  }
}

function isGood(signature: Buffer, notification: NotificationRow, nowMs: number): boolean {
  const { id, destination, signing_secret, replaced_secrets } = notification;
  const secrets = linkSecrets(signing_secret, readReplacedSecrets(replaced_secrets), nowMs);
  return isSignedBy(signature, { notificationId: id, destination }, secrets);
}
