import type { Logger } from '../../platform/logger';
import type { Metrics } from '../../platform/metrics';
import { shortened } from '../../platform/start-of';
import type { RecentMessages } from './message-log';
import { type RecentMessage, settle } from './recent-message';
import type { MessageCount } from './source-leases';
import type { StateReport } from './state-report';
import type { Refusal } from './waiting-message';

export type MessageOutcome = MessageCount | 'stored' | 'described' | 'waiting';

const COUNTED: ReadonlySet<MessageOutcome> = new Set<MessageOutcome>([
  ...(['unreadable', 'refused', 'unchanged', 'repeated', 'ignored', 'incomplete'] as const),
]);
const MAX_SHOWN_TOPIC = 100;

interface ReportParts {
  sourceId: number;
  report: StateReport;
  recent: RecentMessages;
  metrics: Pick<Metrics, 'mqttMessages'>;
  logger: Logger;
  onLost(): void;
}

/** Reports to the owner of a source, and to operators. */
export class MessageReports {
  constructor(private readonly parts: ReportParts) {}

  onArrival(message: Parameters<RecentMessages['add']>[0], receivedMs: number): RecentMessage {
    return this.parts.recent.add(message, receivedMs);
  }

  count(outcome: MessageOutcome, messages = 1): void {
    if (messages === 0) return;
    this.parts.metrics.mqttMessages.inc({ outcome }, messages);
    if (COUNTED.has(outcome)) this.parts.report.add({ counts: { [outcome]: messages } });
  }

  onStored(record: RecentMessage, sensors: readonly number[]): void {
    settle(record, 'stored', '', sensors);
    this.parts.recent.onChange();
  }

  onNothing(record: RecentMessage, outcome: 'described' | 'ignored' | 'repeated' | 'unchanged', why: string): void {
    this.count(outcome);
    settle(record, 'nothing', why);
    this.parts.recent.onChange();
  }

  onProblem(what: string): void {
    this.parts.report.add({ lastError: what });
  }

  onRecovered(): void {
    this.parts.report.add({ lastError: '' });
  }

  onUnreadable(record: RecentMessage, why: string): void {
    this.count('unreadable');
    this.refuse(record, `the message of ${shown(record.topic)} ${why}`, why);
  }

  onRefused(record: RecentMessage, { series, why }: Refusal): void {
    this.count('refused');
    this.refuse(record, `values of ${shown(series)} are not stored: ${why}`, why);
  }

  onKept(record: RecentMessage, { series, why }: Refusal): void {
    if (record.reason === '') this.count('waiting');
    this.parts.report.add({ lastError: `values of ${shown(series)} wait at the broker: ${why}` });
    settle(record, 'waiting', `the broker keeps it: ${why}`);
    this.parts.recent.onChange();
  }

  onKeptChange(kept: number): void {
    this.parts.report.add({ kept, ...(kept === 0 && { lastError: '' }) });
  }

  onNote(topic: string, note: string): void {
    this.count('incomplete');
    this.parts.report.add({ lastError: `${shown(topic)}: ${note}` });
  }

  onFault(error: unknown): void {
    this.parts.logger.warn(
      { mqttSourceId: this.parts.sourceId, err: error },
      'an MQTT source failed by a fault of ours',
    );
  }

  onLost(): void {
    this.parts.onLost();
  }

  private refuse(record: RecentMessage, lastError: string, why: string): void {
    this.parts.report.add({ lastError });
    settle(record, 'refused', why);
    this.parts.recent.onChange();
  }
}

function shown(topic: string): string {
  return shortened(topic, MAX_SHOWN_TOPIC);
}
