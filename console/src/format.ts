import { LOCALE, t } from './language';
import { columnParts, formatNumber, joined, numberFormat, quantity, quantityParts } from './quantity';

/** Hours of a clock of twelve have no leading zero. */
export const HOUR = new Intl.DateTimeFormat(LOCALE, { hour: 'numeric' }).resolvedOptions().hour12
  ? 'numeric'
  : '2-digit';
const dateTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });
const DAY_TIME = { month: 'short', day: 'numeric', hour: HOUR, minute: '2-digit' } as const;
const dayTime = new Intl.DateTimeFormat(LOCALE, DAY_TIME);
const dayTimeOfYear = new Intl.DateTimeFormat(LOCALE, { year: 'numeric', ...DAY_TIME });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' });
const count = new Intl.NumberFormat(LOCALE);

/** The first day of the week in the user's locale: 0 for Sunday. */
export function firstDayOfWeek(): number {
  const locale: Intl.Locale & Partial<{ getWeekInfo(): { firstDay: number } }> = new Intl.Locale(LOCALE);
  return (locale.getWeekInfo?.().firstDay ?? 1) % 7;
}

/** The time zone in which the console shows dates. */
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Unix seconds as date and time, in the user's zone. */
export function formatDate(seconds: number): string {
  return dateTime.format(seconds * 1000);
}

/** The same, short; with the year if it is not this one. */
export function formatShort(seconds: number): string {
  const date = new Date(seconds * 1000);
  return (date.getFullYear() === new Date().getFullYear() ? dayTime : dayTimeOfYear).format(date);
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const timeOfDay = new Intl.DateTimeFormat(LOCALE, { hour: HOUR, minute: '2-digit' });

/** The time of day of a date, in the user's zone. */
export function formatTimeOfDay(date: Date): string {
  return timeOfDay.format(date);
}

/** How long ago it was. */
export function formatAge(seconds: number, nowMs = Date.now()): string {
  const past = seconds - nowMs / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(past) >= size) ?? ['second', 1];
  return relative.format(Math.round(past / length), unit);
}

/** A text that was sent, with minus signs before its numbers. */
export function withMinus(text: string): string {
  return text.replace(/(?<![\p{L}\p{N}_.-])-(?=\d)/gu, '−');
}

/** A duration in words, of one or two parts: `1 h 5 min`. */
export function formatDuration(seconds: number, most = 2): string {
  const parts: string[] = [];
  let left = Math.round(seconds);
  for (const [text, size] of [
    ['{n} d', 86_400],
    ['{n} h', 3_600],
    ['{n} min', 60],
    ['{n} s', 1],
  ] as const) {
    const n = Math.floor(left / size);
    left -= n * size;
    if (n > 0 && parts.length < most) parts.push(t(text, { n }));
  }
  return parts.join(' ') || t('{n} s', { n: 0 });
}

/** Milliseconds, in the unit that suits them. */
export function formatMs(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? t('{n} s', { n: formatNumber(Math.round(ms / 100) / 10) }) : formatDuration(ms / 1000);
}

export function formatCount(number: number): string {
  return count.format(number);
}

/** Texts as a list: `a, b and c`, or with `or`. */
export function formatList(texts: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return new Intl.ListFormat(LOCALE, { type }).format(texts);
}

/** A double is exact for any number of at most this many digits. */
const EXACT_DIGITS = 15;

/** The value of a data point with all its digits, in the user's number format; other values unchanged. */
export function formatExact(text: string): string {
  const plain = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/.exec(text);
  if (!plain || text.replace(/\D/g, '').length > EXACT_DIGITS) return text;
  const decimals = plain[1]?.length ?? 0;
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: false };
  return numberFormat(options)(Number(text));
}

const LONGEST = 60;

/** What gives the values of a sensor their units. */
export interface Units {
  /** For true and false it may be their words, such as `closed/open`. */
  unit?: string;
  field_units?: Readonly<Record<string, string>>;
}

/** The value of a data point with its unit, short enough for a line. In a column, `parts` is the `columnOf` its values. */
export function formatValue(text: string, units: Units = {}, parts: ReturnType<typeof columnOf> = valueParts): string {
  const { value, unit } = parts(text, units);
  return joined(value, unit);
}

/** The same, apart from its unit. */
export function valueParts(
  text: string,
  { unit = '', field_units: units }: Units,
  write = quantityParts,
): { value: string; unit: string } {
  const number = numberIn(text);
  if (Number.isFinite(number)) return write(number, unit);
  if (text === 'true' || text === 'false') return { value: wordOf(text, unit), unit: '' };
  const shown = Object.entries(readFields(text) ?? { '': text })
    .map(([name, field]) => `${name} ${fieldText(field, units?.[name])}`.trim())
    .join(' · ');
  return { value: shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown, unit: '' };
}

function numberIn(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

/** Writes the values of a column, as `valueParts`; numbers of one unit have the same decimals, unless `writer` differs. */
export function columnOf(values: readonly (readonly [text: string, units: Units | undefined])[], writer = columnParts) {
  const numbers = values.map(([text, units]) => [numberIn(text), units?.unit ?? ''] as const);
  const write = writer(numbers.filter(([number]) => Number.isFinite(number)));
  return (text: string, units: Units) => valueParts(text, units, write);
}

function fieldText(field: unknown, unit = ''): string {
  if (typeof field === 'number') return quantity(field, unit);
  return typeof field === 'boolean' ? wordOf(`${field}`, unit) : String(field);
}

/** The word for true or false: of a unit such as `closed/open` the second or the first. */
export function wordOf(text: 'true' | 'false', unit: string): string {
  const [forFalse, forTrue, ...others] = unit.split('/').map((word) => word.trim());
  if (forFalse && forTrue && others.length === 0) return text === 'true' ? forTrue : forFalse;
  return text === 'true' ? t('true') : t('false');
}

/** The fields of a JSON object, nested ones with dots; undefined for any other text. */
export function readFields(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const fields: Record<string, unknown> = {};
    flatten(JSON.parse(text), '', fields);
    return fields;
  } catch {
    return undefined;
  }
}

function flatten(value: unknown, prefix: string, into: Record<string, unknown>): void {
  for (const [name, field] of Object.entries(Object(value))) {
    const path = prefix ? `${prefix}.${name}` : name;
    if (typeof field === 'object' && field !== null && !Array.isArray(field)) flatten(field, path, into);
    else into[path] = Array.isArray(field) ? JSON.stringify(field) : field;
  }
}

/** The display name of a sensor. */
export function sensorName({ name, display_name }: { name: string; display_name?: string }): string {
  return display_name || name || t('without a name');
}

/** The name of a user, as far as they show it here. */
export function personName({ id, username, name, surname }: Person): string {
  return username || [name, surname].filter(Boolean).join(' ') || (id ? t('user {id}', { id }) : t('a member'));
}

interface Person {
  id?: string;
  username?: string;
  name?: string;
  surname?: string;
}
