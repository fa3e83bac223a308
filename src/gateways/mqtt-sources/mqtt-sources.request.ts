import { toColumns } from '../../edge/renaming';
import { whyNoAuthority } from '../../notifications';
import { InvalidInput } from '../../platform/errors';
import { withoutUndefined } from '../../platform/without-undefined';
import { whyNoBroker } from '../mqtt/broker-url';
import type { DecoderName } from '../mqtt/decoder-names';
import type { RetainedChoice } from '../mqtt/retained-choice';
import { whyNoFilter } from '../mqtt/topic-filter';

/** Maximum number of filters of topics of one source. */
const MAX_FILTERS = 50;

/** The fields of a source to change; others keep their values. */
export interface MqttSourceFields {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "broker at home"
   */
  name?: string;
  /**
   * The address of the broker: `mqtts://`, `mqtt://`, `wss://` or `ws://`, a host, and a port unless it is the usual one
   * (8883, 1883, 443, 80). Without credentials.
   * @maxLength 2000
   * @example "mqtts://broker.example.org:8883"
   */
  url?: string;
  /**
   * `null` if the broker asks for none.
   * @maxLength 255
   * @example "platform"
   */
  username?: string | null;
  /**
   * It is stored encrypted and never shown. `…` keeps it, `null` removes it. With another host, port or protocol in
   * `url` it must be given again.
   * @maxLength 1000
   * @example "correct horse battery staple"
   */
  password?: string | null;
  /**
   * The topics to subscribe to, at most 50 filters: `+` stands for one level, `#` at the end for all others.
   * @minItems 1
   * @example ["tele/+/SENSOR", "tele/+/STATE"]
   */
  topics?: string[];
  /**
   * How messages are read: any JSON (`json`), a text or number (`plain`), or the messages of Tasmota, Zigbee2MQTT, Shelly
   * or of the discovery of Home Assistant.
   * @example "tasmota"
   */
  decoder?: DecoderName;
  /**
   * The name of the session at the broker: no other client may use it. By default one is made up.
   * @minLength 1
   * @maxLength 255
   * @example "sdp-2f0c7d9a41e83b56"
   */
  client_id?: string;
  /**
   * 4 for MQTT 3.1.1, the default, or 5.
   * @example 4
   */
  protocol_version?: 4 | 5;
  /**
   * The certificate of the authority of the broker, in PEM format, in addition to those that the platform trusts.
   * @maxLength 20000
   * @example null
   */
  ca_certificate?: string | null;
  /**
   * Whether the platform connects to the broker; the default is true. The session stays at the broker, which keeps the
   * messages of a disabled source as long as it keeps sessions.
   * @example true
   */
  enabled?: boolean;
  /**
   * Maximum number of sensors that are made for its messages; 1,000 by default.
   * @isInt
   * @minimum 0
   * @maximum 100000
   * @example 1000
   */
  create_limit?: number;
  /**
   * What is done with messages that the broker has retained, and delivers for a new subscription: `store` all of them,
   * store only `changes` of the last stored value (the default), or `ignore` them.
   * @example "changes"
   */
  retained?: RetainedChoice;
}

/** A new source. */
export interface NewMqttSourceFields extends MqttSourceFields {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "broker at home"
   */
  name: string;
  /**
   * The address of the broker: `mqtts://`, `mqtt://`, `wss://` or `ws://`, a host, and a port unless it is the usual one
   * (8883, 1883, 443, 80). Without credentials.
   * @maxLength 2000
   * @example "mqtts://broker.example.org:8883"
   */
  url: string;
  /**
   * The topics to subscribe to, at most 50 filters: `+` stands for one level, `#` at the end for all others.
   * @minItems 1
   * @example ["tele/+/SENSOR", "tele/+/STATE"]
   */
  topics: string[];
  /**
   * How messages are read: any JSON (`json`), a text or number (`plain`), or the messages of Tasmota, Zigbee2MQTT, Shelly
   * or of the discovery of Home Assistant.
   * @example "tasmota"
   */
  decoder: DecoderName;
}

/** Creates a source. */
export interface CreateMqttSourceRequest {
  mqtt_source: NewMqttSourceFields;
}

/** Changes a source. */
export interface UpdateMqttSourceRequest {
  mqtt_source: MqttSourceFields;
}

/** Reads a new source; InvalidInput names the wrong field. */
export function readNewMqttSource({ name, url, topics, decoder, ...rest }: NewMqttSourceFields) {
  const required = { name, url: readUrl(url), topics: readTopics(topics), decoder };
  return { ...readMqttSourceChanges(rest), ...required };
}

/** Reads the changes of a source; undefined does not change the field. InvalidInput names the wrong field. */
export function readMqttSourceChanges(fields: MqttSourceFields) {
  const { url, username, password, topics, client_id: clientId, ca_certificate: certificate } = fields;
  if (clientId !== undefined) refuse('client_id', /\p{Cc}/u.test(clientId) ? 'must not hold control characters' : null);
  if (certificate) refuse('ca_certificate', whyNoAuthority(certificate));
  return withoutUndefined({
    ...toColumns(fields, ['name', 'decoder', 'clientId', 'protocolVersion', 'enabled', 'createLimit', 'retained']),
    username: username === null ? '' : username,
    url: url && readUrl(url),
    password: password === '' ? null : password,
    topics: topics && readTopics(topics),
    caCertificate: certificate === '' ? null : certificate,
  });
}

function readUrl(text: string): string {
  refuse('url', whyNoBroker(text));
  return text.trim();
}

function readTopics(topics: readonly string[]): string[] {
  if (topics.length === 0) refuse('topics', 'must name at least one topic');
  if (topics.length > MAX_FILTERS) refuse('topics', `must have at most ${MAX_FILTERS} entries`);
  topics.forEach((topic, index) => {
    refuse(`topics[${index}]`, whyNoFilter(topic));
  });
  return [...new Set(topics)];
}

function refuse(field: string, why: string | null): void {
  if (why !== null) throw InvalidInput.field(`mqtt_source.${field}`, why);
}
