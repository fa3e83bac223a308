import type { Pool, RowDataPacket } from 'mysql2/promise';
import { isOwnerOpen } from '../../access/link-owner';
import { muteEndMs } from '../../edge/mute';
import type { Severity } from '../../edge/severity';
import { momentText, readerTime, readerZone } from '../../language/reader-time';
import {
  type AcknowledgeToken,
  findNotifications,
  findRecipientById,
  headingOf,
  isAcknowledgementOf,
  isOfNotification,
  labelOf,
  personOfMails,
  readAcknowledgeToken,
  readFiringAlert,
  readNotificationToken,
  wasDelivered,
} from '../../notifications';
import type { Clock } from '../../platform/clock';
import { Conflict, InvalidInput, NotFound } from '../../platform/errors';
import type { SecretBox } from '../../platform/secret-box';
import type { Words } from '../../platform/words/words';
import { User } from '../../storage/models/user.model';
import { runOn } from '../../storage/transaction';
import type { MutesService } from '../mutes/mutes.service';
import type { EpisodeFiring } from './firing-episodes';
import type { FiringsService } from './firings.service';
import { BY_LINK, BY_MAIL } from './link-note';

interface Link {
  ownerId: number;
  firingId: number;
  note: string;
  /** Empty if the notification names nobody. */
  person: string;
}

/** Texts are in the language of the page. */
export interface LinkedAlert {
  isLasting: boolean;
  severity: Severity;
  heading: string;
  since: string;
  sensorId: number;
  atMs: number;
  /** Absent if it was not acknowledged. */
  acknowledged?: { at: string; by: string };
  /** Absent unless it is muted now. */
  mutedUntil?: string;
  /** At night, the end of the night by the clock of the readers, at most twelve hours ahead. */
  morning?: { atMs: number; time: string };
}

const FIRING = 'the firing';
const HOUR_MS = 3_600_000;
const LONGEST_MUTE_MS = 12 * HOUR_MS;
const NIGHT = { days: [0, 1, 2, 3, 4, 5, 6], from: '19:00', to: '07:00' };
const MAX_NAME = 255;

interface Parts {
  pool: Pool;
  firings: FiringsService;
  mutes: MutesService;
  secretBox: SecretBox;
  clock: Clock;
}

/** Acknowledges and mutes by links in deliveries, without an account. */
export class LinkAcknowledgements {
  constructor(private readonly parts: Parts) {}

  /**
   * Throws InvalidInput for a malformed token, NotFound for one that is not of this platform, or whose firing or
   * enabled account is gone; Conflict if the episode has ended.
   */
  async acknowledge(token: string): Promise<void> {
    const { ownerId: userId, firingId, note, person } = await this.read(token);
    const [[noted]] = await this.parts.pool.query<RowDataPacket[]>(
      'SELECT e.acknowledged_ms AS ms FROM firings f JOIN firings e ON e.id = COALESCE(f.episode_id, f.id) WHERE f.id = ?',
      [firingId],
    );
    await this.parts.firings.acknowledge({ userId, person }, firingId, noted?.ms === null ? note : undefined);
  }

  /**
   * Mutes the trigger on the sensor until then, at most twelve hours ahead; without a time, for an hour. The mute names
   * the link, which has one: repeating it moves its end. Throws as `acknowledge` does, and Conflict at the limit of mutes.
   */
  async mute(token: string, untilMs?: number): Promise<void> {
    const { ownerId, firingId, note } = await this.read(token);
    const { firing, first } = await this.parts.firings.find(ownerId, firingId, 'own');
    if (!(first ?? firing).isLasting) throw new Conflict('the episode has ended');
    const nowMs = this.parts.clock.now();
    const endMs = untilMs ?? nowMs + HOUR_MS;
    if (endMs <= nowMs) throw InvalidInput.field('until', 'must be in the future');
    if (endMs > nowMs + LONGEST_MUTE_MS) throw InvalidInput.field('until', 'must be at most 12 hours ahead');
    const { sensorId, triggerId } = firing;
    const about = { sensors: [sensorId], triggers: [triggerId] };
    await this.parts.mutes.put(ownerId, { name: note.slice(0, MAX_NAME), ...about, startMs: nowMs, endMs });
  }

  /** Throws as `acknowledge` does. */
  async find(token: string, words: Words): Promise<LinkedAlert> {
    const { ownerId, firingId } = await this.read(token);
    const { firing, first, mutedNow } = await this.parts.firings.find(ownerId, firingId, 'own');
    const alert = await readFiringAlert(runOn(this.parts.pool), firingId);
    if (!alert) throw new NotFound(FIRING);
    const owner = await User.findByPk(ownerId, { attributes: ['timezone'] });
    const zone = readerZone(owner?.timezone ?? null, alert.trigger.timezone);
    const momentOf = (ms: number) => momentText(readerTime(ms, zone, words.language));
    const { isLasting, firedMs, acknowledgedMs } = first ?? firing;
    return {
      isLasting,
      severity: alert.trigger.severity,
      heading: headingOf(alert, words),
      since: momentOf(firedMs),
      ...{ sensorId: firing.sensorId, atMs: firing.firedMs },
      ...(acknowledgedMs !== null && {
        acknowledged: { at: momentOf(acknowledgedMs), by: meansOf(first ?? firing, words) },
      }),
      ...(mutedNow && { mutedUntil: momentOf(mutedNow.untilMs) }),
      ...morningOf(firing, zone, this.parts.clock.now()),
    };
  }

  private async read(token: string): Promise<Link> {
    const [mailed, delivered] = [readAcknowledgeToken(token), readNotificationToken(token)];
    if (!mailed && !delivered) throw InvalidInput.field('token', 'must be a token from a link in an alert');
    const link = mailed ? await this.linkOfMail(mailed) : delivered && (await this.linkOfNotification(delivered));
    if (!link || !(await isOwnerOpen(runOn(this.parts.pool), link.ownerId))) throw new NotFound(FIRING);
    return link;
  }

  /** Undefined if the signature is wrong. */
  private async linkOfMail(parts: AcknowledgeToken): Promise<Link | undefined> {
    const recipient = await findRecipientById(runOn(this.parts.pool), parts.id);
    if (!recipient || !isAcknowledgementOf(parts, recipient)) return undefined;
    const note = `${BY_MAIL} to ${recipient.address}`;
    const { ownerId, address } = recipient;
    return { ownerId, firingId: parts.firingId, note, person: await personOfMails(ownerId, address) };
  }

  /** Undefined if the signature is wrong, or the delivery was not sent. */
  private async linkOfNotification(parts: AcknowledgeToken): Promise<Link | undefined> {
    if (!isOfNotification(parts, (text) => this.parts.secretBox.sign(text))) return undefined;
    const [notification] = await findNotifications([parts.id]);
    if (!notification || !(await wasDelivered(this.parts.pool, parts.firingId, parts.id))) return undefined;
    const { ownerId, person } = notification;
    return { ownerId, firingId: parts.firingId, note: BY_LINK + labelOf(notification), person: person ?? '' };
  }
}

/** Empty by day, and for a night that is still longer than twelve hours. */
function morningOf(
  { sensorId, triggerId }: EpisodeFiring['firing'],
  timezone: string,
  nowMs: number,
): Pick<LinkedAlert, 'morning'> {
  const always = { startMs: null, endMs: null, sensors: null, triggers: null, deliversAfter: false };
  const night = { ...always, weekly: { ...NIGHT, timezone } };
  const atMs = muteEndMs({ mutes: [night], mutedUntilMs: null }, { sensorId, triggerId, atMs: nowMs });
  return atMs > nowMs && atMs <= nowMs + LONGEST_MUTE_MS ? { morning: { atMs, time: NIGHT.to } } : {};
}

/** Shows neither the address of a mail nor the note of a user. */
function meansOf({ acknowledgedPerson, note }: EpisodeFiring['firing'], words: Words): string {
  if (acknowledgedPerson) return words.t('by {name}', { name: acknowledgedPerson });
  if (note === null || !note.startsWith(BY_LINK)) return words.t('in the console or by the API');
  if (note.startsWith(BY_MAIL)) return words.t('by the link in a mail');
  return words.t('by the link in {name}', { name: note.slice(BY_LINK.length) });
}
