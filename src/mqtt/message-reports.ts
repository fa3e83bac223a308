import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import type { StateReport } from './state-report';

/** What became of messages, for the metrics. */
export type MessageOutcome = 'stored' | 'described' | 'ignored' | 'repeated' | 'unreadable' | 'refused';

interface ReportParts {
  sourceId: number;
  report: StateReport;
  metrics: Pick<Metrics, 'mqttMessages'>;
  logger: Logger;
  onLost(): void;
}

/** Reports to the owner of a source, and to the operator, what becomes of messages. */
export class MessageReports {
  constructor(private readonly parts: ReportParts) {}

  count(outcome: MessageOutcome, messages = 1): void {
    this.parts.metrics.mqttMessages.inc({ outcome }, messages);
  }

  /** A problem of the moment, until `onRecovered`. */
  onProblem(what: string): void {
    this.parts.report.add({ lastError: what });
  }

  onRecovered(): void {
    this.parts.report.add({ lastError: '' });
  }

  /** A message can never be read. */
  onUnreadable(topic: string, why: string): void {
    this.count('unreadable');
    this.parts.report.add({ lastError: `the message of ${shown(topic)} ${why}`, unreadable: 1 });
  }

  /** Values of a series are not stored. */
  onRefused(series: string, why: string): void {
    this.parts.report.add({ lastError: `values of ${shown(series)} are not stored: ${why}` });
  }

  /** Something about a message that leaves its value usable. */
  onNote(topic: string, note: string): void {
    this.parts.report.add({ lastError: `${shown(topic)}: ${note}` });
  }

  /** The platform is at fault. */
  onFault(error: unknown): void {
    this.parts.logger.warn(
      { mqttSourceId: this.parts.sourceId, err: error },
      'an MQTT source failed by a fault of ours',
    );
  }

  /** The lease is lost: nothing more may be acknowledged. */
  onLost(): void {
    this.parts.onLost();
  }
}

/** A topic in a message for people. */
function shown(topic: string): string {
  return topic.length > 100 ? `${topic.slice(0, 99)}…` : topic;
}
