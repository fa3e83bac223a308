import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import { toFields } from '../../edge/renaming';
import { HIDDEN } from '../../notifications';
import type { MqttSource } from '../../storage/models/mqtt-source.model';
import type { DecoderName } from '../mqtt/decoder-names';
import type { RetainedChoice } from '../mqtt/retained-choice';

/**
 * Whether a worker is connected to the broker: not yet or not at the moment (`connecting`), yes (`connected`), no, and it
 * tries again (`failed`, see `last_error`), or the source is disabled (`off`).
 */
export type MqttSourceState = 'connecting' | 'connected' | 'failed' | 'off';

/** A broker of MQTT, and the topics whose messages are stored. */
export interface MqttSourceView {
  /** @example "4" */
  id: string;
  /** @example "broker at home" */
  name: string;
  /** @example "mqtts://broker.example.org:8883" */
  url: string;
  /** @example "platform" */
  username: string;
  /**
   * `…` if there is one, which is never shown; otherwise `""`.
   * @example "…"
   */
  password: string;
  /** @example ["tele/+/SENSOR", "tele/+/STATE"] */
  topics: string[];
  /** @example "tasmota" */
  decoder: DecoderName;
  /** @example "sdp-2f0c7d9a41e83b56" */
  client_id: string;
  /**
   * 4 for MQTT 3.1.1, or 5.
   * @example 4
   */
  protocol_version: 4 | 5;
  /**
   * The certificate of the authority of the broker, in PEM format.
   * @example null
   */
  ca_certificate: string | null;
  /** @example true */
  enabled: boolean;
  /**
   * Maximum number of sensors that are made for its messages.
   * @isInt
   * @example 1000
   */
  create_limit: number;
  /**
   * What is done with messages that the broker has retained: `store` all, only `changes` of the last stored value, or
   * `ignore` them.
   * @example "changes"
   */
  retained: RetainedChoice;
  /** @example "connected" */
  state: MqttSourceState;
  /**
   * The latest problem: of the connection, of a message that could not be read, or of one that was not stored. `""` if
   * there was none since the last change.
   * @example ""
   */
  last_error: string;
  /**
   * When messages were last stored (unix seconds); `null` before the first.
   * @example 1795229545.2
   */
  last_message: number | null;
  /**
   * The number of messages that could not be read.
   * @isLong
   * @example 0
   */
  unreadable: number;
  /**
   * The number of messages that were not stored because of a limit, and that the broker does not keep.
   * @isLong
   * @example 0
   */
  refused: number;
  /**
   * The number of messages that the broker keeps at the moment because of a limit: at most 10. They are stored when there
   * is room.
   * @isInt
   * @example 0
   */
  waiting: number;
  /**
   * The number of retained messages that were left out, as `retained` says.
   * @isLong
   * @example 3
   */
  unchanged: number;
  /**
   * The number of messages that the broker delivered again, and that were stored already.
   * @isLong
   * @example 0
   */
  repeated: number;
  /**
   * The number of messages that have no value for this decoder.
   * @isLong
   * @example 12
   */
  ignored: number;
  /**
   * The number of messages of which a part was left out: see `last_error` and the latest messages.
   * @isLong
   * @example 0
   */
  incomplete: number;
  /**
   * Unix seconds.
   * @example 1795200000
   */
  created: number;
}

/** The response with one source. */
export interface MqttSourceResponse {
  mqtt_source: MqttSourceView;
}

/** The response with a page of sources. */
export interface MqttSourcesResponse extends PageTotal {
  mqtt_sources: MqttSourceView[];
}

/** The source in its owner's view at this time. */
export function toMqttSourceView(source: MqttSource, nowMs: number): MqttSourceView {
  return {
    id: String(source.id),
    ...toFields(source, [
      'name',
      'url',
      'username',
      'clientId',
      'caCertificate',
      'enabled',
      'createLimit',
      'lastError',
    ]),
    ...toFields(source, ['unreadable', 'refused', 'unchanged', 'repeated', 'ignored', 'incomplete']),
    password: source.password === null ? '' : HIDDEN,
    topics: JSON.parse(source.topics),
    decoder: source.decoder as DecoderName, // the column holds nothing else
    protocol_version: source.protocolVersion === 5 ? 5 : 4,
    retained: source.retained as RetainedChoice, // the column holds nothing else
    state: stateAt(source, nowMs),
    last_message: toUnixSecondsOrNull(source.lastMessageMs),
    waiting: source.kept,
    created: toUnixSeconds(source.createdMs),
  };
}

/** What a worker wrote counts only as long as it has the lease. */
function stateAt({ enabled, state, leasedUntilMs }: MqttSource, nowMs: number): MqttSourceState {
  if (!enabled) return 'off';
  if (state === 'connected' && leasedUntilMs < nowMs) return 'connecting';
  return state as MqttSourceState; // the column holds nothing else
}
