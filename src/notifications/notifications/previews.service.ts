import type { Pool } from 'mysql2/promise';
import { LAST_DATE_MS } from '../../edge/dates';
import type { Page } from '../../edge/paging';
import type { TimeRange } from '../../edge/time-range';
import { renderText, type TextValues } from '../../language/notification-text';
import type { Clock } from '../../platform/clock';
import { InvalidInput, NotFound } from '../../platform/errors';
import { inOneStep } from '../../platform/steps';
import { Words } from '../../platform/words/words';
import type { Notification } from '../../storage/models/notification.model';
import { User } from '../../storage/models/user.model';
import { type RunSql, runOn } from '../../storage/transaction';
import type { RequestedSends } from '../deliveries/requested-sends';
import { composeSample, composeTest, type TestAlert, withValues } from '../deliveries/test-alerts';
import type { Alert } from '../delivery/alert';
import { readEndAlerts, readFiringAlert, withLabels } from '../delivery/alerts';
import { channelOf } from '../delivery/channels';
import type { DeliveryCause, OutgoingDelivery } from '../delivery/channels/channel';
import type { DeliveryComputing } from '../delivery/delivery-computing';
import { newWebhookId } from '../delivery/delivery-rows';
import { wordsOf } from '../delivery/delivery-words';
import { webhookRequestOf } from '../delivery/outgoing';
import { endText } from '../delivery/resolved-deliveries';
import type { ShownRequest } from '../delivery/shown-request';
import { textNote } from '../delivery/text-note';
import type { WebhookFormat } from '../delivery/webhook-format';
import { forState, HIDDEN, type ReportedState } from '../requests/webhook-request';
import type { NewNotificationInput, NotificationInput } from './notification-input';
import type { NotificationsService } from './notifications.service';
import { hideSecrets } from './sealed-values';

export type PreviewInput = (
  | { id: undefined; notification: NewNotificationInput }
  | { id: number; notification: NotificationInput }
) & {
  /** Undefined for the latest firing. */
  firingId: number | undefined;
  state: ReportedState;
};

export interface Preview {
  request: ShownRequest;
  states: ReportedState[];
}

interface Content {
  alert?: Alert;
  /** Takes up to 30 ms. */
  write(): Written;
  cause: DeliveryCause;
}

interface Written {
  text: string;
  /** Why parts of the text are empty. */
  note: string | undefined;
}

interface FiringContent {
  firingId: number;
  text: string;
  /** Where templates may stand. */
  templates: readonly (string | null)[];
  state: ReportedState;
  nowMs: number;
  words: Words;
}

interface PreviewOptions {
  state: ReportedState;
  nowMs: number;
  publicUrl: string;
  /** Null if not known. */
  ownerTimezone: string | null;
  words: Words;
}

export interface RecordedFirings {
  /** NotFound unless the firing is one of the user's. */
  find(userId: number, firingId: number, whose: 'own'): Promise<unknown>;
  /** The latest ones first. */
  list(
    userId: number,
    filter: TimeRange,
    page: Page,
    how: { sort: 'DESC'; whose: 'own' },
  ): Promise<{ items: readonly { firing: { id: number } }[] }>;
}

interface PreviewParts {
  pool: Pool;
  clock: Clock;
  notifications: NotificationsService;
  firings: RecordedFirings;
  sends: RequestedSends;
  publicUrl: string;
  deliveryComputing: DeliveryComputing;
}

/** Stores nothing and sends nothing. */
export class NotificationPreviews {
  constructor(private readonly parts: PreviewParts) {}

  /**
   * Without a firing, shows a test. Hides secrets. InvalidInput as when the notification is saved; NotFound if the
   * notification or the firing is not the user's; TooMany beyond the limit of tests.
   */
  async preview(userId: number, read: (words: Words) => PreviewInput): Promise<Preview> {
    const owner = await User.findByPk(userId, { attributes: ['timezone', 'language'] });
    const owner_language = owner?.language ?? null;
    const input = read(Words.in(owner_language));
    const { state } = input;
    await this.parts.sends.charge(userId);
    const notification = await this.draft(userId, input);
    const states: ReportedState[] = ['firing', 'resolved'];
    if (notification.bodyAcknowledged !== null) states.push('acknowledged');
    if (!states.includes(state)) {
      throw InvalidInput.field('state', 'must not be acknowledged without a body_acknowledged');
    }
    const words = wordsOf({ type: notification.type, body: notification.body, owner_language });
    const content = await this.contentOf(userId, notification, { ...input, words });
    const { publicUrl, clock, deliveryComputing } = this.parts;
    const { text, note } = await deliveryComputing.run(userId, inOneStep(content.write));
    const options = { state, nowMs: clock.now(), publicUrl, ownerTimezone: owner?.timezone ?? null, words };
    const delivery = outgoingOf(notification, { ...content, text }, options);
    const steps = channelOf(notification.type).show(delivery, publicUrl);
    const request = await deliveryComputing.run(userId, steps);
    const notes = [request.note, note].filter((note) => note !== undefined);
    return { request: { ...request, ...(notes.length > 0 && { note: notes.join('; ') }) }, states };
  }

  private async draft(userId: number, { id, notification }: PreviewInput): Promise<Notification> {
    if (id !== undefined) return this.parts.notifications.draftChange(userId, id, notification);
    return this.parts.notifications.draftNew(userId, notification);
  }

  private async contentOf(
    userId: number,
    { text, destination, body }: Notification,
    { id, firingId, state, words }: PreviewInput & { words: Words },
  ): Promise<Content> {
    const nowMs = this.parts.clock.now();
    const found = firingId ?? (await this.latestFiring(userId));
    if (found === undefined) {
      const isNew = id === undefined;
      const test = isNew ? composeSample(nowMs, words) : await composeTest(this.parts.pool, id, { nowMs, words });
      return contentOfTest(text, test, { state, words });
    }
    await this.parts.firings.find(userId, found, 'own');
    const content = { firingId: found, text, templates: [destination, body], state, nowMs, words };
    return contentOfFiring(runOn(this.parts.pool), content);
  }

  private async latestFiring(userId: number): Promise<number | undefined> {
    const page = { offset: 0, limit: 1, withTotal: false };
    const { items } = await this.parts.firings.list(userId, { startMs: 0, endMs: LAST_DATE_MS }, page, {
      sort: 'DESC',
      whose: 'own',
    });
    return items[0]?.firing.id;
  }
}

function contentOfTest(
  text: string,
  { alert, values }: TestAlert,
  { state, words }: Pick<FiringContent, 'state' | 'words'>,
): Content {
  const isEnd = state === 'resolved';
  const cause: DeliveryCause =
    state === 'acknowledged' ? { kind: 'trigger', sensorId: 0, triggerId: 0, isAcknowledged: true } : { kind: 'test' };
  return {
    ...(alert && { alert: isEnd ? { ...alert, state: 'resolved' } : alert }),
    write: () => (isEnd ? { text: endText(null, values, { words }), note: undefined } : rendered(text, values)),
    cause,
  };
}

async function contentOfFiring(
  run: RunSql,
  { firingId, text, templates, state, nowMs, words }: FiringContent,
): Promise<Content> {
  const found = await readFiringAlert(run, firingId);
  if (!found) throw new NotFound('the firing');
  const alert = await withLabels(run, found, [text, ...templates]);
  const { values } = withValues(alert, words);
  const cause = {
    ...{ kind: 'trigger' as const, sensorId: Number(alert.sensor.id), triggerId: Number(alert.trigger.id) },
    ...{ isResolved: state === 'resolved', isAcknowledged: state === 'acknowledged' },
  };
  if (state !== 'resolved') return { alert, write: () => rendered(text, values), cause };
  const { endAlert, endTemplate } = await readEnd(run, alert, nowMs);
  const write = () => ({
    text: endText(endTemplate, values, { words }),
    note: textNote(endTemplate ?? '', values),
  });
  return { alert: endAlert, write, cause };
}

function rendered(text: string, values: TextValues): Written {
  return { text: renderText(text, values), note: textNote(text, values) };
}

/** An open episode ends now. */
async function readEnd(run: RunSql, alert: Alert, nowMs: number) {
  const firstId = Number(alert.episodeId);
  const [row] = await run(
    `SELECT t.resolved_text AS text, e.ended_ms AS endedMs FROM firings e JOIN triggers t ON t.id = e.trigger_id
     WHERE e.id = ?`,
    [firstId],
  );
  const ended = row && row.endedMs !== null ? (await readEndAlerts(run, [firstId], nowMs)).get(firstId) : undefined;
  const now: Alert = { ...alert, state: 'resolved', dateMs: nowMs, atMs: nowMs };
  return {
    endAlert: ended ?? now,
    endTemplate: row?.text === undefined || row.text === null ? null : String(row.text),
  };
}

/** Hides secrets. */
function outgoingOf(
  notification: Notification,
  { alert, text, cause }: Pick<Content, 'alert' | 'cause'> & { text: string },
  { state, nowMs, publicUrl, ownerTimezone, words }: PreviewOptions,
): OutgoingDelivery {
  const { destination, destinationResolved, destinationAcknowledged } = notification;
  const destinations = { firing: destination, resolved: destinationResolved, acknowledged: destinationAcknowledged };
  const canBeAcknowledged = cause.kind === 'trigger' && state === 'firing';
  return {
    id: 0,
    ownerId: notification.ownerId,
    webhookId: newWebhookId(),
    destination: forState(state, destinations) ?? destination,
    text,
    cause,
    ...(alert && { alert }),
    format: notification.format as WebhookFormat, // the column holds nothing else
    createdMs: nowMs,
    ownerTimezone,
    words,
    ...(canBeAcknowledged && { acknowledgeUrl: `${publicUrl}/acknowledge?token=${HIDDEN}` }),
    ...(notification.type === 'url' && { request: webhookRequestOf(notification, state, hideSecrets) }),
    signingSecrets: [],
  };
}
