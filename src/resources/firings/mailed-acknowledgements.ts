import type { Pool, RowDataPacket } from 'mysql2/promise';
import { findRecipientById } from '../../delivery/mail/mail-recipients';
import { InvalidInput, NotFound } from '../../platform/errors';
import { isAcknowledgementOf, readAcknowledgeToken } from '../../rules/recipient-token';
import { runOn } from '../../storage/transaction';
import type { FiringsService } from './firings.service';

/** Acknowledgements by recipients of mails, without an account. */
export class MailedAcknowledgements {
  constructor(
    private readonly pool: Pool,
    private readonly firings: FiringsService,
  ) {}

  /**
   * Acknowledges the firing of a link in a mail. InvalidInput for a malformed token, NotFound if its firing no longer
   * exists or another platform issued the token, Conflict if the episode has ended.
   */
  async acknowledge(token: string): Promise<void> {
    const { recipient, firingId } = await this.read(token);
    const [[noted]] = await this.pool.query<RowDataPacket[]>(
      'SELECT e.acknowledged_ms AS ms FROM firings f JOIN firings e ON e.id = COALESCE(f.episode_id, f.id) WHERE f.id = ?',
      [firingId],
    );
    const isFirst = noted?.ms === null;
    const note = isFirst ? `by the link in a mail to ${recipient.address}` : undefined;
    await this.firings.acknowledge(recipient.ownerId, firingId, note);
  }

  /** True if the episode of a link's firing is open. Errors as in `acknowledge`. */
  async isLasting(token: string): Promise<boolean> {
    const { recipient, firingId } = await this.read(token);
    const { firing, first } = await this.firings.find(recipient.ownerId, firingId);
    return (first ?? firing).isLasting;
  }

  private async read(token: string) {
    const parts = readAcknowledgeToken(token);
    if (!parts) throw InvalidInput.field('token', 'must be a token from a link in a mail');
    const recipient = await findRecipientById(runOn(this.pool), parts.id);
    if (!recipient || !isAcknowledgementOf(parts, recipient)) throw new NotFound('the firing');
    return { recipient, firingId: parts.firingId };
  }
}
