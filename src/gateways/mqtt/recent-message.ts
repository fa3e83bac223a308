/** Maximum number of messages of a source that are kept for its owner. */
export const MAX_RECENT = 50;
/** Maximum length of what is kept of a topic, and of a payload, in characters. */
const [MAX_TOPIC, MAX_PAYLOAD] = [200, 100];
/** No character takes more bytes. */
const MAX_BYTES = 4 * MAX_PAYLOAD;
/** Maximum number of sensors that are named for one message. */
const MAX_SENSORS = 10;

/** What became of a message. */
export type MessageFate = 'stored' | 'nothing' | 'refused' | 'waiting';

/** A message that came in lately. */
export interface RecentMessage {
  receivedMs: number;
  /** Its beginning, if it is long; `payload` likewise. */
  topic: string;
  payload: string;
  /** The size of the whole payload. */
  bytes: number;
  isRetained: boolean;
  outcome: MessageFate;
  /** Why it brings nothing, is refused or waits; `""` if there is nothing to say. */
  reason: string;
  /** The sensors that have its values: the first ones. */
  sensors: number[];
}

/** A message that waits to be stored. */
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

/** Records what became of a message. */
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

/** A text, or its beginning and `…`. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
