import type { Alert } from '../alert';
import type { DeliveryCause, OutgoingDelivery } from './channel';

/** The format of Standard Webhooks: `type`, `timestamp` and `data`. */
export function jsonOf(delivery: OutgoingDelivery): string {
  const { alert, createdMs } = delivery;
  const timestamp = new Date(alert?.atMs ?? createdMs).toISOString();
  return JSON.stringify({ type: typeOf(delivery), timestamp, data: dataOf(delivery) });
}

function typeOf({ cause }: OutgoingDelivery): string {
  switch (cause.kind) {
    case 'trigger':
      return cause.isResolved ? 'trigger.resolved' : 'trigger.fired';
    case 'event':
      return `event.${cause.event}`;
    case 'digest':
      return 'trigger.digest';
    case 'test':
      return 'trigger.test';
    case 'notice':
      return 'notice';
  }
}

function dataOf({ cause, alert, text, acknowledgeUrl }: OutgoingDelivery): Record<string, unknown> {
  switch (cause.kind) {
    case 'trigger':
      return {
        ...(alert ? alertData(alert) : idsOf(cause)),
        ...(acknowledgeUrl === undefined ? {} : { acknowledge_url: acknowledgeUrl }),
        text,
      };
    case 'event': {
      const { event, subjectId, sourceId, userId } = cause;
      const ids = { subject_id: idText(subjectId), source_id: idText(sourceId), user_id: idText(userId) };
      return { event, ...ids, text };
    }
    case 'digest': {
      const { count, items } = cause.digest;
      const alerts = items.map((item) => ({ id: item.webhookId, ...alertData(item.alert), text: item.text }));
      return { count, alerts, text };
    }
    case 'test':
      return { test: true, ...(cause.isProbe && { probe: true }), ...(alert && alertData(alert)), text };
    case 'notice':
      return { text };
  }
}

function alertData(alert: Alert) {
  const { firingId, episodeId, state, reason, sensor, trigger, value, dateMs, acknowledgedBy, assignedTo } = alert;
  return {
    firing_id: idText(firingId),
    episode: idText(episodeId),
    state,
    reason,
    sensor: { id: idText(sensor.id), name: sensor.name },
    trigger: { id: idText(trigger.id), name: trigger.name, severity: trigger.severity },
    value,
    date: dateMs / 1000,
    ...(acknowledgedBy && { acknowledged_by: acknowledgedBy }),
    ...(assignedTo && { assigned_to: assignedTo }),
  };
}

function idsOf({ sensorId, triggerId }: Extract<DeliveryCause, { kind: 'trigger' }>) {
  return { sensor: { id: idText(sensorId) }, trigger: { id: idText(triggerId) } };
}

function idText(id: number | null): string | null {
  return id === null ? null : String(id);
}
