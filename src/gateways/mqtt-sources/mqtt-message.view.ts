import { toUnixSeconds } from '../../edge/dates';
import type { MessageFate, RecentMessage } from '../mqtt/recent-message';

/** A message that came in lately, and what became of it. */
export interface MqttMessageView {
  /**
   * When it arrived (unix seconds).
   * @example 1795229545.2
   */
  date: number;
  /**
   * Its first 200 characters.
   * @example "tele/plug/SENSOR"
   */
  topic: string;
  /**
   * Its first 100 characters.
   * @example "{\"ENERGY\":{\"Power\":56}}"
   */
  payload: string;
  /**
   * The size of the whole payload, in bytes; 0 if the message was too large to be read.
   * @isInt
   * @example 23
   */
  bytes: number;
  /**
   * True if the broker had retained it.
   * @example false
   */
  retained: boolean;
  /**
   * It is `stored`; it brings `nothing`; it was `refused`, and is not stored later; or it is `waiting` to be stored.
   * @example "stored"
   */
  outcome: MessageFate;
  /**
   * Why it brings nothing, was refused or waits; otherwise `""`.
   * @example ""
   */
  reason: string;
  /**
   * The sensors that have its values: the first 10.
   * @example ["42"]
   */
  sensor_ids: string[];
}

/** The response with the latest messages of a source, newest first. */
export interface MqttMessagesResponse {
  messages: MqttMessageView[];
}

export function toMqttMessageView(message: RecentMessage): MqttMessageView {
  const { receivedMs, topic, payload, bytes, isRetained, outcome, reason, sensors } = message;
  return {
    date: toUnixSeconds(receivedMs),
    ...{ topic, payload, bytes, retained: isRetained, outcome, reason },
    sensor_ids: sensors.map(String),
  };
}
