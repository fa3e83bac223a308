import type { Severity } from '../../../edge/severity';
import type { Variables } from '../../../language/compiled-expression';
import { labelsAsUsed } from '../../../language/labels';
import { unitOf } from '../../../language/measured-value';
import { Sample, type TextValues } from '../../../language/notification-text';
import { readerZone } from '../../../language/reader-time';
import { readValue } from '../../../language/sensor-value';
import { Rendering } from '../../../language/templates/template';
import type { Words } from '../../../platform/words/words';
import type { Alert } from '../alert';
import { chartUrl } from '../console-links';
import type { DeliveryCause, OutgoingDelivery } from './channel';
import { messageOf } from './delivery-message';
import { titleOf } from './delivery-title';

const SEVERITIES: readonly Severity[] = ['info', 'warning', 'critical'];

/** Texts that a delivery lacks are empty; numbers have no value. */
export function renderingOf(delivery: OutgoingDelivery, publicUrl: string): Rendering {
  const { alert, request, text, webhookId, acknowledgeUrl = '', cause, createdMs, ownerTimezone, words } = delivery;
  const common = {
    // A text of blanks names nothing.
    text: text.trim() === '' ? '' : text,
    title: titleOf(delivery),
    message: messageOf(delivery),
    kind: cause.kind,
    test: cause.kind === 'test',
    state: stateOf(delivery),
    severity: severityOf(delivery),
    webhook_id: webhookId,
    acknowledge_url: acknowledgeUrl,
    ...NO_ALERT,
    date: createdMs / 1000,
    ...eventValues(cause),
  };
  const secrets = request?.secrets ?? {};
  const zone = { reader_timezone: readerZone(ownerTimezone, alert?.trigger.timezone) };
  if (!alert) return new Rendering(common, { ...common, ...zone, secrets });
  const shown = { ...common, ...alertValues(alert, publicUrl) };
  const labels = labelsAsUsed(alert.sensor.name, alert.variables?.labels);
  const variables = { ...shown, ...readValues(alert), ...zone, secrets };
  return new Rendering({ ...shown, ...sampleOf(alert, words) }, variables, labels);
}

const NO_ALERT = {
  ...{ episode: '', unit: '', trigger_description: '', chart_url: '', duration: null, zone: '' },
  ...{ acknowledged_by: '', assigned_to: '' },
  ...{ sensor_id: '', sensor_name: '', trigger_id: '', trigger_name: '', event: '', subject_id: '', source_id: '' },
};

function eventValues(cause: DeliveryCause) {
  if (cause.kind !== 'event') return {};
  const { event, subjectId, sourceId, userId } = cause;
  return {
    event,
    subject_id: String(subjectId ?? ''),
    source_id: String(sourceId ?? ''),
    user_id: String(userId),
  };
}

function alertValues(alert: Alert, publicUrl: string) {
  const { sensor, trigger, episodeId, dateMs, atMs, begunMs = atMs } = alert;
  const { labels: _, ...variables } = alert.variables ?? {};
  return {
    ...variables,
    sensor_id: idText(sensor.id),
    sensor_name: sensor.name,
    trigger_id: idText(trigger.id),
    trigger_name: trigger.name,
    trigger_description: trigger.expression ?? `no data for ${trigger.inactivity} seconds`,
    episode: String(episodeId ?? ''),
    unit: unitOf(sensor) ?? '',
    chart_url: sensor.id === null ? '' : chartUrl(publicUrl, sensor.id, dateMs),
    acknowledged_by: alert.acknowledgedBy ?? '',
    assigned_to: alert.assignedTo ?? '',
    date: dateMs / 1000,
    duration: Math.max(0, Math.round((atMs - begunMs) / 1000)),
  };
}

function idText(id: number | null): string {
  return id === null ? 'sample' : String(id);
}

/** Marked for people; expressions read the value as it is. */
function sampleOf({ isSample, value }: Alert, words: Words): TextValues {
  return isSample && value !== null ? { sensor_data_value: new Sample(value, words) } : {};
}

function readValues({ sensor, trigger, variables }: Alert): Variables {
  const read = (stored: string | null | undefined) => (stored ? readValue(stored, sensor.dataType) : undefined);
  return {
    sensor_data_value: read(variables?.sensor_data_value),
    last_sensor_data_value: read(variables?.last_sensor_data_value),
    timezone: trigger.timezone,
  };
}

function stateOf({ cause, alert }: OutgoingDelivery): string {
  if (cause.kind === 'trigger' && cause.isAcknowledged) return 'acknowledged';
  if (alert) return alert.state;
  if (cause.kind === 'trigger') return cause.isResolved ? 'resolved' : 'firing';
  return cause.kind === 'event' || cause.kind === 'notice' ? cause.kind : 'firing';
}

/** For a digest, the highest one. */
function severityOf({ cause, alert }: OutgoingDelivery): Severity {
  if (alert) return alert.trigger.severity;
  if (cause.kind !== 'digest') return 'info';
  const ranks = cause.digest.items.map((item) => SEVERITIES.indexOf(item.alert.trigger.severity));
  return SEVERITIES[Math.max(0, ...ranks)] ?? 'warning';
}
