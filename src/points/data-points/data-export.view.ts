import { guardFormula } from '../../../client/src/csv-records';
import type { ZonedCsvQuery } from '../../edge/csv-query';
import { exactJson, parseExactJson } from '../../platform/exact-json';
import { parseRecord } from '../../platform/parse-record';
import { EXTREMES } from './aggregates';
import { type CsvFormat, showDate } from './csv-format';
import type { StoredDataPoint } from './data-point';
import { toDataPointView } from './data-point.view';
import type { NamedColumns, ValueColumns } from './sensor-columns';

export type ExportFormat = 'csv' | 'ndjson';
type Parts = AsyncIterable<readonly StoredDataPoint[]>;

/** What a CSV of points shows. */
export interface CsvShape {
  columns: ValueColumns;
  withSensor: boolean;
  /** True if the extremes of intervals are shown next to the values. */
  withExtremes: boolean;
}

/** Lines, one part of the points at a time; each line is made on demand. */
type Lines = AsyncGenerator<Iterable<string>>;

export interface ExportedLines {
  /** The name of the file, without its ending. */
  name: string;
  lines: Lines;
  /** Each part is sent at once. */
  isLive?: boolean;
}

/** CSV with a header: stored date and value, and a column for each field of values that are JSON objects. */
export async function* toCsv(parts: Parts, shape: CsvShape, format: CsvFormat): Lines {
  const { columns, withSensor, withExtremes } = shape;
  const { hasPlain, fields, textSensors } = columns;
  const names = ['value', ...(withExtremes ? EXTREMES : [])];
  const columnsOf = (name: string) => [...(hasPlain ? [name] : []), ...fields.map((field) => `${name}.${field}`)];
  const header = [format.dateHeading('date'), ...names.flatMap(columnsOf)];
  yield [format.header(withSensor ? ['sensor_id', ...header] : header)];
  const lineOf = (point: StoredDataPoint) => {
    const { sensorId, dateMs } = point;
    const cells = cellsOf(point, columns);
    const shown = textSensors.has(sensorId) ? cells : cells.map((cell) => format.number(cell));
    const line = [format.date(dateMs), ...shown];
    return format.line(withSensor ? [String(sensorId), ...line] : line);
  };
  for await (const points of parts) yield mapped(points, lineOf);
}

/**
 * CSV for people, with a line for each date, and columns with the names and units of the sensors. Takes points in order
 * of date.
 */
export async function* toSensorCsv(parts: Parts, columns: readonly NamedColumns[], format: CsvFormat): Lines {
  const named = columns.flatMap(({ headings }) => headings);
  yield [format.header([format.dateHeading('date'), ...named].map(guardFormula))];
  const lineOf = (points: readonly StoredDataPoint[]) => {
    const bySensor = new Map(points.map((point) => [point.sensorId, point]));
    const cells = columns.flatMap(({ sensorId, headings, values }) => {
      const point = bySensor.get(sensorId);
      if (!point) return headings.map(() => '');
      const shown = cellsOf(point, values);
      return values.textSensors.has(sensorId) ? shown : shown.map((cell) => format.number(cell));
    });
    return format.line([format.date(points[0]?.dateMs ?? 0), ...cells.map(guardFormula)]);
  };
  let rest: readonly StoredDataPoint[] = [];
  for await (const points of parts) {
    const dates = [...byDate([...rest, ...points])];
    rest = dates.pop() ?? [];
    yield mapped(dates, lineOf);
  }
  if (rest.length > 0) yield [lineOf(rest)];
}

function* byDate(points: readonly StoredDataPoint[]): Generator<StoredDataPoint[]> {
  let same: StoredDataPoint[] = [];
  for (const point of points) {
    if (same.length > 0 && same[0]?.dateMs !== point.dateMs) {
      yield same;
      same = [];
    }
    same.push(point);
  }
  if (same.length > 0) yield same;
}

/** The records of the API, one per line. */
export async function* toNdjson(parts: Parts, query: ZonedCsvQuery): Lines {
  const lineOf = (point: StoredDataPoint) => {
    const view = toDataPointView(point);
    const { dates = 'unix' } = query;
    return `${JSON.stringify(dates === 'unix' ? view : { ...view, date: showDate(point.dateMs, query) })}\n`;
  };
  for await (const points of parts) yield mapped(points, lineOf);
}

function* mapped<T>(items: Iterable<T>, toText: (item: T) => string): Generator<string> {
  for (const item of items) yield toText(item);
}

function cellsOf({ value, extremes }: StoredDataPoint, columns: ValueColumns): string[] {
  const values = [value, ...(extremes ? EXTREMES.map((name) => extremes[name]) : [])];
  return columns.fields.length === 0 ? values : values.flatMap((text) => valueCells(text, columns));
}

function valueCells(value: string, { hasPlain, fields }: ValueColumns): string[] {
  const object = value.startsWith('{') ? parseRecord(value, parseExactJson) : undefined;
  const plain = hasPlain ? [object ? '' : value] : [];
  return [...plain, ...fields.map((field) => (object && Object.hasOwn(object, field) ? showField(object[field]) : ''))];
}

function showField(field: unknown): string {
  return typeof field === 'string' ? field : exactJson(field);
}
