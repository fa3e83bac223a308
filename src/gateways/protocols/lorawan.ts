import { nearestNumber } from '../../platform/exact-json';
import { isRecord } from '../../platform/is-record';
import { isWellFormed } from '../../platform/well-formed';
import { withNamedValues } from './named-values';
import type { SeriesPoint } from './series';
import { pointsOf } from './series-point';
import { UnreadableMessage } from './unreadable';

export interface LorawanDevice {
  /** DevEUI in upper case: the device has one series on all network servers. */
  name: string;
  title: string;
  source: 'ttn' | 'chirpstack';
  tags: Readonly<Record<string, string>>;
}

export interface LorawanReading {
  /** Fields of the decoded payload. */
  payload: Readonly<Record<string, unknown>>;
  /** Fields of the network server; those of the payload win. */
  added: Readonly<Record<string, number | boolean | string | undefined>>;
  dateMs: number | undefined;
}

export interface Signal {
  rssi: number | undefined;
  snr: number | undefined;
}

/** Objects with many more fields are slow to copy. */
const MAX_FIELDS = 10_000;
const MAX_TAGS = 100;

const UNITS: Readonly<Record<string, string>> = {
  rssi: 'dBm',
  snr: 'dB',
  margin: 'dB',
  batteryLevel: '%',
  last_battery_percentage: '%',
};

/** Empty without a value. Throws UnreadableMessage if the value is too large. */
export function lorawanPoints(device: LorawanDevice, { payload, added, dateMs }: LorawanReading): SeriesPoint[] {
  if (Object.keys(payload).length > MAX_FIELDS) throw new UnreadableMessage(`more than ${MAX_FIELDS} fields`);
  const more = Object.entries(added).filter(([name, value]) => value !== undefined && !Object.hasOwn(payload, name));
  const units = more.flatMap(([name]): [string, string][] => {
    const unit = UNITS[name];
    return unit === undefined ? [] : [[name, unit]];
  });
  const series = { ...device, namespace: 'lorawan', units: Object.fromEntries(units) } as const;
  return pointsOf(series, { ...payload, ...Object.fromEntries(more) }, dateMs);
}

/** Network servers omit fields that are 0: a ratio is missing for 0 dB. */
export function bestSignal(receptions: unknown, isLora: boolean): Signal {
  const gateways: unknown[] = Array.isArray(receptions) ? receptions : [];
  const signals = gateways.filter(isRecord).map(({ rssi, snr }): Signal => {
    const strength = numberOf(rssi);
    return { rssi: strength, snr: numberOf(snr) ?? (strength !== undefined && isLora ? 0 : undefined) };
  });
  return { rssi: highest(signals.map(({ rssi }) => rssi)), snr: highest(signals.map(({ snr }) => snr)) };
}

/** Undefined for an empty text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && isWellFormed(value) ? value : undefined;
}

export function numberOf(given: unknown): number | undefined {
  const value = nearestNumber(given);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function textsOf(fields: unknown): Record<string, string> {
  if (!isRecord(fields)) return {};
  const texts = Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const text = textOf(value);
    return text === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(texts.slice(0, MAX_TAGS));
}

/** Undefined without fields: a codec that could not decode leaves an empty object. */
export function decodedOf(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) && Object.keys(value).length > 0 ? withNamedValues(value) : undefined;
}

function highest(numbers: readonly (number | undefined)[]): number | undefined {
  let best: number | undefined;
  for (const number of numbers) if (number !== undefined && (best === undefined || number > best)) best = number;
  return best;
}
