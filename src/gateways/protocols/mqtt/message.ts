import { MAX_VALUE_BYTES, readNumber } from '../../../language/sensor-value';
import { exactJson, LongNumber, parseExactJson } from '../../../platform/exact-json';
import type { SeriesDataType, SeriesLead, SeriesPoint } from '../series';
import { MAX_SERIES_NAME, valueOfFields } from '../series';
import { UnreadableMessage } from '../unreadable';
import type { Description } from './descriptions';
import { whyTooLarge } from './json-size';

export interface MqttMessage {
  topic: string;
  payload: Buffer;
}

export interface MqttDecoder {
  /**
   * Empty if the message describes something or means nothing here. Throws UnreadableMessage for one that should have
   * brought a point.
   */
  decode(message: MqttMessage): Decoded;
  describing(filters: readonly string[]): string[];
  named(): readonly string[];
  /** Takes descriptions of earlier decoders. */
  restore(descriptions: readonly Description[]): void;
}

export interface Decoded {
  points: SeriesPoint[];
  /** Changed descriptions. */
  described?: Description[];
  /** Named by their topics before their devices were known: the first existing one is led over. */
  leads?: SeriesLead[];
  note?: string;
}

/** Without its value. */
export interface NamedSeries {
  name: string;
  title: string;
  source: string;
  tags?: Readonly<Record<string, string>>;
  units?: Readonly<Record<string, string>>;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
/** Maximum number of units of a point, and of characters in their paths. */
const MAX_UNITS = 100;
const MAX_PATH = 100;

/** A decoder that knows nothing but the message. */
export function stateless(decode: (message: MqttMessage) => SeriesPoint[]): MqttDecoder {
  return {
    decode: (message) => ({ points: decode(message) }),
    describing: () => [],
    named: () => [],
    restore: () => undefined,
  };
}

/** Throws UnreadableMessage if the payload is not UTF-8. */
export function textOf({ payload }: MqttMessage): string {
  try {
    return UTF8.decode(payload);
  } catch {
    throw new UnreadableMessage('is not text in UTF-8');
  }
}

/** Throws UnreadableMessage for no JSON, and for JSON that is too deep or has too many values. */
export function jsonOf(message: MqttMessage): unknown {
  const text = textOf(message);
  const why = whyTooLarge(text);
  if (why !== null) throw new UnreadableMessage(why);
  try {
    return parseExactJson(text);
  } catch {
    throw new UnreadableMessage('is no JSON');
  }
}

/** Leaves out long paths: each would cost the size of the message. */
export function unitsByPath(
  units: Iterable<readonly [path: string, unit: string | undefined]>,
): Record<string, string> {
  const kept: [string, string][] = [];
  for (const [path, unit] of units) {
    if (kept.length >= MAX_UNITS) break;
    if (unit !== undefined && isShortPath(path)) kept.push([path, unit]);
  }
  return Object.fromEntries(kept);
}

export function isShortPath(path: string): boolean {
  return path.length <= MAX_PATH;
}

/** Returns a number if the text spells one; undefined if it is blank. */
export function plainValue(text: string): { value: string; dataType: SeriesDataType } | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return { value: trimmed, dataType: readNumber(trimmed) === null ? 'string' : 'float' };
}

/** Undefined for null and an object without fields. */
export function jsonValue(value: unknown): { value: string; dataType: SeriesDataType } | undefined {
  if (value === null || value === undefined) return undefined;
  if (value instanceof LongNumber) return valueOfFields({ value });
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return typeof value === 'string' ? plainValue(value) : valueOfFields({ value });
  }
  if (Object.keys(value).length === 0) return undefined;
  return { value: exactJson(value), dataType: 'json' };
}

/** Empty for an undefined value. Throws UnreadableMessage if it cannot be stored. */
export function pointOf(
  series: NamedSeries,
  value: { value: string; dataType: SeriesDataType } | undefined,
  dateMs?: number,
): SeriesPoint[] {
  if (!value) return [];
  if (series.name.length > MAX_SERIES_NAME) throw new UnreadableMessage('has a topic that is too long');
  if (Buffer.byteLength(value.value) > MAX_VALUE_BYTES)
    throw new UnreadableMessage(`is larger than ${MAX_VALUE_BYTES} bytes`);
  const { name, title, source, tags = {}, units = {} } = series;
  const described = { namespace: 'mqtt' as const, name, title, source, dataType: value.dataType, tags, units };
  return [{ series: described, value: value.value, dateMs }];
}
