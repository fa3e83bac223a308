import { isRecord } from '../../rules/is-record';
import { fixedPart } from '../../rules/mqtt/topic-filter';
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
  private devices = new Map<string, Device>();

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

  described(): string | null {
    return this.devices.size === 0 ? null : JSON.stringify([...this.devices]);
  }

  restore(described: string): void {
    this.devices = new Map(JSON.parse(described) as [string, Device][]); // written by `described`
  }

  private describe(base: string, message: MqttMessage): Decoded {
    if (message.payload.length === 0 || base.length > MAX_TEXT) return { points: [] };
    const list = jsonOf(message);
    const before = this.described();
    for (const topic of this.devices.keys()) if (topic.startsWith(`${base}/`)) this.devices.delete(topic);
    for (const device of Array.isArray(list) ? list : []) this.add(base, device);
    return { points: [], isDescribed: this.described() !== before };
  }

  private add(base: string, device: unknown): void {
    if (!isRecord(device) || typeof device.friendly_name !== 'string' || this.devices.size >= MAX_DEVICES) return;
    const { friendly_name: name, definition } = device;
    if (device.type === 'Coordinator' || name.length > MAX_TEXT || !isRecord(definition)) return;
    const { exposes, model, vendor } = definition;
    const tags = Object.entries({ model, vendor }).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= MAX_TEXT,
    );
    const units = Object.fromEntries(unitsIn(exposes).filter(isShort).slice(0, MAX_UNITS));
    this.devices.set(`${base}/${name}`, { units, tags: Object.fromEntries(tags) });
  }
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
