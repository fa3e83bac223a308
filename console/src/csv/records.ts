import { readRecords } from '../../../client/src/csv-records';
import { isDate } from './dates';
import { BLANKS } from './formats';
import { isJson, readJsonTable, refuseLineProtocol } from './json-table';
import type { TableRecord } from './types';

/** The records of a file that are not empty, in order. */
export interface Table {
  /** Or the format, if it has none. */
  separator: string;
  /** The name of the sheet of a workbook. */
  sheet?: string | undefined;
  records: readonly TableRecord[];
  /** Lines with a misplaced quote, or one that is never closed. */
  broken: ReadonlySet<number>;
}

/** In order of preference. */
const SEPARATORS = ['\t', ';', ',', '|'] as const;
const LOOKED_AT = 300;

/**
 * Splits a text into records and cells, quoted as in RFC 4180, by the separator that fits the lines with dates; or reads
 * objects as JSON. With `heading` the separator is one that yields such a heading in the first line.
 */
export function readTable(given: string, heading?: RegExp): Table {
  const text = given.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const named = /^"?sep=([^\n])"?[^\S\n]*(?=\n|$)/i.exec(text);
  if (!named && !heading && isJson(text)) return readJsonTable(text);
  if (!heading) refuseLineProtocol(text);
  const body = named ? text.slice(named[0].length) : text;
  const separator = named?.[1] ?? (heading ? separatorBefore(body, heading) : separatorOf(body));
  return { separator, ...split(body, separator) };
}

function split(given: string, wanted: string): Omit<Table, 'separator'> {
  const isOfBlanks = wanted === BLANKS;
  const text = isOfBlanks ? given.replace(/^[^\S\n]+|[^\S\n]+$/gm, '').replace(/[^\S\n]+/g, '\t') : given;
  const separator = isOfBlanks ? '\t' : wanted;
  const records: TableRecord[] = [];
  const broken = new Set<number>();
  for (const record of readRecords(text, separator)) {
    const { line } = record;
    const cells = record.cells ?? record.text.split(separator);
    if (!record.cells) broken.add(line);
    if (cells.some((cell) => cell.trim() !== '')) records.push({ line, cells });
  }
  return { records, broken };
}

function separatorBefore(text: string, heading: RegExp): string {
  const isOne = (separator: string) => {
    const [first] = split(text.trimStart().split('\n', 1).join(), separator).records;
    return first?.cells.some((cell) => heading.test(cell.trim()));
  };
  return SEPARATORS.find(isOne) ?? ',';
}

/**
 * A cell of names may hold any separator, and a decimal comma occurs in each line, so the separator that yields dates
 * is used.
 */
function separatorOf(text: string): string {
  const sample = text.split('\n', LOOKED_AT).join('\n');
  const ratingOf = (separator: string) => ({ separator, rating: rate(split(sample, separator).records) });
  const best = SEPARATORS.map(ratingOf).reduce((one, other) => (other.rating > one.rating ? other : one));
  // Less than one: no line has several cells and a date.
  return best.rating < 1 && ratingOf(BLANKS).rating >= 1 ? BLANKS : best.separator;
}

function rate(records: readonly TableRecord[]): number {
  const rows = records.filter(({ cells }) => cells.length > 1);
  const dated = rows.filter(({ cells }) => cells.some(isDate)).length;
  return dated + modalWidth(rows).count / (LOOKED_AT + 1);
}

/** The number of cells that most records have. */
export function modalWidth(records: readonly TableRecord[]): { width: number; count: number } {
  const counts = new Map<number, number>();
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  let most = { width: 0, count: 0 };
  for (const [width, count] of counts) if (count > most.count) most = { width, count };
  return most;
}
