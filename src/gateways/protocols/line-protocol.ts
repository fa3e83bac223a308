import type { TextInLines } from '../../edge/bytes-as-text';
import { FIRST_CLOCK_MS, formatIsoDate, LAST_DATE_MS } from '../../edge/dates';
import { LineCursor } from './line-cursor';
import { FieldReader } from './line-fields';
import { readKey } from './line-key';
import { countLineBreaks, findUnescaped, LineProblem, SPACE, show, skipBlanks } from './line-text';
import type { Series, SeriesDataType, SeriesPoint } from './series';

/** Milliseconds per unit. */
const PRECISIONS = { ns: 1e-6, n: 1e-6, us: 1e-3, u: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
export type Precision = keyof typeof PRECISIONS;

export function isPrecision(text: string): text is Precision {
  return Object.hasOwn(PRECISIONS, text);
}

export interface WrongLine {
  /** From 1. */
  line: number;
  why: string;
}

export interface ReadLines {
  points: SeriesPoint[];
  wrong: WrongLine[];
}

const AHEAD_MS = 86_400_000;

const COMMENT = 35;
const MINUS = 45;
const ZERO = 48;

/**
 * https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/. Unreadable lines are left out and named; if
 * a text never ends, only the first row is wrong. Times are cut to milliseconds. Linear in the length of the text.
 */
export class LineReader {
  private readonly series = new Map<string, Series>();
  private readonly cursor: LineCursor;
  private readonly fields: FieldReader;
  private readonly text: string;
  private readonly broken: TextInLines['broken'];
  private readonly msPerUnit: number;
  /** Digits below a millisecond. */
  private readonly digitsBelow: number;
  private at = 0;
  private line = 0;

  constructor(
    { text, broken }: TextInLines,
    precision: Precision,
    private readonly nowMs: number,
  ) {
    this.text = text;
    this.broken = broken;
    this.cursor = new LineCursor(text);
    this.fields = new FieldReader(this.cursor);
    this.msPerUnit = Math.max(1, PRECISIONS[precision]);
    this.digitsBelow = Math.round(Math.max(0, -Math.log10(PRECISIONS[precision])));
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Reads at most `most.lines`; begins none after `most.characters`. */
  read(most: { lines: number; characters: number }, { points, wrong }: ReadLines): void {
    const { cursor, text } = this;
    const until = this.at + most.characters;
    for (let count = 0; count < most.lines && this.at < until && !this.isAtEnd; count += 1) {
      this.line += 1;
      try {
        cursor.begin(this.at);
        const point = this.readLine();
        const { next, secondRow } = cursor;
        const rows = next > secondRow ? countLineBreaks(text, secondRow - 1, next - 1) : 0;
        this.refuseBroken(this.line + rows);
        if (point) points.push(point);
        this.line += rows;
        this.at = next;
      } catch (error) {
        if (!(error instanceof LineProblem)) throw error;
        wrong.push({ line: this.line, why: error.message });
        this.at = cursor.secondRow;
      }
    }
  }

  /** Refuses the line up to this row if one of its rows is broken. */
  private refuseBroken(last: number): void {
    for (let row = this.line; this.broken.size > 0 && row <= last; row += 1) {
      const why = this.broken.get(row);
      if (why !== undefined) throw new LineProblem(why);
    }
  }

  private readLine(): SeriesPoint | undefined {
    const { cursor, text } = this;
    const from = skipBlanks(text, cursor.at, cursor.end);
    if (from >= cursor.end || text.charCodeAt(from) === COMMENT) return undefined;
    const keyEnd = findUnescaped(text, SPACE, from, cursor.end);
    if (keyEnd < 0) throw new LineProblem('has no fields');
    cursor.at = skipBlanks(text, keyEnd, cursor.end);
    const { value, dataType } = this.fields.read();
    const series = this.seriesOf(text.slice(from, keyEnd), dataType);
    const dateFrom = skipBlanks(text, cursor.at, cursor.end);
    if (dateFrom >= cursor.end) return { series, value, dateMs: undefined };
    const dateMs = this.readDateMs(dateFrom, cursor.end);
    const belowMs = readDigits(text, Math.max(dateFrom, cursor.end - this.digitsBelow), cursor.end);
    // In one literal: an object that grows takes more memory.
    return { series, value, dateMs, belowNs: belowMs * 10 ** (6 - this.digitsBelow) };
  }

  /** Reads digits: nanoseconds have more than a double can hold. */
  private readDateMs(from: number, end: number): number {
    const { text, msPerUnit } = this;
    const isNegative = text.charCodeAt(from) === MINUS;
    const digitsFrom = isNegative ? from + 1 : from;
    if (digitsFrom === end || !areDigits(text, digitsFrom, end)) throw wrongDate(text, from, end, 'is no whole number');
    const dateMs = readDigits(text, digitsFrom, end - this.digitsBelow) * msPerUnit;
    if (!isNegative && dateMs >= FIRST_CLOCK_MS && dateMs <= this.nowMs + AHEAD_MS) return dateMs;
    const units = readDigits(text, digitsFrom, end) * (isNegative ? -1 : 1);
    throw wrongDate(text, from, end, whyNoDate(isNegative ? -dateMs : dateMs, units, this.nowMs + AHEAD_MS));
  }

  private seriesOf(key: string, dataType: SeriesDataType): Series {
    const known = this.series.get(key);
    if (known) return known;
    const series = readKey(key, dataType);
    this.series.set(key, series);
    return series;
  }
}

function areDigits(text: string, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return false;
  }
  return true;
}

function readDigits(text: string, from: number, end: number): number {
  let number = 0;
  for (let at = from; at < end; at += 1) number = number * 10 + text.charCodeAt(at) - ZERO;
  return number;
}

/** Names the precision that would make it a date, if there is one. */
function whyNoDate(dateMs: number, units: number, lastMs: number): string {
  const read = Math.abs(dateMs) <= LAST_DATE_MS ? `is ${formatIsoDate(dateMs)}` : 'is after 9999';
  const rule = `${read}, not from 2001 to a day from now`;
  const meant = Object.entries(PRECISIONS).find(([, ms]) => units * ms >= FIRST_CLOCK_MS && units * ms <= lastMs);
  if (!meant) return `${rule}: check the clock and the precision`;
  return `${rule}: it is ${formatIsoDate(Math.floor(units * meant[1]))} with precision=${meant[0]}`;
}

function wrongDate(text: string, from: number, end: number, why: string): LineProblem {
  return new LineProblem(`has the timestamp ${show(text.slice(from, end))}, which ${why}`);
}
