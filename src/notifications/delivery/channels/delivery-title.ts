import { momentText, readerTime, readerZone } from '../../../language/reader-time';
import type { Words } from '../../../platform/words/words';
import { type Alert, headingOf, inactiveSinceMs, unacknowledgedText } from '../alert';
import { countText, type Digest } from '../digest';
import type { DeliveryCause, OutgoingDelivery } from './channel';
import { descriptionOf } from './event-things';

const MAX_SUBJECT = 200;

type TitledDelivery = Pick<OutgoingDelivery, 'cause' | 'alert' | 'ownerTimezone' | 'words'>;

/** One line. */
export function titleOf(delivery: TitledDelivery): string {
  const { cause, alert, words } = delivery;
  if (alert && !isProbe(cause)) {
    const heading = headingOf(alert, words, sinceText(alert, delivery));
    return oneLine(prefixOf(cause, alert, words) + urgencyOf([alert], words) + heading);
  }
  return oneLine(cause.kind === 'digest' ? titleOfDigest(cause.digest, words) : subjectOf(cause, words));
}

function prefixOf(cause: DeliveryCause, alert: Alert, words: Words): string {
  if (cause.kind === 'test') return `${words.t('Test')}: `;
  if (cause.kind === 'trigger' && cause.isAcknowledged) return `${words.t('Acknowledged')}: `;
  if (alert.state === 'resolved') return `${words.t('Resolved')}: `;
  const unacknowledged = unacknowledgedText(alert, words);
  return unacknowledged && `${words.t('Escalation')}, ${unacknowledged}: `;
}

/** In the zone of the readers; empty unless a sensor is inactive. */
function sinceText(alert: Alert, { ownerTimezone, words }: TitledDelivery): string {
  const sinceMs = inactiveSinceMs(alert);
  if (sinceMs === undefined) return '';
  return momentText(readerTime(sinceMs, readerZone(ownerTimezone, alert.trigger.timezone), words.language));
}

function titleOfDigest(digest: Digest, words: Words): string {
  const alerts = digest.items.map(({ alert }) => alert);
  return urgencyOf(alerts, words) + headingOfDigest(digest, words);
}

export function headingOfDigest(digest: Digest, words: Words): string {
  const alerts = countText(digest, words);
  const [first, ...others] = [...new Set(digest.items.map(({ alert }) => headingOf(alert, words)))];
  if (first === undefined) return alerts;
  return others.length > 0 ? words.t('{alerts}: {first} and others', { alerts, first }) : `${alerts}: ${first}`;
}

function urgencyOf(alerts: readonly Alert[], words: Words): string {
  return alerts.some(({ trigger }) => trigger.severity === 'critical') ? `${words.t('Critical')}: ` : '';
}

/** Describes a delivery without an alert. */
export function subjectOf(cause: Exclude<DeliveryCause, { kind: 'digest' }>, words: Words): string {
  switch (cause.kind) {
    case 'trigger':
      return words.t(happeningOf(cause), { trigger: cause.triggerId, sensor: cause.sensorId });
    case 'event':
      return descriptionOf(cause, words);
    case 'test':
      return words.t(cause.isProbe ? 'Probe of a notification' : 'Test of a notification');
    case 'notice':
      return cause.subject;
  }
}

function happeningOf({ isResolved, isAcknowledged }: Extract<DeliveryCause, { kind: 'trigger' }>) {
  if (isAcknowledged) return 'Trigger {trigger} was acknowledged on sensor {sensor}';
  return isResolved ? 'Trigger {trigger} is resolved on sensor {sensor}' : 'Trigger {trigger} fired on sensor {sensor}';
}

/** A mail needs no values to prove that it arrives. */
export function isProbe(cause: DeliveryCause): boolean {
  return cause.kind === 'test' && cause.isProbe === true;
}

/** Keeps a subject on one line in every mail program. */
export function oneLine(text: string): string {
  const characters = [...text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()];
  return characters.length > MAX_SUBJECT ? `${characters.slice(0, MAX_SUBJECT).join('')}…` : characters.join('');
}
