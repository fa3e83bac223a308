import { formatIsoDate, toUnixSeconds } from '../../edge/dates';
import { exactJson, parseExactJson } from '../../platform/exact-json';
import { isRecord } from '../../platform/is-record';
import { EXTREMES } from './aggregates';
import { formatCsvLine } from './csv';
import type { ValueColumns } from './data-export';
import type { StoredDataPoint } from './data-point';
import { toDataPointView } from './data-point.view';
import { withDecimalComma } from './decimal-commas';

export type ExportFormat = 'csv' | 'ndjson';
export type CsvSeparator = 'comma' | 'semicolon';
type DateFormat = 'unix' | 'iso' | undefined;
type Parts = AsyncIterable<readonly StoredDataPoint[]>;

/** Some spreadsheets recognise a file in UTF-8 by this. */
const BYTE_ORDER_MARK = '\ufeff';

/** The format of the lines of a CSV. */
export interface CsvShape {
  columns: ValueColumns;
  dates?: DateFormat;
  /** True if the text begins with a byte order mark. */
  bom?: boolean;
  /** With semicolons between cells, numbers have decimal commas. */
  separator?: CsvSeparator;
  withSensor: boolean;
  /** True if the extremes of intervals are shown next to the values. */
  withExtremes: boolean;
}

/** Lines, one part of the points at a time; each line is made on demand. */
type Lines = AsyncGenerator<Iterable<string>>;

/** CSV with a header: stored date and value, and a column for each field of values that are JSON objects. */
export async function* toCsv(parts: Parts, shape: CsvShape): Lines {
  const { columns, dates, bom, withSensor, withExtremes } = shape;
  const { hasPlain, fields, textSensors } = columns;
  const withCommas = shape.separator === 'semicolon';
  const format = (cells: string[]) => formatCsvLine(cells, withCommas ? ';' : ',');
  const names = ['value', ...(withExtremes ? EXTREMES : [])];
  const columnsOf = (name: string) => [...(hasPlain ? [name] : []), ...fields.map((field) => `${name}.${field}`)];
  const header = ['date', ...names.flatMap(columnsOf)];
  yield [(bom ? BYTE_ORDER_MARK : '') + format(withSensor ? ['sensor_id', ...header] : header)];
  const lineOf = ({ sensorId, dateMs, value, extremes }: StoredDataPoint) => {
    const values = [value, ...(extremes ? EXTREMES.map((name) => extremes[name]) : [])];
    const cells = fields.length === 0 ? values : values.flatMap((text) => valueCells(text, columns));
    const shown = withCommas && !textSensors.has(sensorId) ? cells.map(withDecimalComma) : cells;
    const line = [showDate(dateMs, dates), ...shown];
    return format(withSensor ? [String(sensorId), ...line] : line);
  };
  for await (const points of parts) yield mapped(points, lineOf);
}

/** The records of the API, one per line. */
export async function* toNdjson(parts: Parts, dates: DateFormat): Lines {
  const lineOf = (point: StoredDataPoint) => {
    const view = toDataPointView(point);
    return `${JSON.stringify(dates === 'iso' ? { ...view, date: formatIsoDate(point.dateMs) } : view)}\n`;
  };
  for await (const points of parts) yield mapped(points, lineOf);
}

function* mapped<T>(items: Iterable<T>, toText: (item: T) => string): Generator<string> {
  for (const item of items) yield toText(item);
}

function showDate(dateMs: number, dates: DateFormat): string {
  return dates === 'iso' ? formatIsoDate(dateMs) : String(toUnixSeconds(dateMs));
}

function valueCells(value: string, { hasPlain, fields }: ValueColumns): string[] {
  const object = value.startsWith('{') ? parseObject(value) : undefined;
  const plain = hasPlain ? [object ? '' : value] : [];
  return [...plain, ...fields.map((field) => (object && Object.hasOwn(object, field) ? showField(object[field]) : ''))];
}

function showField(field: unknown): string {
  return typeof field === 'string' ? field : exactJson(field);
}

function parseObject(value: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = parseExactJson(value);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
