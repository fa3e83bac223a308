import type { Separator } from '../../../client/src/csv-records';
import { FORBIDDEN_FIELDS, readNumber } from '../../language/sensor-value';
import { isLong, LongNumber, parseExactJson } from '../../platform/exact-json';
import { isRecord } from '../../platform/is-record';
import type { Steps } from '../../platform/steps';
import { parseCsv } from './csv';
import { isDateName } from './data-point';
import { type DecimalCells, findAmbiguity, hasDecimals, withDecimalPoint } from './decimal-commas';

export interface UploadedLine {
  line: number;
  point: Record<string, unknown>;
  /** The value is missing. Only text sensors read it as a value. */
  isGap?: true;
  /** Set if semicolons separate the cells. Text sensors keep them as text. */
  decimals?: DecimalCells;
}

export class WrongLine extends Error {
  constructor(
    readonly line: number,
    readonly why: string,
  ) {
    super(`line ${line} ${why}`);
  }
}

/** A symbol, so that no client can send it. */
export const LINES = Symbol('lines');

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const COLUMNS: ReadonlySet<string> = new Set(['sensor_id', 'value']);

export const MAX_LINES = 10_000;
const MAX_COLUMNS = 1_000;
/** Also of lines. As many as a body in JSON may have fields. */
export const MAX_CELLS = 1_000_000;
const FIELD = 'value.';
const SEPARATORS: readonly Separator[] = [',', ';', '\t'];
const SEPARATOR_LINE = /^"?sep=([,;\t])"?\r?\n/i;

/**
 * Requires a header. `value.<field>` columns make JSON values. A line `sep=;` decides the separator, or else the
 * header. Throws WrongLine.
 */
export function* readCsvLines(text: string): Steps<UploadedLine[]> {
  const lines: UploadedLine[] = [];
  const { separator, ...start } = yield* separatorOf(text);
  let columns: string[] | undefined;
  for (const record of filledRecords(text, separator, start)) {
    yield;
    if (!record) continue;
    const { line, cells } = record;
    if (!cells) throw new WrongLine(line, record.why);
    if (!columns) columns = readHeader(line, cells);
    else if (lines.length >= MAX_LINES) throw tooMany(line);
    else if (cells.length !== columns.length) {
      throw new WrongLine(line, `has ${cells.length} cells, and the header ${columns.length}`);
    } else lines.push(readLine(line, columns, cells, separator === ';'));
  }
  return lines;
}

/** If several characters are possible, the one that makes most columns. */
function* separatorOf(text: string): Steps<{ separator: Separator; begin: number; firstLine: number }> {
  const [line, character] = SEPARATOR_LINE.exec(text) ?? [];
  if (line !== undefined) return { separator: character as Separator, begin: line.length, firstLine: 2 }; // by the pattern
  const tried: { separator: Separator; isRead: boolean; columns: number }[] = [];
  for (const separator of SEPARATORS) {
    const names = (yield* headerOf(text, separator)).map((cell) => columnOf(cell.trim()));
    tried.push({ separator, isRead: names.every(isColumn), columns: names.length });
  }
  const [best] = tried.sort((a, b) => Number(b.isRead) - Number(a.isRead) || b.columns - a.columns);
  return { separator: best?.separator ?? ',', begin: 0, firstLine: 1 };
}

function* headerOf(text: string, separator: Separator): Steps<string[]> {
  for (const record of filledRecords(text, separator)) {
    yield;
    if (record) return record.cells ?? [];
  }
  return [];
}

/** Undefined for empty rows, for which spreadsheets write only separators. */
function* filledRecords(...source: Parameters<typeof parseCsv>) {
  const [text, separator, start] = source;
  let count = 0;
  const onCell = (line: number) => {
    count += 1;
    if (count > MAX_CELLS)
      throw new WrongLine(line, `is beyond the ${MAX_CELLS} cells that a request contains at most`);
  };
  for (const record of parseCsv(text, separator, { ...start, onCell })) {
    yield isFilled(record) ? record : undefined;
  }
}

function isFilled({ cells }: { cells: readonly string[] | null }): boolean {
  if (!cells) return true;
  return cells.length === 1 ? cells[0] !== '' : cells.some((cell) => cell.trim() !== '');
}

function readLine(
  line: number,
  columns: readonly string[],
  cells: readonly string[],
  withCommas: boolean,
): UploadedLine {
  const uploaded = withGap({ line, point: readCells(columns, cells) });
  const numbers = new Map<string, string>();
  for (const [at, cell] of withCommas ? cells.entries() : []) {
    const column = columns[at] ?? '';
    if (isOfValue(column) && hasDecimals(cell)) numbers.set(column, cell);
  }
  if (numbers.size === 0) return uploaded;
  const read = cells.map((cell, at) => (isOfValue(columns[at] ?? '') ? withDecimalPoint(cell) : cell));
  const hasCommas = read.some((cell, at) => cell !== cells[at]);
  return { ...uploaded, decimals: { cells: numbers, ...(hasCommas && { value: readCells(columns, read).value }) } };
}

function isOfValue(column: string): boolean {
  return column.startsWith('value');
}

function withGap(line: UploadedLine): UploadedLine {
  const { value } = line.point;
  return value === undefined || (typeof value === 'string' && value.trim() === '') ? { ...line, isGap: true } : line;
}

function readHeader(line: number, cells: readonly string[]): string[] {
  const columns = cells.map((cell) => columnOf(cell.trim()));
  const unknown = columns.find((name) => !isColumn(name));
  if (unknown !== undefined) {
    throw new WrongLine(
      line,
      `has the column ${JSON.stringify(unknown.slice(0, 100))}, which is none of date, value, value.<field> and sensor_id`,
    );
  }
  if (new Set(columns).size < columns.length) throw new WrongLine(line, 'names a column twice');
  if (columns.length > MAX_COLUMNS) throw new WrongLine(line, `has more than ${MAX_COLUMNS} columns`);
  if (!columns.some(isOfValue)) throw new WrongLine(line, 'has no column value');
  return columns;
}

/** Names of fields keep their letter case. */
function columnOf(name: string): string {
  const lower = name.toLowerCase();
  if (COLUMNS.has(lower)) return lower;
  return lower.startsWith(FIELD) ? FIELD + name.slice(FIELD.length) : name;
}

function isColumn(name: string): boolean {
  return COLUMNS.has(name) || isDateName(name) || isField(name);
}

function isField(name: string): boolean {
  return name.startsWith(FIELD) && name.length > FIELD.length && !FORBIDDEN_FIELDS.has(name.slice(FIELD.length));
}

function readCells(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const point: Record<string, unknown> = {};
  const fields: [string, unknown][] = [];
  for (const [at, name] of columns.entries()) {
    const cell = cells[at] ?? '';
    if (!name.startsWith(FIELD)) point[name] = cell;
    else if (cell !== '') fields.push([name.slice(FIELD.length), readField(cell)]);
  }
  if (fields.length > 0) point.value = Object.fromEntries(fields);
  return point;
}

/** Reads a number, true, false, null or JSON, or else text. */
function readField(cell: string): unknown {
  const number = readNumber(cell);
  if (number !== null && String(number) === cell) return number;
  if (number !== null && JSON_NUMBER.test(cell) && isLong(cell)) return new LongNumber(cell);
  return /^(true|false|null|[[{].*[\]}])$/s.test(cell) ? orText(parseJson(cell), cell) : cell;
}

/** `null` is JSON as well. */
function orText(parsed: unknown, cell: string): unknown {
  return parsed === undefined ? cell : parsed;
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

export function tooMany(line: number): WrongLine {
  return new WrongLine(line, `is beyond the ${MAX_LINES} points that a request contains at most`);
}

/**
 * Drops gaps and reads decimal commas, unless `isText` is true. Returns any other body unchanged. Throws WrongLine if
 * decimals can be read in two ways.
 */
export function readByType<T extends object>(body: T, isText: (line: UploadedLine) => boolean): T {
  const lines = linesIn(body);
  if (!lines) return body;
  const kept = lines.filter((line) => !line.isGap || (line.point.value !== undefined && isText(line)));
  const ambiguity = findAmbiguity(kept.filter((line) => line.decimals && !isText(line)));
  if (ambiguity) throw new WrongLine(ambiguity.line, ambiguity.why);
  const read = kept.map((line) => {
    const { point, decimals: { value } = {} } = line;
    return value === undefined || isText(line) ? line : { ...line, point: { ...point, value } };
  });
  return { ...body, [LINES]: read };
}

export function undecidedIn(body: unknown): readonly UploadedLine[] {
  const lines = linesIn(body) ?? [];
  const hasCommas = lines.some(({ decimals }) => decimals?.value !== undefined);
  return lines.filter(({ isGap, decimals }) => isGap || (hasCommas && decimals));
}

export function linesIn(body: unknown): readonly UploadedLine[] | undefined {
  return isRecord(body) ? (body as { [LINES]?: readonly UploadedLine[] })[LINES] : undefined; // only our reader sets it
}
