import { readFields } from '../format';
import type { Points, Range } from './load';

/** Numbers to draw as a line; where there are more points than can be distinguished, with the lowest and highest around it. */
export interface Line {
  name: string;
  dates: number[];
  values: (number | null)[];
  low?: (number | null)[];
  high?: (number | null)[];
}

/** Times in which a text or a boolean was the same. */
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

/** How the points of one sensor are drawn: numbers as lines, fields one by one, text and booleans as bands. */
export function shapesOf(name: string, { dates, values, interval }: Points): Shapes {
  const columns = new Map<string, { dates: number[]; values: unknown[] }>();
  values.forEach((value, at) => {
    const fields = readFields(value);
    for (const [field, one] of fields ? Object.entries(fields) : [['', scalar(value)] as const]) {
      const column = columns.get(field) ?? { dates: [], values: [] };
      column.dates.push(dates[at] ?? 0);
      column.values.push(one);
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

function scalar(text: string): unknown {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : text;
}

type Column = { dates: number[]; values: unknown[] };

const BUCKETS = 900;

function lineOf(name: string, column: Column, interval: number): Line {
  const numbers = column.values.map((value) => (typeof value === 'number' ? value : null));
  if (numbers.length > 2 * BUCKETS) return envelope(name, column.dates, numbers);
  return withGaps({ name, dates: column.dates, values: numbers }, interval);
}

/** The mean of each bucket, with its lowest and highest. */
function envelope(name: string, dates: readonly number[], values: readonly (number | null)[]): Line {
  const line: Line = { name, dates: [], values: [], low: [], high: [] };
  const size = Math.ceil(dates.length / BUCKETS);
  for (let at = 0; at < dates.length; at += size) {
    const numbers = values.slice(at, at + size).filter((value) => value !== null);
    if (numbers.length === 0) continue;
    line.dates.push(dates[at] ?? 0);
    line.values.push(numbers.reduce((sum, value) => sum + value, 0) / numbers.length);
    line.low?.push(Math.min(...numbers));
    line.high?.push(Math.max(...numbers));
  }
  return line;
}

/** Where data is missing for much longer than usual, the line is interrupted. */
function withGaps(line: Line, interval: number): Line {
  const steps = line.dates.slice(1).map((date, at) => date - (line.dates[at] ?? 0));
  const usual = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  const longest = Math.max(3 * interval, 8 * usual);
  if (!steps.some((step) => step > longest)) return line;
  const broken: Line = { name: line.name, dates: [], values: [] };
  line.dates.forEach((date, at) => {
    broken.dates.push(date);
    broken.values.push(line.values[at] ?? null);
    const step = steps[at];
    if (step === undefined || step <= longest) return;
    broken.dates.push(date + step / 2);
    broken.values.push(null);
  });
  return broken;
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

/** The lowest, mean and highest number of a line in a range, and how many there are. */
export function statisticsOf(line: Line, { from, to }: Range) {
  const isIn = (_: unknown, at: number) => (line.dates[at] ?? 0) >= from && (line.dates[at] ?? 0) <= to;
  const pick = (values: readonly (number | null)[]) => values.filter(isIn).filter((value) => value !== null);
  const numbers = pick(line.values);
  if (numbers.length === 0) return undefined;
  return {
    low: pick(line.low ?? line.values).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    mean: numbers.reduce((sum, value) => sum + value, 0) / numbers.length,
    high: pick(line.high ?? line.values).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  };
}
