import { isRecord } from '../../../platform/is-record';
import type { SeriesPoint } from '../series';
import type { Description } from './descriptions';
import { KnownDevices } from './known-devices';
import {
  type Decoded,
  isShortPath,
  jsonOf,
  jsonValue,
  type MqttDecoder,
  type MqttMessage,
  plainValue,
  pointOf,
  textOf,
  unitsByPath,
} from './message';
import { readMessageDate } from './message-date';

/** Last levels of topics that describe, announce or command, in the first generation. */
const NO_VALUES: ReadonlySet<string> = new Set(['announce', 'info', 'command', 'online', 'settings']);
/** First generation, by the last level. `sensor/temperature` may be in °C or °F. */
const UNITS: Readonly<Record<string, string>> = {
  ...{ humidity: '%', battery: '%', lux: 'lx', power: 'W', voltage: 'V', current: 'A', temperature_f: '°F' },
  ...{ reactive_power: 'var', total: 'Wh', total_returned: 'Wh' },
};
const STATUS_UNITS: Readonly<Record<string, string>> = {
  ...{ apower: 'W', act_power: 'W', aprtpower: 'VA', voltage: 'V', current: 'A', freq: 'Hz', rh: '%', lux: 'lx' },
  ...{ tC: '°C', tF: '°F', 'temperature.tC': '°C', 'temperature.tF': '°F', 'aenergy.total': 'Wh' },
  ...{ 'ret_aenergy.total': 'Wh', 'battery.V': 'V', 'battery.percent': '%' },
};
const STATUS = /^(.+)\/status\/([a-z0-9_]+(?::\d+)?)$/i;
const EVENTS = /^(.+)\/events\/rpc$/;
const OF_THE_DEVICE: ReadonlySet<string> = new Set([
  'ble',
  'cloud',
  'mqtt',
  'sys',
  'wifi',
  'eth',
  'ws',
  'script',
  'ui',
]);

/** An id made of model and address, which nobody has given. */
const OWN_ID = /^shelly[\w-]*-[0-9a-f]{6,12}$/i;
const MAC = /^[0-9a-f]{12}$/i;
const FIRST_GENERATION = 'shellies/';

/**
 * First generation: `shellies/<name>/…` with plain values. Later: `<name>/status/<component>`, or dated notifications
 * in `<name>/events/rpc`. The device's id or MAC address names series.
 */
export class ShellyDecoder implements MqttDecoder {
  /** Devices by the beginnings of their topics. */
  private readonly devices = new KnownDevices('shelly');

  decode(message: MqttMessage): Decoded {
    if (message.payload.length === 0) return { points: [] };
    const [, device, component] = STATUS.exec(message.topic) ?? [];
    if (device !== undefined && component !== undefined) {
      return { points: statusPoints(this.placeOf(device), component, jsonOf(message)) };
    }
    const [, notifier] = EVENTS.exec(message.topic) ?? [];
    if (notifier !== undefined) return this.notified(notifier, jsonOf(message));
    if (!message.topic.startsWith(FIRST_GENERATION)) return { points: [] };
    return message.topic.endsWith('/announce') ? this.announced(message) : { points: this.plainPoints(message) };
  }

  describing(): string[] {
    return [];
  }

  named(): readonly string[] {
    return [];
  }

  restore(descriptions: readonly Description[]): void {
    this.devices.restore(descriptions);
  }

  /** Below the device's own id if known, otherwise below its topic. */
  private placeOf(device: string): Place {
    const topic = `${device}/status`;
    const id = this.devices.get(topic)?.id ?? (this.devices.includes(device) ? device : undefined);
    return { title: device, name: id === undefined ? topic : this.devices.nameOf(id) };
  }

  /** `NotifyStatus` and `NotifyFullStatus`; other frames report events, not values. */
  private notified(device: string, frame: unknown): Decoded {
    if (!isRecord(frame)) return { points: [] };
    const { src: id, method, params } = frame;
    const isNamed = typeof id === 'string' && OWN_ID.test(id) && (id !== device || this.devices.includes(id));
    const topic = `${device}/status`;
    const changes = isNamed ? this.devices.put(topic, { id }, [`${id}/status`]) : {};
    if (!isRecord(params) || (method !== 'NotifyStatus' && method !== 'NotifyFullStatus'))
      return { points: [], ...changes };
    const { ts, ...components } = params;
    const dateMs = readMessageDate(ts);
    const place = this.placeOf(device);
    const points = Object.entries(components).flatMap(([name, status]) => statusPoints(place, name, status, dateMs));
    return { points, ...changes };
  }

  private announced(message: MqttMessage): Decoded {
    const announcement = jsonOf(message);
    if (!isRecord(announcement)) return { points: [] };
    const { id, mac } = announcement;
    if (typeof id !== 'string' || typeof mac !== 'string' || !MAC.test(mac)) return { points: [] };
    return { points: [], ...this.devices.put(`${FIRST_GENERATION}${id}`, { id: mac.toUpperCase() }) };
  }

  private plainPoints(message: MqttMessage): SeriesPoint[] {
    const levels = message.topic.split('/');
    const last = levels.at(-1) ?? '';
    if (levels.length < 3 || NO_VALUES.has(last)) return [];
    const unit = levels.includes('ext_temperature') ? '°C' : UNITS[last];
    const units: Record<string, string> = unit === undefined ? {} : { value: unit };
    const device = this.devices.get(levels.slice(0, 2).join('/'));
    const name = device ? [this.devices.nameOf(device.id), ...levels.slice(2)].join('/') : message.topic;
    const series = { name, title: levels.slice(1).join(' '), source: 'shelly', units };
    const text = textOf(message);
    return pointOf(series, /^\s*[[{]/.test(text) ? jsonValue(jsonOf(message)) : plainValue(text));
  }
}

interface Place {
  name: string;
  title: string;
}

function statusPoints(place: Place, component: string, status: unknown, dateMs?: number): SeriesPoint[] {
  if (!isRecord(status) || OF_THE_DEVICE.has(component.replace(/:\d+$/, ''))) return [];
  const { id: _, ...fields } = status;
  const series = {
    name: `${place.name}/${component}`,
    title: `${place.title} ${component}`,
    source: 'shelly',
    units: unitsOf(fields),
  };
  return pointOf(series, jsonValue(fields), dateMs);
}

function unitsOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const paths = Object.entries(fields).flatMap(([name, value]) =>
    isRecord(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  );
  return unitsByPath(paths.filter(isShortPath).map((path) => [path, STATUS_UNITS[path]] as const));
}
