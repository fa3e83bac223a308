import { readFields } from '../format';
import type { Points, Range } from './load';

/** Numbers to draw as a line. If each stands for several, also the lowest, the highest and the count. */
export interface Line {
  name: string;
  dates: number[];
  values: (number | null)[];
  low?: (number | null)[];
  high?: (number | null)[];
  counts?: (number | null)[];
}

/** Periods in which a text or a boolean did not change. */
export interface Band {
  name: string;
  parts: { from: number; to: number; value: string }[];
}

export interface Shapes {
  lines: Line[];
  bands: Band[];
}

const MOST_LINES = 12;
const MOST_PARTS = 400;

/** The shapes of one sensor's points: numbers as lines, one for each field; text and booleans as bands. */
export function shapesOf(name: string, { dates, values, interval, extremes }: Points): Shapes {
  const columns = new Map<string, Column>();
  values.forEach((value, at) => {
    const around = extremes?.[at];
    const [low, high, counts] = [around?.min, around?.max, around?.count].map((text) => fieldsIn(text ?? ''));
    for (const [field, one] of Object.entries(fieldsIn(value))) {
      const column = columns.get(field) ?? { dates: [], values: [], ...(around && { low: [], high: [], counts: [] }) };
      column.dates.push(dates[at] ?? 0);
      // In an interval without numbers it is the last value, in any form.
      const isLast = around !== undefined && counts?.[field] === 0;
      column.values.push(isLast ? String(one) : one);
      column.low?.push(isLast ? null : numberOf(low?.[field]));
      column.high?.push(isLast ? null : numberOf(high?.[field]));
      column.counts?.push(numberOf(counts?.[field]));
      columns.set(field, column);
    }
  });
  const shapes: Shapes = { lines: [], bands: [] };
  for (const [field, column] of columns) {
    const title = field ? `${name}: ${field}` : name;
    const isNumeric = column.values.some((value) => typeof value === 'number');
    if (isNumeric && shapes.lines.length < MOST_LINES) shapes.lines.push(lineOf(title, column, interval));
    else if (!isNumeric) shapes.bands.push(bandOf(title, column));
  }
  return shapes;
}

/** The fields of a value; for a value without fields one with an empty name. */
function fieldsIn(text: string): Record<string, unknown> {
  return readFields(text) ?? { '': scalar(text) };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function scalar(text: string): unknown {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : text;
}

type Column = { dates: number[]; values: unknown[] } & Pick<Line, 'low' | 'high' | 'counts'>;

const BUCKETS = 900;
/** The position of a gap among the values of a line. */
const NOWHERE = -1;

function lineOf(name: string, column: Column, interval: number): Line {
  const line: Line = { ...column, name, values: column.values.map(numberOf) };
  return line.values.length > 2 * BUCKETS ? envelope(line) : withGaps(line, interval);
}

/** The mean of each bucket, with its lowest and highest. */
function envelope({ name, dates, values, low = values, high = values, counts }: Line): Line {
  const line = { name, dates: [] as number[], values: [] as number[], low: [] as number[], high: [] as number[] };
  const weights: number[] = [];
  const size = Math.ceil(dates.length / BUCKETS);
  for (let at = 0; at < dates.length; at += size) {
    const part = { values: values.slice(at, at + size), counts: counts?.slice(at, at + size) };
    const mean = meanOf(part);
    if (!mean) continue;
    line.dates.push(dates[at] ?? 0);
    line.values.push(mean.mean);
    weights.push(mean.count);
    line.low.push(Math.min(...low.slice(at, at + size).filter((value) => value !== null)));
    line.high.push(Math.max(...high.slice(at, at + size).filter((value) => value !== null)));
  }
  return { ...line, counts: weights };
}

/** The mean of aggregated values, and the number of their numbers; undefined without any. */
function meanOf({ values, counts }: Pick<Line, 'values' | 'counts'>): { mean: number; count: number } | undefined {
  let [sum, count] = [0, 0];
  values.forEach((value, at) => {
    if (value === null) return;
    const weight = counts?.[at] ?? 1;
    sum += value * weight;
    count += weight;
  });
  return count > 0 ? { mean: sum / count, count } : undefined;
}

/** Interrupts the line where data is missing for much longer than usual. */
function withGaps(line: Line, interval: number): Line {
  const steps = line.dates.slice(1).map((date, at) => date - (line.dates[at] ?? 0));
  const usual = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  const longest = Math.max(3 * interval, 8 * usual);
  if (!steps.some((step) => step > longest)) return line;
  const dates: number[] = [];
  const from: number[] = [];
  line.dates.forEach((date, at) => {
    dates.push(date);
    from.push(at);
    const step = steps[at];
    if (step === undefined || step <= longest) return;
    dates.push(date + step / 2);
    from.push(NOWHERE);
  });
  const spread = (values: readonly (number | null)[]) => from.map((at) => values[at] ?? null);
  const { name, values, low, high, counts } = line;
  const broken = { name, dates, values: spread(values) };
  return low && high && counts ? { ...broken, low: spread(low), high: spread(high), counts: spread(counts) } : broken;
}

function bandOf(name: string, { dates, values }: Column): Band {
  const parts: Band['parts'] = [];
  dates.forEach((date, at) => {
    const value = String(values[at]);
    const before = parts.at(-1);
    if (before) before.to = date;
    if (!before || (before.value !== value && parts.length < MOST_PARTS)) parts.push({ from: date, to: date, value });
  });
  return { name, parts };
}

/** The lowest, mean and highest number of a line in a range, and the number of points. */
export function statisticsOf(line: Line, { from, to }: Range) {
  const isIn = (_: unknown, at: number) => (line.dates[at] ?? 0) >= from && (line.dates[at] ?? 0) <= to;
  const pick = (values: readonly (number | null)[]) => values.filter(isIn).filter((value) => value !== null);
  const mean = meanOf({ values: line.values.filter(isIn), counts: line.counts?.filter(isIn) });
  if (!mean) return undefined;
  return {
    low: pick(line.low ?? line.values).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    mean: mean.mean,
    high: pick(line.high ?? line.values).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  };
}
