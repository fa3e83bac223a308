import { MAX_VALUE_BYTES, readNumber } from '../../rules/sensor-value';
import type { SeriesDataType, SeriesPoint } from '../../rules/series';
import { MAX_SERIES_NAME, valueOfFields } from '../../rules/series';
import { UnreadableMessage } from '../unreadable';

/** A message that a broker delivered. */
export interface MqttMessage {
  topic: string;
  payload: Buffer;
}

/** Reads the messages of one source, in the order in which they arrive. */
export interface MqttDecoder {
  /**
   * The points of a message; none if it describes something or has no meaning here. Throws UnreadableMessage for one that
   * should have brought a point and can never be read.
   */
  decode(message: MqttMessage): Decoded;
  /** The topics of retained messages that describe others, given the filters of the source. */
  describing(filters: readonly string[]): string[];
  /** The topics that the descriptions have named so far. */
  named(): readonly string[];
  /** What the descriptions have said so far, as JSON, for the `restore` of another decoder; null if they said nothing. */
  described(): string | null;
  restore(described: string): void;
}

/** What a message brings. */
export interface Decoded {
  points: SeriesPoint[];
  /** True if the descriptions have changed. */
  isDescribed?: boolean;
  /** A problem that leaves the value usable: it is stored as it arrived. */
  note?: string;
}

/** A series without its value, as decoders name it. */
export interface NamedSeries {
  name: string;
  title: string;
  source: string;
  tags?: Readonly<Record<string, string>>;
  units?: Readonly<Record<string, string>>;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
/** Messages with more levels are refused: reading them is recursive. */
const MAX_DEPTH = 32;

/** A decoder that knows nothing but the message. */
export function stateless(decode: (message: MqttMessage) => SeriesPoint[]): MqttDecoder {
  return {
    decode: (message) => ({ points: decode(message) }),
    describing: () => [],
    named: () => [],
    described: () => null,
    restore: () => undefined,
  };
}

/** The payload as text. Throws UnreadableMessage if it is not UTF-8. */
export function textOf({ payload }: MqttMessage): string {
  try {
    return UTF8.decode(payload);
  } catch {
    throw new UnreadableMessage('is not text in UTF-8');
  }
}

/** The payload as JSON. Throws UnreadableMessage if it is none, or too deep. */
export function jsonOf(message: MqttMessage): unknown {
  const text = textOf(message);
  try {
    const value: unknown = JSON.parse(text);
    if (isTooDeep(value, MAX_DEPTH)) throw new UnreadableMessage(`has more than ${MAX_DEPTH} levels`);
    return value;
  } catch (error) {
    if (error instanceof UnreadableMessage) throw error;
    throw new UnreadableMessage('is no JSON');
  }
}

/** A text as a plain value: a number if it spells one, otherwise the text; undefined if it is blank. */
export function plainValue(text: string): { value: string; dataType: SeriesDataType } | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return { value: trimmed, dataType: readNumber(trimmed) === null ? 'string' : 'float' };
}

/** A JSON value as it is stored; undefined for null and for an object without fields. */
export function jsonValue(value: unknown): { value: string; dataType: SeriesDataType } | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return typeof value === 'string' ? plainValue(value) : valueOfFields({ value });
  }
  if (Object.keys(value).length === 0) return undefined;
  return { value: JSON.stringify(value), dataType: 'json' };
}

/** The point of a series; none for an undefined value. Throws UnreadableMessage if it cannot be stored. */
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

function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1));
}
