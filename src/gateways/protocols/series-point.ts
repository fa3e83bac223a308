import { MAX_VALUE_BYTES } from '../../language/sensor-value';
import { exactJson, LongNumber } from '../../platform/exact-json';
import { isWellFormed } from '../../platform/well-formed';
import { type FieldValue, MAX_SERIES_NAME, type Series, type SeriesPoint, valueOfFields } from './series';
import { UnreadableMessage } from './unreadable';

export type MessageSeries = Omit<Series, 'dataType'>;

/** Expressions read 64 levels. */
const MAX_LEVELS = 32;

/** Empty if no field remains. Throws UnreadableMessage if value or name cannot be stored. */
export function pointsOf(
  series: MessageSeries,
  fields: Readonly<Record<string, unknown>>,
  dateMs: number | undefined,
): SeriesPoint[] {
  if (series.name.length > MAX_SERIES_NAME || !isWellFormed(series.name)) {
    throw new UnreadableMessage(`the name of the series must be Unicode of at most ${MAX_SERIES_NAME} characters`);
  }
  const stored = storedValue(fields);
  if (!stored) return [];
  if (!isWellFormed(stored.value)) throw new UnreadableMessage('the value must be well-formed Unicode');
  // A UTF-16 unit takes at most three bytes, so short texts need no counting.
  if (stored.value.length * 3 > MAX_VALUE_BYTES && Buffer.byteLength(stored.value) > MAX_VALUE_BYTES) {
    throw new UnreadableMessage(`the value is longer than ${MAX_VALUE_BYTES} bytes`);
  }
  return [{ series: { ...series, dataType: stored.dataType }, value: stored.value, dateMs }];
}

function storedValue(fields: Readonly<Record<string, unknown>>): ReturnType<typeof valueOfFields> {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const plain = given.filter(isPlain);
  if (plain.length === given.length) return valueOfFields(Object.fromEntries(plain));
  const object = Object.fromEntries(given);
  if (isDeeper(object, MAX_LEVELS)) throw new UnreadableMessage(`the value has more than ${MAX_LEVELS} nested levels`);
  return { value: exactJson(object), dataType: 'json' };
}

function isPlain(field: [string, unknown]): field is [string, FieldValue] {
  return ['string', 'number', 'boolean'].includes(typeof field[1]) || field[1] instanceof LongNumber;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
