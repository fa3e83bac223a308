import { readFields, wordOf } from '../format';
import { statesOf } from '../intervals';
import type { Points, Range } from './points';

/** A sensor of a chart, as the API shows it; the name is the one that people read. */
export interface Charted {
  id: string;
  name: string;
  unit?: string;
  field_units?: Readonly<Record<string, string>>;
  /** The fields of JSON values to draw; all of them if absent. */
  fields?: readonly string[];
}

/** Numbers to draw as a line. If each stands for several, also the lowest, the highest and the count. */
export interface Line {
  name: string;
  /** Empty if it is not known. */
  unit: string;
  sensorId: string;
  /** The field of a JSON value; empty for the value itself. */
  field: string;
  /** Place among the lines of a chart, from 0; it chooses the colour. */
  at: number;
  dates: number[];
  values: (number | null)[];
  low?: (number | null)[];
  high?: (number | null)[];
  counts?: (number | null)[];
}

/** Periods in which a text or a boolean did not change. */
export interface Band {
  name: string;
  /** The field of a JSON value; empty for the value itself. */
  field: string;
  parts: { from: number; to: number; value: string }[];
}

export interface Shapes {
  lines: Line[];
  bands: Band[];
  /** The fields of the JSON values of the first sensor, drawn or not. */
  fields: string[];
}

/** Lines of one sensor, and how many of them are drawn unless others are chosen. */
export const MOST_LINES = 12;
export const FIRST_LINES = 6;
const MOST_PARTS = 400;

/** The shapes of the loaded sensors of a chart, by their ids. */
export function shapesOfAll(sensors: readonly Charted[], points: ReadonlyMap<string, Points>): Shapes {
  const all = sensors.map((sensor) => {
    const found = points.get(sensor.id);
    return found ? shapesOf(sensor, found) : NOTHING;
  });
  const lines = all.flatMap((one) => one.lines).map((line, at) => ({ ...line, at }));
  return { lines, bands: all.flatMap(({ bands }) => bands), fields: all[0]?.fields ?? [] };
}

const NOTHING: Shapes = { lines: [], bands: [], fields: [] };

/** The values of each field, in order of date. */
function columnsOf({ dates, values, interval, extremes }: Points): ReadonlyMap<string, Column> {
  const columns = new Map<string, Column>();
  const points = values.flatMap((value, at) =>
    statesOf({ date: dates[at] ?? 0, value, around: extremes?.[at], ...extremes?.[at] }, interval),
  );
  for (const { date, value, around } of points) {
    const [low, high, counts] = [around?.min, around?.max, around?.count].map((text) => fieldsIn(text ?? ''));
    for (const [field, one] of Object.entries(fieldsIn(value))) {
      const column = columns.get(field) ?? { dates: [], values: [], ...(around && { low: [], high: [], counts: [] }) };
      column.dates.push(date);
      // In an interval without numbers it is the last value, in any form.
      const isLast = around !== undefined && counts?.[field] === 0;
      column.values.push(isLast ? String(one) : one);
      column.low?.push(isLast ? null : numberOf(low?.[field]));
      column.high?.push(isLast ? null : numberOf(high?.[field]));
      column.counts?.push(numberOf(counts?.[field]));
      columns.set(field, column);
    }
  }
  return columns;
}

/** The shapes of one sensor's points: numbers as lines, one for each field; text and booleans as bands. */
function shapesOf(sensor: Charted, points: Points): Shapes {
  const columns = columnsOf(points);
  const shapes: Shapes = { lines: [], bands: [], fields: [...columns.keys()].filter(Boolean) };
  const most = sensor.fields ? MOST_LINES : FIRST_LINES;
  for (const [field, column] of columns) {
    if (field && sensor.fields && !sensor.fields.includes(field)) continue;
    const name = field ? `${sensor.name}: ${field}` : sensor.name;
    const isNumeric = column.values.some((value) => typeof value === 'number');
    const unit = (field ? sensor.field_units?.[field] : sensor.unit) ?? '';
    const about = { name, unit, sensorId: sensor.id, field, at: shapes.lines.length };
    if (isNumeric && shapes.lines.length < most) shapes.lines.push(lineOf(about, column, points.interval));
    else if (!isNumeric) shapes.bands.push(bandOf({ name, field, unit }, column));
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

/** What a line has in addition to its numbers. */
type About = Pick<Line, 'name' | 'unit' | 'sensorId' | 'field' | 'at'>;
type Column = { dates: number[]; values: unknown[] } & Pick<Line, 'low' | 'high' | 'counts'>;

const BUCKETS = 900;
/** The position of a gap among the values of a line. */
const NOWHERE = -1;

function lineOf(about: About, column: Column, interval: number): Line {
  const line: Line = { ...column, ...about, values: column.values.map(numberOf) };
  return line.values.length > 2 * BUCKETS ? envelope(line) : withGaps(line, interval);
}

/** The mean of each bucket, with its lowest and highest. */
function envelope({ dates, values, low = values, high = values, counts, ...about }: Line): Line {
  const line = { ...about, dates: [] as number[], values: [] as number[], low: [] as number[], high: [] as number[] };
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
  const { values, low, high, counts, ...about } = line;
  const broken = { ...about, dates, values: spread(values) };
  return low && high && counts ? { ...broken, low: spread(low), high: spread(high), counts: spread(counts) } : broken;
}

function bandOf({ name, field, unit }: Omit<Band, 'parts'> & { unit: string }, { dates, values }: Column): Band {
  const parts: Band['parts'] = [];
  dates.forEach((date, at) => {
    const text = String(values[at]);
    const value = text === 'true' || text === 'false' ? wordOf(text, unit) : text;
    const before = parts.at(-1);
    if (before) before.to = date;
    if (!before || (before.value !== value && parts.length < MOST_PARTS)) parts.push({ from: date, to: date, value });
  });
  return { name, field, parts };
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
