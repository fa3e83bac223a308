import { isRecord } from '../../../platform/is-record';
import type { SeriesPoint } from '../series';
import { UnreadableMessage } from '../unreadable';
import type { Description } from './descriptions';
import { KnownDevices } from './known-devices';
import {
  type Decoded,
  isShortPath,
  jsonOf,
  jsonValue,
  type MqttDecoder,
  type MqttMessage,
  pointOf,
  unitsByPath,
} from './message';
import { readMessageDate } from './message-date';

/** Messages with values by the last level of their topics: their own, or a part of an answer. */
const PARTS: Readonly<Record<string, string | null>> = {
  SENSOR: null,
  STATE: null,
  STATUS8: 'StatusSNS',
  STATUS10: 'StatusSNS',
};
const PREFIXES: ReadonlySet<string> = new Set(['tele', 'stat']);
/** Units in fields of their own, by the fields that they apply to. */
const REPORTED_UNITS: Readonly<Record<string, string>> = {
  Temperature: 'TempUnit',
  DewPoint: 'TempUnit',
  Pressure: 'PressureUnit',
  SeaPressure: 'PressureUnit',
  Speed: 'SpeedUnit',
};
const UNITS: Readonly<Record<string, string>> = {
  ...{ Humidity: '%', Illuminance: 'lx', CarbonDioxide: 'ppm', eCO2: 'ppm', TVOC: 'ppb', Distance: 'cm' },
  ...{ Power: 'W', ApparentPower: 'VA', ReactivePower: 'var', Voltage: 'V', Current: 'A', Frequency: 'Hz' },
  ...{ Total: 'kWh', Today: 'kWh', Yesterday: 'kWh' },
};
const NOT_MEASURED: ReadonlySet<string> = new Set(['Time', ...Object.values(REPORTED_UNITS)]);

const DISCOVERY = /^tasmota\/discovery\/[^/]+\/config$/;
const MAC = /^[0-9a-f]{12}$/i;
const UNNAMED = 'Tasmota';

/**
 * Reads `tele/…/SENSOR`, `tele/…/STATE`, and answers to `Status 8` and `Status 10`. The discovery's MAC addresses name
 * series. `Time` needs an offset (`SetOption52 1`): otherwise its zone is unknown.
 */
export class TasmotaDecoder implements MqttDecoder {
  private readonly devices = new KnownDevices('tasmota');

  decode(message: MqttMessage): Decoded {
    if (DISCOVERY.test(message.topic)) return this.describe(message);
    return { points: this.pointsOf(message) };
  }

  describing(): string[] {
    return ['tasmota/discovery/+/config'];
  }

  named(): readonly string[] {
    return [];
  }

  restore(descriptions: readonly Description[]): void {
    this.devices.restore(descriptions);
  }

  /** An empty configuration ends the discovery, not the device. */
  private describe(message: MqttMessage): Decoded {
    const config = message.payload.length === 0 ? undefined : jsonOf(message);
    if (!isRecord(config)) return { points: [] };
    const { mac, dn: label, t: topic, ft: fullTopic, tp: prefixes } = config;
    if (typeof mac !== 'string' || !MAC.test(mac) || typeof topic !== 'string') return { points: [] };
    const form = typeof fullTopic === 'string' ? fullTopic : '%prefix%/%topic%/';
    const [, stat = 'stat', tele = 'tele'] = Array.isArray(prefixes) ? prefixes.map(String) : [];
    const [values, answers] = [tele, stat].map((prefix) =>
      form.replace('%prefix%', prefix).replace('%topic%', topic).replace(/\/$/, ''),
    );
    const device = { id: mac.toUpperCase(), ...(typeof label === 'string' && label !== UNNAMED && { label }) };
    const changes = [values, answers].flatMap((base) => (base === undefined ? [] : this.devices.put(base, device)));
    const described = changes.flatMap((change) => change.described ?? []);
    const leads = changes.flatMap((change) => change.leads ?? []);
    const note = changes.find((change) => change.note !== undefined)?.note;
    return {
      points: [],
      ...(described.length > 0 && { described }),
      ...(leads.length > 0 && { leads }),
      ...(note !== undefined && { note }),
    };
  }

  private pointsOf(message: MqttMessage): SeriesPoint[] {
    const [point] = readValues(message);
    if (!point) return [];
    const { topic } = message;
    const device = this.devices.get(topic.slice(0, topic.lastIndexOf('/')));
    if (!device) return [point];
    const kind = point.series.name.slice(point.series.name.lastIndexOf('/') + 1);
    const title =
      device.label === undefined ? point.series.title : `${device.label}${kind === 'STATE' ? ' state' : ''}`;
    return [{ ...point, series: { ...point.series, name: `${this.devices.nameOf(device.id)}/${kind}`, title } }];
  }
}

function readValues(message: MqttMessage): SeriesPoint[] {
  const levels = message.topic.split('/');
  const kind = levels.at(-1) ?? '';
  const part = PARTS[kind];
  if (part === undefined || message.payload.length === 0) return [];
  const payload = jsonOf(message);
  const body = part !== null && isRecord(payload) ? payload[part] : payload;
  if (!isRecord(body)) throw new UnreadableMessage('has no fields as of Tasmota');
  const device = levels.slice(0, -1).filter((level) => !PREFIXES.has(level));
  const fields = Object.fromEntries(Object.entries(body).filter(([name]) => !NOT_MEASURED.has(name)));
  const series = {
    // An answer belongs to the series of unasked messages.
    name:
      part === null ? message.topic : [...levels.slice(0, -1), 'SENSOR'].join('/').replace(/(^|\/)stat\//, '$1tele/'),
    title: [...device, ...(kind === 'STATE' ? ['state'] : [])].join(' '),
    source: 'tasmota',
    units: unitsByPath(unitsIn(fields, '', reportedUnits(body))),
  };
  return pointOf(series, jsonValue(fields), readMessageDate(body.Time));
}

function reportedUnits(body: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const entries = Object.entries(REPORTED_UNITS).flatMap(([field, name]) => {
    const unit = body[name];
    if (typeof unit !== 'string') return [];
    return [[field, name === 'TempUnit' ? `°${unit}` : unit]];
  });
  return Object.fromEntries(entries);
}

function unitsIn(
  fields: Readonly<Record<string, unknown>>,
  path: string,
  reported: Readonly<Record<string, string>>,
): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    if (isRecord(value) && isShortPath(path)) return unitsIn(value, `${path}${name}.`, reported);
    const isMeasured = typeof value === 'number' || Array.isArray(value);
    const unit = isMeasured ? (reported[name] ?? UNITS[name]) : undefined;
    return unit === undefined ? [] : [[`${path}${name}`, unit]];
  });
}
