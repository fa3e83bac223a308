import type { Pool, RowDataPacket } from 'mysql2/promise';
import { isOwnerOpen } from '../../access/link-owner';
import { momentText, readerTime, readerZone } from '../../language/reader-time';
import {
  type AcknowledgeToken,
  findNotifications,
  findRecipientById,
  headingOf,
  isAcknowledgementOf,
  isOfNotification,
  labelOf,
  readAcknowledgeToken,
  readFiringAlert,
  readNotificationToken,
  wasDelivered,
} from '../../notifications';
import { InvalidInput, NotFound } from '../../platform/errors';
import type { SecretBox } from '../../platform/secret-box';
import { User } from '../../storage/models/user.model';
import { runOn } from '../../storage/transaction';
import type { FiringsService } from './firings.service';

interface Link {
  ownerId: number;
  firingId: number;
  note: string;
}

export interface LinkedAlert {
  isLasting: boolean;
  heading: string;
  since: string;
  /** Absent if it was not acknowledged. */
  acknowledged?: { at: string; by: string };
}

const FIRING = 'the firing';
const BY_LINK = 'by the link in ';
const BY_MAIL = `${BY_LINK}a mail`;

/** Acknowledges by links in deliveries, without an account. */
export class LinkAcknowledgements {
  constructor(
    private readonly pool: Pool,
    private readonly firings: FiringsService,
    private readonly secretBox: SecretBox,
  ) {}

  /**
   * Throws InvalidInput for a malformed token, NotFound for one that is not of this platform, or whose firing or
   * enabled account is gone; Conflict if the episode has ended.
   */
  async acknowledge(token: string): Promise<void> {
    const { ownerId, firingId, note } = await this.read(token);
    const [[noted]] = await this.pool.query<RowDataPacket[]>(
      'SELECT e.acknowledged_ms AS ms FROM firings f JOIN firings e ON e.id = COALESCE(f.episode_id, f.id) WHERE f.id = ?',
      [firingId],
    );
    await this.firings.acknowledge(ownerId, firingId, noted?.ms === null ? note : undefined);
  }

  /** Throws as `acknowledge` does. */
  async find(token: string): Promise<LinkedAlert> {
    const { ownerId, firingId } = await this.read(token);
    const { firing, first } = await this.firings.find(ownerId, firingId);
    const alert = await readFiringAlert(runOn(this.pool), firingId);
    if (!alert) throw new NotFound(FIRING);
    const owner = await User.findByPk(ownerId, { attributes: ['timezone'] });
    const zone = readerZone(owner?.timezone ?? null, alert.trigger.timezone);
    const momentOf = (ms: number) => momentText(readerTime(ms, zone));
    const { isLasting, firedMs, acknowledgedMs, note } = first ?? firing;
    return {
      isLasting,
      heading: headingOf(alert),
      since: momentOf(firedMs),
      ...(acknowledgedMs !== null && { acknowledged: { at: momentOf(acknowledgedMs), by: meansOf(note) } }),
    };
  }

  private async read(token: string): Promise<Link> {
    const [mailed, delivered] = [readAcknowledgeToken(token), readNotificationToken(token)];
    if (!mailed && !delivered) throw InvalidInput.field('token', 'must be a token from a link in an alert');
    const link = mailed ? await this.linkOfMail(mailed) : delivered && (await this.linkOfNotification(delivered));
    if (!link || !(await isOwnerOpen(runOn(this.pool), link.ownerId))) throw new NotFound(FIRING);
    return link;
  }

  /** Undefined if the signature is wrong. */
  private async linkOfMail(parts: AcknowledgeToken): Promise<Link | undefined> {
    const recipient = await findRecipientById(runOn(this.pool), parts.id);
    if (!recipient || !isAcknowledgementOf(parts, recipient)) return undefined;
    const note = `${BY_MAIL} to ${recipient.address}`;
    return { ownerId: recipient.ownerId, firingId: parts.firingId, note };
  }

  /** Undefined if the signature is wrong, or the delivery was not sent. */
  private async linkOfNotification(parts: AcknowledgeToken): Promise<Link | undefined> {
    if (!isOfNotification(parts, (text) => this.secretBox.sign(text))) return undefined;
    const [notification] = await findNotifications([parts.id]);
    if (!notification || !(await wasDelivered(this.pool, parts.firingId, parts.id))) return undefined;
    const { ownerId } = notification;
    return { ownerId, firingId: parts.firingId, note: BY_LINK + labelOf(notification) };
  }
}

/** Shows neither the address of a mail nor the note of a user. */
function meansOf(note: string | null): string {
  if (note === null || !note.startsWith(BY_LINK)) return 'in the console or by the API';
  return note.startsWith(BY_MAIL) ? BY_MAIL : note;
}
