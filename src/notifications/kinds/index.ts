import type { DeliveryKind } from '../../storage/models/delivery.model';
import type { DeliveryRow } from '../delivery/attempt';
import type { DeliveryCause } from '../delivery/channels/channel';
import type { WrittenMail } from '../delivery/written-mails';
import type { KindDescriptor } from './kind';

const KINDS: Readonly<Record<DeliveryKind, KindDescriptor>> = {
  firing: {
    waitsForMute: true,
    isAcknowledgeable: true,
    isAggregated: true,
    showsValues: true,
    reports: 'firing',
    causeOf: (row) => ofTrigger(row),
  },
  end: {
    outlivesItsCause: true,
    waitsForEarlier: true,
    waitsForMute: true,
    isAggregated: true,
    showsValues: true,
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
  test: {
    isSentWhileOff: true,
    showsValues: true,
    reports: 'firing',
    causeOf: () => ({ kind: 'test', isProbe: false }),
  },
  probe: { showsValues: true, reports: 'firing', causeOf: () => ({ kind: 'test', isProbe: true }) },
  notice: {
    isSentWhileOff: true,
    isForOwner: true,
    reports: 'firing',
    causeOf: (row) => ({ kind: 'notice', subject: JSON.parse(String(row.details)).subject }),
  },
  report: {
    isSentWhileOff: true,
    isForOwner: true,
    isOfAccount: true,
    reports: 'firing',
    causeOf: (row) => {
      const mail: WrittenMail = JSON.parse(String(row.details));
      return { kind: 'notice', subject: mail.subject, mail };
    },
  },
};

export function kindOf({ kind }: { kind: DeliveryKind }): KindDescriptor {
  return KINDS[kind];
}

function ofTrigger(
  { sensor_id: sensorId, trigger_id: triggerId }: DeliveryRow,
  { isResolved = false, isAcknowledged = false } = {},
): DeliveryCause {
  return { kind: 'trigger', sensorId: Number(sensorId), triggerId: Number(triggerId), isResolved, isAcknowledged };
}
