import type { Pool, RowDataPacket } from 'mysql2/promise';
import { findRecipientById } from '../../delivery/mail/mail-recipients';
import type { Clock } from '../../platform/clock';
import { InvalidInput, NotFound } from '../../platform/errors';
import { labelOf } from '../../rules/notification-label';
import {
  type AcknowledgeToken,
  isAcknowledgementOf,
  isOfNotification,
  readAcknowledgeToken,
  readNotificationToken,
} from '../../rules/recipient-token';
import { readReplacedSecrets, signingSecrets } from '../../rules/signing-secrets';
import { Notification } from '../../storage/models/notification.model';
import { runOn } from '../../storage/transaction';
import type { FiringsService } from './firings.service';

/** A valid link: the firing, its owner, and what the record of the acknowledgement says. */
interface Link {
  ownerId: number;
  firingId: number;
  note: string;
}

/** Acknowledgements by the links in deliveries, without an account. */
export class LinkAcknowledgements {
  constructor(
    private readonly pool: Pool,
    private readonly firings: FiringsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Acknowledges the firing of a link. InvalidInput for a malformed token, NotFound if its firing no longer exists or
   * another platform issued the token, Conflict if the episode has ended.
   */
  async acknowledge(token: string): Promise<void> {
    const { ownerId, firingId, note } = await this.read(token);
    const [[noted]] = await this.pool.query<RowDataPacket[]>(
      'SELECT e.acknowledged_ms AS ms FROM firings f JOIN firings e ON e.id = COALESCE(f.episode_id, f.id) WHERE f.id = ?',
      [firingId],
    );
    await this.firings.acknowledge(ownerId, firingId, noted?.ms === null ? note : undefined);
  }

  /** True if the episode of a link's firing is open. Errors as in `acknowledge`. */
  async isLasting(token: string): Promise<boolean> {
    const { ownerId, firingId } = await this.read(token);
    const { firing, first } = await this.firings.find(ownerId, firingId);
    return (first ?? firing).isLasting;
  }

  private async read(token: string): Promise<Link> {
    const [mailed, delivered] = [readAcknowledgeToken(token), readNotificationToken(token)];
    if (!mailed && !delivered) throw InvalidInput.field('token', 'must be a token from a link in an alert');
    const link = mailed ? await this.linkOfMail(mailed) : delivered && (await this.linkOfNotification(delivered));
    if (!link) throw new NotFound('the firing');
    return link;
  }

  /** The link of a mail; undefined if its signature is wrong. */
  private async linkOfMail(parts: AcknowledgeToken): Promise<Link | undefined> {
    const recipient = await findRecipientById(runOn(this.pool), parts.id);
    if (!recipient || !isAcknowledgementOf(parts, recipient)) return undefined;
    const note = `by the link in a mail to ${recipient.address}`;
    return { ownerId: recipient.ownerId, firingId: parts.firingId, note };
  }

  /** The link of a delivery by another channel; undefined if its signature is wrong. */
  private async linkOfNotification(parts: AcknowledgeToken): Promise<Link | undefined> {
    const notification = await Notification.findByPk(parts.id);
    if (!notification) return undefined;
    const { id, ownerId, signingSecret, replacedSecrets } = notification;
    const secrets = signingSecrets(signingSecret, readReplacedSecrets(replacedSecrets), this.clock.now());
    const isValid = secrets.some((secret) => isOfNotification(parts, { id, secret }));
    return isValid ? { ownerId, firingId: parts.firingId, note: `by the link in ${labelOf(notification)}` } : undefined;
  }
}
