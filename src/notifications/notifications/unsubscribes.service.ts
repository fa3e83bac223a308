import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { noteChange } from '../../audit';
import { addressKey } from '../../edge/mail-address';
import type { Clock } from '../../platform/clock';
import { InvalidInput, NotFound } from '../../platform/errors';
import type { JobQueue } from '../../queue/job-queue';
import { inPoolTransaction, type RunSql, runOn } from '../../storage/transaction';
import { allowMails, makePendingDue, refuseMails } from '../delivery/destination-health';
import { acceptMailbox, lockRecipient, type MailRecipient, refuseMailbox } from '../delivery/mail/mail-recipients';
import { isTokenOf, readRecipientToken } from './recipient-token';

/** Parts of notifications that one request disables. Deliveries of the others are refused when they are due. */
const MAX_PARTS = 20;
const NOTIFICATIONS_PER_PART = 500;

interface NotificationRow extends RowDataPacket {
  id: number;
  destination: string;
}

/** Takes the decisions of recipients, who need no account. */
export class UnsubscribesService {
  constructor(
    private readonly pool: Pool,
    private readonly jobQueue: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** Ends the mails of the link's user to its address. May be called again. */
  async unsubscribe(token: string): Promise<void> {
    const change = 'UPDATE mail_recipients SET unsubscribed_ms = COALESCE(unsubscribed_ms, ?) WHERE id = ?';
    const recipient = await this.decide(token, 'unsubscribed', (run, { id }, nowMs) => run(change, [nowMs, id]));
    await this.follow(recipient, async (run, id) => {
      const isOff = await refuseMails(run, id, this.clock.now());
      return isOff ? () => makePendingDue(this.pool, id, this.clock.now()) : undefined;
    });
  }

  /** Ends the mails of all users to the mailbox. Waiting mails are refused when they are due. */
  async unsubscribeFromAll(token: string): Promise<void> {
    await this.decide(token, 'all_refused', (run, { address }, nowMs) => refuseMailbox(run, address, nowMs));
  }

  /** Any link to the mailbox does. The decisions on single users apply again. */
  async allowAll(token: string): Promise<void> {
    await this.decide(token, 'all_accepted', (run, { address }) => acceptMailbox(run, address));
  }

  /** Allows the mails of the link's user, even after a refusal of the mails of all users. */
  async allow(token: string): Promise<void> {
    const change = 'UPDATE mail_recipients SET confirmed_ms = ?, unsubscribed_ms = NULL WHERE id = ?';
    const recipient = await this.decide(token, 'confirmed', (run, { id }, nowMs) => run(change, [nowMs, id]));
    await this.follow(recipient, async (run, id) => {
      await allowMails(run, id, this.clock.now());
      return undefined;
    });
  }

  private decide(
    token: string,
    decision: string,
    change: (run: RunSql, recipient: MailRecipient, nowMs: number) => Promise<unknown>,
  ): Promise<MailRecipient> {
    return inPoolTransaction(this.pool, async (connection) => {
      const recipient = await this.lockRecipientOf(token, connection);
      await change(runOn(connection), recipient, this.clock.now());
      const { id, ownerId: owner, address: name } = recipient;
      const fields = new Map([['mails', [null, decision] as const]]);
      noteChange(connection, { kind: 'mail_recipient', id, owner, name, fields });
      return recipient;
    });
  }

  private async lockRecipientOf(token: string, connection: PoolConnection): Promise<MailRecipient> {
    const parts = readRecipientToken(token);
    if (!parts) throw InvalidInput.field('token', 'must be a token from a link in a mail');
    const recipient = await lockRecipient(runOn(connection), parts.id);
    if (!recipient || !isTokenOf(parts.signature, recipient)) throw new NotFound('this subscription');
    return recipient;
  }

  /** One transaction for each notification. The function that `change` returns runs after the commit. */
  private async follow(
    { ownerId, address }: MailRecipient,
    change: (run: RunSql, id: number) => Promise<(() => Promise<void>) | undefined>,
  ): Promise<void> {
    let afterId = 0;
    for (let part = 0; part < MAX_PARTS; part += 1) {
      const [rows] = await this.pool.query<NotificationRow[]>(
        `SELECT id, destination FROM notifications WHERE owner_id = ? AND type = 'email' AND id > ? ORDER BY id LIMIT ?`,
        [ownerId, afterId, NOTIFICATIONS_PER_PART],
      );
      for (const { id } of rows.filter(({ destination }) => addressKey(destination) === address)) {
        const after = await inPoolTransaction(this.pool, (connection) => change(runOn(connection), id));
        await after?.();
      }
      const last = rows.at(-1);
      if (!last || rows.length < NOTIFICATIONS_PER_PART) break;
      afterId = last.id;
    }
    await this.jobQueue.enqueueEventDispatch([ownerId]);
  }
}
