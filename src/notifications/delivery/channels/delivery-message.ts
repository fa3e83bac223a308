import { readingIn } from '../../../language/measured-value';
import { markedSample } from '../../../language/sample-value';
import type { Words } from '../../../platform/words/words';
import type { Alert } from '../alert';
import { reasonOf } from './alert-reason';
import type { OutgoingDelivery } from './channel';
import { isProbe, oneLine, titleOf } from './delivery-title';
import { type EventCause, thingsOf } from './event-things';

/**
 * What stands below the title: the text, or else the value and the reason of an alert, or the things of an event. Never
 * empty.
 */
export function messageOf(delivery: OutgoingDelivery): string {
  const { text, alert, cause, words } = delivery;
  if (text.trim() !== '') return text.trimEnd();
  const shown = alert && !isProbe(cause) ? ofAlert(alert, words) : cause.kind === 'event' ? ofEvent(cause, words) : '';
  return shown || titleOf(delivery);
}

function ofAlert(alert: Alert, words: Words): string {
  const { value, sensor, isSample } = alert;
  const reading = value === null ? '' : isSample ? words.said(markedSample(value)) : readingIn(value, sensor, words);
  return [reading, reasonOf(alert, words)].filter((part) => part !== '').join(' · ');
}

function ofEvent(cause: EventCause, words: Words): string {
  const { subject, source } = thingsOf(cause, words);
  const things = oneLine([subject, source].filter((thing) => thing !== undefined).join(', '));
  return things === ''
    ? words.t('Event {event}', { event: cause.event })
    : things.charAt(0).toUpperCase() + things.slice(1);
}
