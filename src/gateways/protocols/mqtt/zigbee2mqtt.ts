import { isRecord } from '../../../platform/is-record';
import { fixedPart } from '../../mqtt/topic-filter';
import type { SeriesLead } from '../series';
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
import { addressOf, type Device, readDevices } from './zigbee-devices';

const DEVICES = '/bridge/devices';
const DEFAULT_BASE = 'zigbee2mqtt';
const NO_VALUES: ReadonlySet<string> = new Set(['availability', 'set', 'get']);
/** No measured values. */
const LEFT_OUT: ReadonlySet<string> = new Set(['last_seen', 'device', 'update', 'update_available', 'elapsed']);
const [MAX_DEVICES, MAX_BASE] = [1_000, 100];
/** Maximum levels behind a device's name, which may have slashes. */
const MAX_LEVELS_BEHIND = 1;

/**
 * `bridge/devices` names addresses (which name series), units, models and vendors. `last_seen` needs milliseconds: two
 * states of a second would replace each other.
 */
export class Zigbee2MqttDecoder implements MqttDecoder {
  /** Devices by state topic, also former ones. */
  private readonly devices = new Descriptions<Device>();

  decode(message: MqttMessage): Decoded {
    const { topic, payload } = message;
    if (topic.endsWith(DEVICES)) return this.describe(topic.slice(0, -DEVICES.length), message);
    const levels = topic.split('/');
    const isAside = levels.includes('bridge') || levels.slice(2).some((level) => NO_VALUES.has(level));
    if (payload.length === 0 || isAside) return { points: [] };
    const text = textOf(message);
    if (!/^\s*\{/.test(text)) return { points: pointOf(this.seriesOf(topic), plainValue(text)) };
    const state = jsonOf(message);
    if (!isRecord(state)) return { points: [] };
    const changes = this.identify(topic, addressOf(state.device));
    const fields = Object.entries(state).filter(([name, value]) => value !== null && !LEFT_OUT.has(name));
    const value = jsonValue(Object.fromEntries(fields));
    return { points: pointOf(this.seriesOf(topic), value, dateOf(state.last_seen)), ...changes };
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

  private seriesOf(topic: string) {
    const levels = topic.split('/');
    const title = levels.slice(1).join('/') || topic;
    for (let behind = 0; behind <= MAX_LEVELS_BEHIND && behind < levels.length - 1; behind += 1) {
      const end = levels.length - behind;
      const device = this.devices.get(levels.slice(0, end).join('/'));
      if (!device || (behind > 0 && device.address === undefined)) continue;
      const { address, units, tags } = device;
      const name = address === undefined ? topic : [nameOf(address), ...levels.slice(end)].join('/');
      return { name, title, source: 'zigbee2mqtt', units: behind === 0 ? units : {}, tags };
    }
    return { name: topic, title, source: 'zigbee2mqtt' };
  }

  /** Takes a message's own address, with the setting `include_device_information`. */
  private identify(topic: string, address: string | undefined): Omit<Decoded, 'points'> {
    const known = this.devices.get(topic);
    if (address === undefined || known?.address === address) return {};
    const { change } = this.devices.put(topic, { units: {}, tags: {}, ...(!known?.address && known), address });
    if (!change?.content) return {};
    return { described: [change], ...(!known?.address && { leads: [{ from: topic, to: nameOf(address) }] }) };
  }

  private describe(base: string, message: MqttMessage): Decoded {
    if (message.payload.length === 0 || base.length > MAX_BASE) return { points: [] };
    const all = readDevices(base, jsonOf(message));
    const listed = new Map(all.slice(0, MAX_DEVICES));
    // A device that is gone may have been renamed: messages under the former name may still come.
    const gone = this.devices.topics.filter((topic) => topic.startsWith(`${base}/`) && !listed.has(topic));
    const room = MAX_DEVICES - listed.size - (this.devices.topics.length - this.knownOf(base));
    const kept = new Set(
      gone.filter((topic) => this.devices.get(topic)?.address !== undefined).slice(0, Math.max(0, room)),
    );
    const leads = [...listed].flatMap(([topic, device]) => this.leadsTo(base, topic, device));
    // Gone ones first: they make room.
    const puts = [
      ...gone.filter((topic) => !kept.has(topic)).map((topic) => this.devices.put(topic, undefined)),
      ...[...listed].map(([topic, device]) => this.devices.put(topic, device)),
    ];
    const described = puts.flatMap(({ change }) => change ?? []);
    const leftOut = puts.filter(({ isLeftOut }) => isLeftOut).length + all.length - listed.size;
    return {
      points: [],
      ...(described.length > 0 && { described }),
      ...(leads.length > 0 && { leads }),
      ...(leftOut > 0 && {
        note: `${leftOut} devices are left out, because the list is too long: they have no units, and another series when they are renamed`,
      }),
    };
  }

  private knownOf(base: string): number {
    return this.devices.topics.filter((topic) => topic.startsWith(`${base}/`)).length;
  }

  /** A topic with an earlier device has no series of this one. */
  private leadsTo(base: string, topic: string, { address }: Device): SeriesLead[] {
    if (address === undefined || this.devices.get(topic)?.address !== undefined) return [];
    const to = nameOf(address);
    // A device without a name has its address in the topic.
    return [topic, `${base}/${address}`].map((from) => ({ from, to }));
  }
}

function nameOf(address: string): string {
  return `zigbee2mqtt:${address}`;
}

function dateOf(lastSeen: unknown): number | undefined {
  const ms = readMessageDate(lastSeen);
  return typeof lastSeen === 'number' || /\.\d/.test(String(lastSeen)) ? ms : undefined;
}
