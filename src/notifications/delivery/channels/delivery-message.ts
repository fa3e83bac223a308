import { readingIn } from '../../../language/measured-value';
import { markedSample } from '../../../language/sample-value';
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
  const { text, alert, cause } = delivery;
  if (text.trim() !== '') return text.trimEnd();
  const shown = alert && !isProbe(cause) ? ofAlert(alert) : cause.kind === 'event' ? ofEvent(cause) : '';
  return shown || titleOf(delivery);
}

function ofAlert(alert: Alert): string {
  const { value, sensor, isSample } = alert;
  const reading = value === null ? '' : isSample ? markedSample(value) : readingIn(value, sensor);
  return [reading, reasonOf(alert)].filter((part) => part !== '').join(' · ');
}

function ofEvent(cause: EventCause): string {
  const { subject, source } = thingsOf(cause);
  const things = oneLine([subject, source].filter((thing) => thing !== undefined).join(', '));
  return things === '' ? `Event ${cause.event}` : things.charAt(0).toUpperCase() + things.slice(1);
}
