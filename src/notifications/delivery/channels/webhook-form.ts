import type { OutgoingDelivery } from './channel';

/** The order is that of the specification. */
export function formOf({ cause, text }: OutgoingDelivery): Record<string, string> {
  switch (cause.kind) {
    case 'trigger':
      return {
        sensor_id: String(cause.sensorId),
        trigger_id: String(cause.triggerId),
        text,
        ...(cause.isResolved ? { state: 'resolved' } : {}),
      };
    case 'event':
      return {
        event: cause.event,
        ...(cause.subjectId === null ? {} : { subject_id: String(cause.subjectId) }),
        ...(cause.sourceId === null ? {} : { source_id: String(cause.sourceId) }),
        user_id: String(cause.userId),
        ...(text === '' ? {} : { text }),
      };
    case 'digest':
    case 'test':
    case 'notice':
      return { text };
  }
}
