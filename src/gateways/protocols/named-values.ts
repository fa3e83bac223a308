import { LongNumber } from '../../platform/exact-json';
import { isRecord } from '../../platform/is-record';

type Fields = Record<string, unknown>;

/** Fields for the name and the value of a measurement, the best first. */
const NAMES = ['name', 'type', 'measurement', 'key', 'label', 'measurementId'];
const VALUES = ['measurementValue', 'value'];
const KINDS = /^(report|upload)_/;
/** Says nothing about a measurement. */
const ABOUT_THE_MESSAGE: ReadonlySet<string> = new Set(['err', 'payload', 'valid']);

/** Lists of objects with a name and a value become fields by name: their places change between messages. */
export function withNamedValues(payload: Fields): Fields {
  const entries = Object.entries(payload);
  const lists = new Map(entries.flatMap(([key, value]) => measurementsIn(key, value)));
  if (lists.size === 0) return payload;
  const named = new Map<string, unknown>();
  for (const [key, value] of entries) {
    const measurements = lists.get(key);
    if (measurements) for (const [name, measured] of measurements) named.set(freeName(name, named), measured);
    else if (!ABOUT_THE_MESSAGE.has(key)) named.set(key, value);
  }
  return Object.fromEntries(named);
}

type Measurement = [name: string, value: unknown];

/** Empty unless all items, also of inner lists, are measurements. */
function measurementsIn(key: string, value: unknown): [string, Measurement[]][] {
  if (!Array.isArray(value)) return [];
  const items: unknown[] = value.flat(2);
  const measurements = items.map(readMeasurement);
  const all = measurements.flatMap((one) => one ?? []);
  return all.length > 0 && measurements.every((one) => one !== undefined) ? [[key, all]] : [];
}

function readMeasurement(item: unknown): Measurement[] | undefined {
  if (!isRecord(item)) return undefined;
  const value = VALUES.map((key) => item[key]).find(isScalar);
  const kind = item.type;
  if (value === undefined) {
    // Such as {"type": "upload_battery", "battery": 100}.
    const isKind = typeof kind === 'string' && KINDS.test(kind);
    return isKind ? Object.entries(item).filter(([name, one]) => name !== 'type' && isScalar(one)) : undefined;
  }
  const name = NAMES.map((key) => item[key]).find((one) => isName(one) && !KINDS.test(String(one)));
  return name === undefined ? undefined : [[String(name), value]];
}

function isName(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) || value instanceof LongNumber;
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${number}`;
  return free;
}
