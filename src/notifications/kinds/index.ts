import type { DeliveryRow } from '../delivery/attempt';
import type { DeliveryCause } from '../delivery/channels/channel';
import type { DeliveryKind, KindDescriptor, KindRow } from './kind';

const KINDS: Readonly<Record<DeliveryKind, KindDescriptor>> = {
  firing: { waitsForMute: true, isAcknowledgeable: true, reports: 'firing', causeOf: (row) => ofTrigger(row) },
  end: {
    outlivesItsCause: true,
    waitsForEarlier: true,
    waitsForMute: true,
    reports: 'resolved',
    causeOf: (row) => ofTrigger(row, { isResolved: true }),
  },
  acknowledgement: {
    waitsForEarlier: true,
    waitsForMute: true,
    reports: 'acknowledged',
    causeOf: (row) => ofTrigger(row, { isAcknowledged: true }),
  },
  event: {
    reports: 'firing',
    causeOf: (row, names) => ({
      kind: 'event',
      event: String(row.event),
      subjectId: row.subject_id,
      sourceId: row.source_id,
      userId: row.owner_id,
      ...(names && { names }),
    }),
  },
  digest: { reports: 'firing', causeOf: () => undefined },
  test: { isSentWhileOff: true, reports: 'firing', causeOf: () => ({ kind: 'test', isProbe: false }) },
  probe: { reports: 'firing', causeOf: () => ({ kind: 'test', isProbe: true }) },
  notice: {
    isSentWhileOff: true,
    isForOwner: true,
    reports: 'firing',
    causeOf: (row) => ({ kind: 'notice', subject: String(row.mail_subject) }),
  },
};

export function kindOf(row: KindRow): KindDescriptor {
  return KINDS[kindNameOf(row)];
}

function kindNameOf(row: KindRow): DeliveryKind {
  if (row.mail_subject !== null) return 'notice';
  if (row.digest_minute_ms !== null) return 'digest';
  if (row.event !== null) return 'event';
  if (row.acknowledges !== null) return 'acknowledgement';
  if (row.trigger_id === null) return row.probe ? 'probe' : 'test';
  return row.resolved ? 'end' : 'firing';
}

function ofTrigger(
  { sensor_id: sensorId, trigger_id: triggerId }: DeliveryRow,
  { isResolved = false, isAcknowledged = false } = {},
): DeliveryCause {
  return { kind: 'trigger', sensorId: Number(sensorId), triggerId: Number(triggerId), isResolved, isAcknowledged };
}
