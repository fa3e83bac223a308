import { shortened } from '../../platform/start-of';
export const MAX_RECENT = 50;
const [MAX_TOPIC, MAX_PAYLOAD] = [200, 100];
/** No character takes more bytes. */
const MAX_BYTES = 4 * MAX_PAYLOAD;
const MAX_SENSORS = 10;

/** What became of a message. */
export type MessageFate = 'stored' | 'nothing' | 'refused' | 'waiting';

export interface RecentMessage {
  receivedMs: number;
  /** The beginning, like `payload`. */
  topic: string;
  payload: string;
  bytes: number;
  isRetained: boolean;
  outcome: MessageFate;
  /** Why it brings nothing, is refused or waits; may be `""`. */
  reason: string;
  /** The first sensors with its values. */
  sensors: number[];
}

export function newRecentMessage(
  { topic, payload, isRetained }: { topic: string; payload: Buffer; isRetained: boolean },
  receivedMs: number,
): RecentMessage {
  return {
    receivedMs,
    topic: shortened(topic, MAX_TOPIC),
    payload: shortened(payload.subarray(0, MAX_BYTES).toString('utf8'), MAX_PAYLOAD),
    bytes: payload.length,
    isRetained,
    outcome: 'waiting',
    reason: '',
    sensors: [],
  };
}

export function settle(
  message: RecentMessage,
  outcome: MessageFate,
  reason = '',
  sensors: readonly number[] = [],
): void {
  message.outcome = outcome;
  message.reason = reason;
  message.sensors = sensors.slice(0, MAX_SENSORS);
}
