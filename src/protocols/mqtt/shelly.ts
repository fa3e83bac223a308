import { isRecord } from '../../rules/is-record';
import type { SeriesPoint } from '../../rules/series';
import { isShortPath, jsonOf, jsonValue, type MqttMessage, plainValue, pointOf, textOf, unitsByPath } from './message';
import { readMessageDate } from './message-date';

/** Topics of the first generation that describe, announce or command; the last level of them. */
const NO_VALUES: ReadonlySet<string> = new Set(['announce', 'info', 'command', 'online', 'settings']);
/** Units of the first generation by the last level of the topic. `sensor/temperature` may be in °C or °F. */
const UNITS: Readonly<Record<string, string>> = {
  ...{ humidity: '%', battery: '%', lux: 'lx', power: 'W', voltage: 'V', current: 'A', temperature_f: '°F' },
  ...{ reactive_power: 'var', total: 'Wh', total_returned: 'Wh' },
};
/** Units of the second generation and later by the path in the status of a component. */
const STATUS_UNITS: Readonly<Record<string, string>> = {
  ...{ apower: 'W', act_power: 'W', aprtpower: 'VA', voltage: 'V', current: 'A', freq: 'Hz', rh: '%', lux: 'lx' },
  ...{ tC: '°C', tF: '°F', 'temperature.tC': '°C', 'temperature.tF': '°F', 'aenergy.total': 'Wh' },
  ...{ 'ret_aenergy.total': 'Wh', 'battery.V': 'V', 'battery.percent': '%' },
};
const STATUS = /^(.+)\/status\/([a-z0-9_]+(?::\d+)?)$/i;
const EVENTS = /^(.+)\/events\/rpc$/;
/** Components of a device that say nothing about its surroundings. */
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

/**
 * Values of Shelly devices. First generation: `shellies/<id>/…` with a plain value each. Later generations: the status of
 * a component, by `<id>/status/<component>` or by the notifications in `<id>/events/rpc`, which are dated.
 */
export function decodeShelly(message: MqttMessage): SeriesPoint[] {
  if (message.payload.length === 0) return [];
  const [, device, component] = STATUS.exec(message.topic) ?? [];
  if (device !== undefined && component !== undefined) return statusPoints(device, component, jsonOf(message));
  const [, notifier] = EVENTS.exec(message.topic) ?? [];
  if (notifier !== undefined) return notifiedPoints(notifier, jsonOf(message));
  return message.topic.startsWith('shellies/') ? plainPoints(message) : [];
}

function plainPoints(message: MqttMessage): SeriesPoint[] {
  const levels = message.topic.split('/');
  const last = levels.at(-1) ?? '';
  if (levels.length < 3 || NO_VALUES.has(last)) return [];
  const unit = levels.includes('ext_temperature') ? '°C' : UNITS[last];
  const units: Record<string, string> = unit === undefined ? {} : { value: unit };
  const series = { name: message.topic, title: levels.slice(1).join(' '), source: 'shelly', units };
  const text = textOf(message);
  return pointOf(series, /^\s*[[{]/.test(text) ? jsonValue(jsonOf(message)) : plainValue(text));
}

/** `NotifyStatus` and `NotifyFullStatus`: a status of each component. Other frames report events, not values. */
function notifiedPoints(device: string, frame: unknown): SeriesPoint[] {
  if (!isRecord(frame) || !isRecord(frame.params)) return [];
  if (frame.method !== 'NotifyStatus' && frame.method !== 'NotifyFullStatus') return [];
  const { ts, ...components } = frame.params;
  const dateMs = readMessageDate(ts);
  return Object.entries(components).flatMap(([name, status]) => statusPoints(device, name, status, dateMs));
}

function statusPoints(device: string, component: string, status: unknown, dateMs?: number): SeriesPoint[] {
  if (!isRecord(status) || OF_THE_DEVICE.has(component.replace(/:\d+$/, ''))) return [];
  const { id: _, ...fields } = status;
  const series = {
    name: `${device}/status/${component}`,
    title: `${device} ${component}`,
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
