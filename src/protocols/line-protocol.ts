import { LAST_DATE_MS } from '../rules/dates';
import { FORBIDDEN_FIELDS, MAX_VALUE_BYTES } from '../rules/sensor-value';
import { MAX_SERIES_NAME, type Series, type SeriesDataType, type SeriesPoint } from '../rules/series';
import {
  BACKSLASH,
  COMMA,
  countLineBreaks,
  EQUALS,
  findUnescaped,
  findUnquoted,
  QUOTE,
  SPACE,
  skipSpaces,
  splitUnescaped,
  withEscapes,
  withoutEscapes,
} from './line-text';

/** Units of time in which a line may be dated, and how many milliseconds one of them is. */
const PRECISIONS = { ns: 1e-6, n: 1e-6, us: 1e-3, u: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
export type Precision = keyof typeof PRECISIONS;

export function isPrecision(text: string): text is Precision {
  return Object.hasOwn(PRECISIONS, text);
}

/** A line that can never be read. */
export interface WrongLine {
  /** Its number in the body, from 1. */
  line: number;
  why: string;
}

export interface ReadLines {
  points: SeriesPoint[];
  wrong: WrongLine[];
}

class LineProblem extends Error {}

/** The numbers of JSON, which are stored as they are written. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+$/;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['t', 'T', 'true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['f', 'F', 'false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);

/**
 * Reads bodies of InfluxDB's line protocol (https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/).
 * A line is a point of the series of its measurement and tags; its fields are the value. Lines that can never be read
 * are left out and named. Times are cut to milliseconds.
 */
export class LineReader {
  private readonly series = new Map<string, Series>();
  private readonly msPerUnit: number;
  private at = 0;
  private line = 0;

  constructor(
    private readonly text: string,
    precision: Precision,
  ) {
    this.msPerUnit = PRECISIONS[precision];
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Reads the next lines, at most so many. */
  read(most: number, { points, wrong }: ReadLines): void {
    for (let count = 0; count < most && !this.isAtEnd; count += 1) {
      const from = this.at;
      this.line += 1;
      const number = this.line;
      const end = this.endOfLine(from);
      this.at = end + 1;
      try {
        const point = this.readLine(this.text.slice(from, end));
        if (point) points.push(point);
      } catch (error) {
        if (!(error instanceof LineProblem)) throw error;
        wrong.push({ line: number, why: error.message });
      }
    }
  }

  /** The end of the line that begins there. A quoted text may contain line breaks. */
  private endOfLine(from: number): number {
    const next = this.text.indexOf('\n', from);
    const end = next < 0 ? this.text.length : next;
    const quote = this.text.indexOf('"', from);
    if (quote < 0 || quote >= end) return end;
    const fields = findUnescaped(this.text, from, SPACE); // a quote before them is a character like any other
    return fields < 0 || fields >= end ? end : this.endOfQuotedLine(fields, end);
  }

  private endOfQuotedLine(from: number, firstEnd: number): number {
    let isQuoted = false;
    for (let at = from; at < this.text.length; at += 1) {
      const code = this.text.charCodeAt(at);
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isQuoted = !isQuoted;
      else if (code === 10) {
        if (!isQuoted) return at;
        this.line += 1;
      }
    }
    if (!isQuoted) return this.text.length;
    // The quote is never closed: only its own line is wrong.
    this.line -= countLineBreaks(this.text, firstEnd);
    return firstEnd;
  }

  private readLine(given: string): SeriesPoint | undefined {
    const text = given.trim();
    if (text === '' || text.startsWith('#')) return undefined;
    const keyEnd = findUnescaped(text, 0, SPACE);
    if (keyEnd < 0) throw new LineProblem('has no fields');
    const fieldsFrom = skipSpaces(text, keyEnd);
    const fieldsEnd = findUnquoted(text, fieldsFrom, SPACE);
    const fields = fieldsEnd < 0 ? text.slice(fieldsFrom) : text.slice(fieldsFrom, fieldsEnd);
    const { value, dataType } = readFields(fields);
    const date = fieldsEnd < 0 ? UNDATED : this.readDate(text.slice(fieldsEnd).trim());
    return { series: this.seriesOf(text.slice(0, keyEnd), dataType), value, ...date };
  }

  private readDate(text: string): LineDate {
    if (text === '') return UNDATED;
    if (!INTEGER.test(text)) throw new LineProblem(`has the timestamp ${show(text)}, which is no whole number`);
    const { dateMs, belowMs } = cutToMs(text, this.msPerUnit);
    if (dateMs < 0 || dateMs > LAST_DATE_MS) {
      throw new LineProblem(`has the timestamp ${show(text)}, which is not between 1970 and 9999: check the precision`);
    }
    return { dateMs, belowMs };
  }

  /** Lines of one series share an object. */
  private seriesOf(key: string, dataType: SeriesDataType): Series {
    const known = this.series.get(key);
    if (known) return known;
    const series = readKey(key, dataType);
    this.series.set(key, series);
    return series;
  }
}

type LineDate = Pick<SeriesPoint, 'dateMs' | 'belowMs'>;
const UNDATED: LineDate = { dateMs: undefined };

/** Nanoseconds and microseconds are cut by their digits: the number has more than a double can hold. */
function cutToMs(text: string, msPerUnit: number): { dateMs: number; belowMs: number } {
  if (msPerUnit >= 1) return { dateMs: Number(text) * msPerUnit, belowMs: 0 };
  if (text.startsWith('-')) return { dateMs: -1, belowMs: 0 };
  const digits = msPerUnit === 1e-6 ? 6 : 3;
  return { dateMs: Number(text.slice(0, -digits) || '0'), belowMs: Number(text.slice(-digits)) };
}

/** The measurement and the tags. The name has its tags in order, so that their order in a line does not matter. */
function readKey(key: string, dataType: SeriesDataType): Series {
  const [measurement = '', ...rest] = splitUnescaped(key, COMMA);
  const title = withoutEscapes(measurement);
  if (title === '') throw new LineProblem('has no measurement');
  const tags = new Map<string, string>();
  for (const tag of rest) {
    const at = findUnescaped(tag, 0, EQUALS);
    const name = at < 0 ? '' : withoutEscapes(tag.slice(0, at));
    const value = at < 0 ? '' : withoutEscapes(tag.slice(at + 1));
    if (name === '' || value === '') throw new LineProblem(`has the tag ${show(tag)}, which is not name=value`);
    if (tags.has(name)) throw new LineProblem(`has the tag ${show(name)} twice`);
    tags.set(name, value);
  }
  const sorted = [...tags].sort(([a], [b]) => (a < b ? -1 : 1));
  const name = [withEscapes(title), ...sorted.map(([tag, value]) => `${withEscapes(tag)}=${withEscapes(value)}`)].join(
    ',',
  );
  if (name.length > MAX_SERIES_NAME) {
    throw new LineProblem(`has measurement and tags of more than ${MAX_SERIES_NAME} characters`);
  }
  return { namespace: 'influx', name, title, source: 'influx', dataType, tags: Object.fromEntries(sorted), units: {} };
}

/** The fields as the stored value: a single field `value` plainly, anything else as JSON. Numbers keep their digits. */
function readFields(text: string): { value: string; dataType: SeriesDataType } {
  const fields = splitFields(text);
  const only = fields.size === 1 ? fields.get('value') : undefined;
  const value = only ? only.plain : asJson(fields);
  if (value.length > MAX_VALUE_BYTES / 4 && Buffer.byteLength(value) > MAX_VALUE_BYTES) {
    throw new LineProblem(`has fields of more than ${MAX_VALUE_BYTES} bytes`);
  }
  return { value, dataType: only?.dataType ?? 'json' };
}

function splitFields(text: string): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (let from = 0; from < text.length; ) {
    const equals = findUnescaped(text, from, EQUALS);
    const name = equals < 0 ? '' : withoutEscapes(text.slice(from, equals));
    if (name === '') throw new LineProblem(`has the field ${show(text.slice(from))}, which is not name=value`);
    if (FORBIDDEN_FIELDS.has(name)) throw new LineProblem(`has a field ${name}, which is not a possible name`);
    const comma = findUnquoted(text, equals + 1, COMMA);
    const end = comma < 0 ? text.length : comma;
    fields.set(name, readField(name, text.slice(equals + 1, end)));
    from = end + 1;
    if (from === text.length) throw new LineProblem('ends with a comma');
  }
  if (fields.size === 0) throw new LineProblem('has no fields');
  return fields;
}

interface Field {
  plain: string;
  json: string;
  dataType: SeriesDataType;
}

function readField(name: string, text: string): Field {
  if (text.startsWith('"')) return readText(name, text);
  const boolean = BOOLEANS.get(text);
  if (boolean !== undefined) return { plain: String(boolean), json: String(boolean), dataType: 'boolean' };
  const last = text.charCodeAt(text.length - 1);
  const isInteger = last === 105 || last === 117; // 42i, 42u
  const digits = isInteger ? text.slice(0, -1) : text;
  if (isInteger ? !INTEGER.test(digits) : !FLOAT.test(digits)) {
    throw new LineProblem(`has ${show(text)} as ${show(name)}, which is no number, boolean or "text"`);
  }
  if (JSON_NUMBER.test(digits)) return { plain: digits, json: digits, dataType: 'float' };
  const number = String(Number(digits));
  if (!JSON_NUMBER.test(number)) throw new LineProblem(`has ${show(text)} as ${show(name)}, which is too large`);
  return { plain: number, json: number, dataType: 'float' };
}

/** In a quoted text only a quote and a backslash are escaped. */
function readText(name: string, text: string): Field {
  if (text.length < 2 || closingQuote(text) !== text.length - 1) {
    throw new LineProblem(`has a text as ${show(name)} whose quotes do not match`);
  }
  const plain = text.slice(1, -1).replace(/\\(["\\])/g, '$1');
  return { plain, json: JSON.stringify(plain), dataType: 'string' };
}

function closingQuote(text: string): number {
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return -1;
}

function asJson(fields: ReadonlyMap<string, Field>): string {
  let text = '{';
  for (const [name, { json }] of fields) text += `${text.length > 1 ? ',' : ''}${JSON.stringify(name)}:${json}`;
  return `${text}}`;
}

/** A part of a line in an error: short, on one line. */
function show(text: string): string {
  const one = JSON.stringify(text);
  return one.length > 60 ? `${one.slice(0, 59)}…` : one;
}
