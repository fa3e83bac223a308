import type { Decoded, MqttDecoder } from '../protocols/mqtt';
import { UnreadableMessage } from '../protocols/unreadable';
import type { DeliveredMessage } from './broker-connection';
import type { MessageReports } from './message-reports';
import type { RecentMessage } from './recent-message';
import type { LeasedSource } from './source-leases';

interface ReaderParts {
  source: Pick<LeasedSource, 'retained'>;
  decoder: MqttDecoder;
  reports: MessageReports;
}

export class MessageReader {
  constructor(private readonly parts: ReaderParts) {}

  read(message: DeliveredMessage, record: RecentMessage): Decoded {
    const { decoder, reports } = this.parts;
    try {
      const decoded = decoder.decode(message);
      if (decoded.note !== undefined) reports.onNote(message.topic, decoded.note);
      return decoded.points.length > 0 ? this.wanted(decoded, message, record) : this.reported(decoded, record);
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) reports.onFault(error);
      reports.onUnreadable(record, error instanceof UnreadableMessage ? error.message : 'cannot be read');
      return { points: [] };
    }
  }

  private wanted(decoded: Decoded, { isRetained }: DeliveredMessage, record: RecentMessage): Decoded {
    if (!isRetained || this.parts.source.retained !== 'ignore') return decoded;
    const why = 'retained by the broker, and this source ignores such messages';
    this.parts.reports.onNothing(record, 'unchanged', why);
    return { ...decoded, points: [] };
  }

  private reported(decoded: Decoded, record: RecentMessage): Decoded {
    const { reports } = this.parts;
    if (decoded.described) reports.onNothing(record, 'described', decoded.note ?? 'describes others');
    else reports.onNothing(record, 'ignored', decoded.note ?? 'has no value for this decoder');
    return decoded;
  }
}
