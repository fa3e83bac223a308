import { momentText, readerTime, readerZone } from '../../../language/reader-time';
import { type Alert, headingOf, inactiveSinceMs, unacknowledgedText } from '../alert';
import { countText, type Digest } from '../digest';
import type { DeliveryCause, OutgoingDelivery } from './channel';
import { descriptionOf } from './event-things';

const MAX_SUBJECT = 200;

type TitledDelivery = Pick<OutgoingDelivery, 'cause' | 'alert' | 'ownerTimezone'>;

/** One line. */
export function titleOf({ cause, alert, ownerTimezone }: TitledDelivery): string {
  if (alert && !isProbe(cause)) {
    const heading = headingOf(alert, sinceText(alert, ownerTimezone));
    return oneLine(prefixOf(cause, alert) + urgencyOf([alert]) + heading);
  }
  return oneLine(cause.kind === 'digest' ? titleOfDigest(cause.digest) : subjectOf(cause));
}

function prefixOf(cause: DeliveryCause, alert: Alert): string {
  if (cause.kind === 'test') return 'Test: ';
  if (cause.kind === 'trigger' && cause.isAcknowledged) return 'Acknowledged: ';
  if (alert.state === 'resolved') return 'Resolved: ';
  const unacknowledged = unacknowledgedText(alert);
  return unacknowledged && `Escalation, ${unacknowledged}: `;
}

/** In the zone of the readers; empty unless a sensor is inactive. */
function sinceText(alert: Alert, ownerTimezone: string | null): string {
  const sinceMs = inactiveSinceMs(alert);
  if (sinceMs === undefined) return '';
  return momentText(readerTime(sinceMs, readerZone(ownerTimezone, alert.trigger.timezone)));
}

function titleOfDigest(digest: Digest): string {
  return urgencyOf(digest.items.map(({ alert }) => alert)) + headingOfDigest(digest);
}

export function headingOfDigest(digest: Digest): string {
  const [first, ...others] = [...new Set(digest.items.map(({ alert }) => headingOf(alert)))];
  if (first === undefined) return countText(digest);
  return `${countText(digest)}: ${first}${others.length > 0 ? ' and others' : ''}`;
}

function urgencyOf(alerts: readonly Alert[]): string {
  return alerts.some(({ trigger }) => trigger.severity === 'critical') ? 'Critical: ' : '';
}

export function subjectOf(cause: Exclude<DeliveryCause, { kind: 'digest' }>): string {
  switch (cause.kind) {
    case 'trigger':
      return `Trigger ${cause.triggerId} ${verbOf(cause)} on sensor ${cause.sensorId}`;
    case 'event':
      return descriptionOf(cause);
    case 'test':
      return cause.isProbe ? 'Probe of a notification' : 'Test of a notification';
    case 'notice':
      return cause.subject;
  }
}

function verbOf({ isResolved, isAcknowledged }: Extract<DeliveryCause, { kind: 'trigger' }>): string {
  if (isAcknowledged) return 'was acknowledged';
  return isResolved ? 'is resolved' : 'fired';
}

/** A mail needs no values to prove that it arrives. */
export function isProbe(cause: DeliveryCause): boolean {
  return cause.kind === 'test' && cause.isProbe === true;
}

/** Every mail program then shows the subject. */
export function oneLine(text: string): string {
  const characters = [...text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()];
  return characters.length > MAX_SUBJECT ? `${characters.slice(0, MAX_SUBJECT).join('')}…` : characters.join('');
}
