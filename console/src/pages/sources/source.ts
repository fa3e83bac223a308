import type { Records } from '../../api';
import { type PlainText, t } from '../../language';

export type Source = Records['MqttSourceView'];
export type Decoder = Source['decoder'];

/** States in words, with their colours. */
export const STATES: Readonly<Record<Source['state'], { text: PlainText; kind?: 'good' | 'bad' | 'warn' }>> = {
  connecting: { text: 'connecting' },
  connected: { text: 'connected', kind: 'good' },
  failed: { text: 'failed', kind: 'bad' },
  off: { text: 'off', kind: 'warn' },
};

/** What publishes, and its usual topics. */
export const DECODERS: readonly (readonly [Decoder, name: string, topics: readonly string[]])[] = [
  ['homeassistant', t('Home Assistant discovery'), ['homeassistant/#']],
  ['zigbee2mqtt', 'Zigbee2MQTT', ['zigbee2mqtt/#']],
  ['tasmota', 'Tasmota', ['tele/+/SENSOR', 'tele/+/STATE']],
  ['shelly', 'Shelly', ['+/events/rpc', 'shellies/#']],
  ['json', t('Anything in JSON'), []],
  ['plain', t('Plain numbers and texts'), []],
];

/** The fields of the form, as texts. */
export interface Fields {
  name: string;
  url: string;
  decoder: Decoder;
  /** One in a line. */
  topics: string;
  username: string;
  version: string;
  ca: string;
  limit: string;
  retained: string;
}

/** What can be done with retained messages. */
export const RETAINED: readonly (readonly [Source['retained'], name: string])[] = [
  ['changes', t('Store new values only')],
  ['store', t('Store all')],
  ['ignore', t('Ignore')],
];

/** The fields of a stored source, or of a new one. */
export function fieldsOf(source: Source | undefined): Fields {
  const decoder = source?.decoder ?? 'homeassistant';
  return {
    ...{ name: source?.name ?? '', url: source?.url ?? '', decoder },
    topics: (source?.topics ?? usualTopics(decoder)).join('\n'),
    username: source?.username ?? '',
    version: String(source?.protocol_version ?? 4),
    ca: source?.ca_certificate ?? '',
    limit: String(source?.create_limit ?? 1000),
    retained: source?.retained ?? 'changes',
  };
}

/** The usual topics of a decoder. */
function usualTopics(decoder: Decoder): readonly string[] {
  return DECODERS.find(([name]) => name === decoder)?.[2] ?? [];
}

/** Chooses a decoder. Replaces the topics by the usual topics of the new decoder, unless the user has changed them. */
export function withDecoder(fields: Fields, decoder: Decoder): Fields {
  const isUsual = fields.topics === usualTopics(fields.decoder).join('\n');
  return { ...fields, decoder, ...(isUsual && { topics: usualTopics(decoder).join('\n') }) };
}

/** The body of a request. An empty password keeps the stored one; without a user, none remains. */
export function sourceOf(
  { name, url, decoder, topics, username, version, ca, limit, retained }: Fields,
  password: string,
) {
  return {
    ...{ name, url, decoder, username: username || null },
    topics: topics
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    ...(password ? { password } : !username && { password: null }),
    protocol_version: version === '5' ? (5 as const) : (4 as const),
    ca_certificate: ca.trim() || null,
    create_limit: Number(limit),
    retained: retained as Source['retained'], // the options are its values
  };
}
