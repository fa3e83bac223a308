import { isRecord } from '../../rules/is-record';
import { fixedPart } from '../../rules/mqtt/topic-filter';
import { type Description, Descriptions } from './descriptions';
import {
  type Decoded,
  jsonOf,
  jsonValue,
  type MqttDecoder,
  type MqttMessage,
  plainValue,
  pointOf,
  textOf,
} from './message';
import { readMessageDate } from './message-date';

const DEVICES = '/bridge/devices';
const DEFAULT_BASE = 'zigbee2mqtt';
/** Levels behind the name of a device that bring no values. */
const NO_VALUES: ReadonlySet<string> = new Set(['availability', 'set', 'get']);
/** Fields that describe the device or its connection, and no measured value. */
const LEFT_OUT: ReadonlySet<string> = new Set(['last_seen', 'device', 'update', 'update_available', 'elapsed']);
/** What is kept of the list: devices, units of each, and characters of a text. */
const [MAX_DEVICES, MAX_UNITS, MAX_TEXT] = [1_000, 100, 100];

/** What the list of devices says about one. */
interface Device {
  units: Record<string, string>;
  tags: Record<string, string>;
}

/**
 * The states of the devices of Zigbee2MQTT. `bridge/devices` names units, models and vendors. `last_seen` is the date if
 * it has milliseconds: with whole seconds, two states of a second would replace each other.
 */
export class Zigbee2MqttDecoder implements MqttDecoder {
  /** By the topics of their states. */
  private readonly devices = new Descriptions<Device>();

  decode(message: MqttMessage): Decoded {
    const { topic, payload } = message;
    if (topic.endsWith(DEVICES)) return this.describe(topic.slice(0, -DEVICES.length), message);
    const levels = topic.split('/');
    const isAside = levels.includes('bridge') || levels.slice(2).some((level) => NO_VALUES.has(level));
    if (payload.length === 0 || isAside) return { points: [] };
    const { units = {}, tags = {} } = this.devices.get(topic) ?? {};
    const title = levels.slice(1).join('/') || topic;
    const series = { name: topic, title, source: 'zigbee2mqtt', units, tags };
    const text = textOf(message);
    if (!/^\s*\{/.test(text)) return { points: pointOf(series, plainValue(text)) };
    const state = jsonOf(message);
    if (!isRecord(state)) return { points: [] };
    const fields = Object.entries(state).filter(([name, value]) => value !== null && !LEFT_OUT.has(name));
    return { points: pointOf(series, jsonValue(Object.fromEntries(fields)), dateOf(state.last_seen)) };
  }

  describing(filters: readonly string[]): string[] {
    const bases = filters.flatMap((filter) => [filter.split('/')[0] ?? '', fixedPart(filter)]);
    const named = bases.map((base) => (base === '' || /[+#]/.test(base) ? DEFAULT_BASE : base));
    return [...new Set(named)].map((base) => `${base}${DEVICES}`);
  }

  named(): readonly string[] {
    return [];
  }

  restore(descriptions: readonly Description[]): void {
    for (const { topic, content } of descriptions) if (content !== null) this.devices.add(topic, content);
  }

  private describe(base: string, message: MqttMessage): Decoded {
    if (message.payload.length === 0 || base.length > MAX_TEXT) return { points: [] };
    const list = jsonOf(message);
    const all = (Array.isArray(list) ? list : []).flatMap((device: unknown) => deviceIn(base, device) ?? []);
    const others = this.devices.topics.filter((topic) => !topic.startsWith(`${base}/`));
    const listed = new Map(all.slice(0, MAX_DEVICES - others.length));
    const gone = this.devices.topics.filter((topic) => topic.startsWith(`${base}/`) && !listed.has(topic));
    // Those that are gone first: they make room.
    const puts = [
      ...gone.map((topic) => this.devices.put(topic, undefined)),
      ...[...listed].map(([topic, device]) => this.devices.put(topic, device)),
    ];
    const described = puts.flatMap(({ change }) => change ?? []);
    const leftOut = puts.filter(({ isLeftOut }) => isLeftOut).length + Math.max(0, all.length - listed.size);
    return {
      points: [],
      ...(described.length > 0 && { described }),
      ...(leftOut > 0 && { note: `units of ${leftOut} devices are left out: the list is too long` }),
    };
  }
}

/** The topic of a device with what its entry says; undefined for the coordinator and for devices without a definition. */
function deviceIn(base: string, device: unknown): [string, Device][] | undefined {
  if (!isRecord(device) || typeof device.friendly_name !== 'string') return undefined;
  const { friendly_name: name, definition } = device;
  if (device.type === 'Coordinator' || name.length > MAX_TEXT || !isRecord(definition)) return undefined;
  const { exposes, model, vendor } = definition;
  const tags = Object.entries({ model, vendor }).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= MAX_TEXT,
  );
  const units = Object.fromEntries(unitsIn(exposes).filter(isShort).slice(0, MAX_UNITS));
  return [[`${base}/${name}`, { units, tags: Object.fromEntries(tags) }]];
}

function isShort(texts: readonly string[]): boolean {
  return texts.every((text) => text.length <= MAX_TEXT);
}

function unitsIn(exposes: unknown, path = '', depth = 0): [string, string][] {
  if (!Array.isArray(exposes) || depth > 4) return [];
  return exposes.flatMap((one: unknown): [string, string][] => {
    if (!isRecord(one)) return [];
    const property = typeof one.property === 'string' ? `${path}${one.property}` : undefined;
    // The features of a light or a switch are fields of the state itself, those of a composite fields of its property.
    const inner = unitsIn(one.features, property === undefined ? path : `${property}.`, depth + 1);
    return property !== undefined && typeof one.unit === 'string' ? [[property, one.unit], ...inner] : inner;
  });
}

function dateOf(lastSeen: unknown): number | undefined {
  const ms = readMessageDate(lastSeen);
  return typeof lastSeen === 'number' || /\.\d/.test(String(lastSeen)) ? ms : undefined;
}
