import type { Alert } from '../../rules/alert';
import { countText, type Digest } from '../../rules/digest';
import type { DeliveryCause, OutgoingDelivery } from './channel';

const MAX_SUBJECT = 200;

/** The subject of a delivery, in one line. */
export function titleOf({ cause, alert }: Pick<OutgoingDelivery, 'cause' | 'alert'>): string {
  if (alert && !isProbe(cause)) return titleOfAlert(alert, cause.kind === 'test');
  return oneLine(cause.kind === 'digest' ? titleOfDigest(cause.digest) : subjectOf(cause));
}

function titleOfAlert(alert: Alert, isTest: boolean): string {
  const prefix = isTest ? 'Test: ' : alert.state === 'resolved' ? 'Resolved: ' : '';
  return oneLine(prefix + urgencyOf([alert]) + headingOf(alert));
}

function titleOfDigest(digest: Digest): string {
  return urgencyOf(digest.items.map(({ alert }) => alert)) + headingOfDigest(digest);
}

/** What a digest is about: how many alerts, and the first of them. */
export function headingOfDigest(digest: Digest): string {
  const [first, ...others] = [...new Set(digest.items.map(({ alert }) => headingOf(alert)))];
  if (first === undefined) return countText(digest);
  return `${countText(digest)}: ${first}${others.length > 0 ? ' and others' : ''}`;
}

/** What an alert is about: its trigger and its sensor. */
export function headingOf({ sensor, trigger }: Alert): string {
  return `${trigger.name} on ${sensor.name}`;
}

/** The word before the subject of a mail with a critical alert. */
function urgencyOf(alerts: readonly Alert[]): string {
  return alerts.some(({ trigger }) => trigger.severity === 'critical') ? 'Critical: ' : '';
}

/** What a delivery without an alert is about. */
export function subjectOf(cause: Exclude<DeliveryCause, { kind: 'digest' }>): string {
  switch (cause.kind) {
    case 'trigger':
      return `Trigger ${cause.triggerId} ${cause.isResolved ? 'is resolved' : 'fired'} on sensor ${cause.sensorId}`;
    case 'event':
      return `Event ${cause.event}`;
    case 'test':
      return cause.isProbe ? 'Probe of a notification' : 'Test of a notification';
    case 'notice':
      return cause.subject;
  }
}

/** A mail needs no values to prove that it arrives. */
export function isProbe(cause: DeliveryCause): boolean {
  return cause.kind === 'test' && cause.isProbe === true;
}

/** Makes a subject one line, so that every mail program shows it as one. */
export function oneLine(text: string): string {
  const characters = [...text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()];
  return characters.length > MAX_SUBJECT ? `${characters.slice(0, MAX_SUBJECT).join('')}…` : characters.join('');
}
