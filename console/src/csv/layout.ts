import { t } from '../language';
import { isDate, signsOf } from './dates';
import { isGap } from './gaps';
import { modalWidth } from './records';
import { withDates } from './reshape';
import { isNameOfTimes, isTime, MIDNIGHT, type ReadTime, timesIn } from './times';
import type { Choices, LeftOut, Role, Surroundings, TableRecord } from './types';
import { zoneIn } from './zones';

/** The positions of names, dates and values in a table. */
export interface Layout {
  dateAt: number;
  /** A column with the time of day of the date. */
  timeAt: number | undefined;
  /** How the cells of the column of times are read. */
  readTime: ReadTime | undefined;
  /** Name of each column. All columns except the date's hold values. */
  names: readonly string[];
  namesAt: number | undefined;
  rows: readonly TableRecord[];
  /** The time zone that the preamble or the name of the date column states. */
  zone: string | undefined;
  /** Lines of another table in the file. */
  leftOut: readonly LeftOut[];
}

/** The file contains no readable date. */
class NoDates extends Error {}

const LOOKED_AT = 1_000;
const MOST_PREAMBLE = 200;
const ABOUT_DATES = /date|time|stamp|datum|zeit|created|changed|updated|recorded|fecha|heure|\bts\b/i;
const ABOUT_SPANS = /up ?time|run ?time|duration|elapsed/i;
const ABOUT_TIMES = /time|zeit|uhr|hour|heure|hora/i;

/** Finds the columns of dates by their cells, and the names above them. Throws NoDates if there are none. */
export function findLayout(given: readonly TableRecord[], { roles = {} }: Choices, around: Surroundings): Layout {
  const chosen = columnWith('date', roles);
  const records = withDates(given, (all) => findDates(all, around) !== undefined);
  const dateAt = chosen ?? findDates(records, around) ?? refuse(records);
  const start = Math.max(
    0,
    records.findIndex(({ cells }) => cells.length > 1 && isDate(cells[dateAt] ?? '')),
  );
  const heads = headsAbove(records, start, dateAt);
  const { rows, leftOut } = firstTable(records.slice(start), heads, dateAt);
  const preamble = records.slice(0, start);
  const names = uniqueNames(namesOf(heads, dateAt), modalWidth(rows).width, dateAt);
  return {
    dateAt,
    ...findTimes(rows, dateAt, names, columnWith('time', roles)),
    names,
    namesAt: heads[0]?.line,
    rows: [...badRows(records, heads, start, dateAt), ...rows],
    zone: zoneIn(names[dateAt] ?? '') ?? zoneOf(preamble.filter((record) => !heads.includes(record))),
    leftOut,
  };
}

function columnWith(wanted: Role, roles: Readonly<Record<number, Role>>): number | undefined {
  const found = Object.entries(roles).find(([, role]) => role === wanted)?.[0];
  return found === undefined ? undefined : Number(found);
}

/** Names that come again are no data; below other names begins another table. */
function firstTable(all: readonly TableRecord[], heads: readonly TableRecord[], dateAt: number) {
  const [names] = heads;
  if (!names) return { rows: all, leftOut: [] };
  const text = JSON.stringify(names.cells);
  const rows = all.filter(({ cells }) => JSON.stringify(cells) !== text);
  const other = rows.findIndex(
    (record) => isHead(record) && isAboutDates(record.cells[dateAt] ?? '') && !record.cells.some(isDate),
  );
  const begin = rows[other];
  if (!begin) return { rows, leftOut: [] };
  const namesOfOther = shortened(begin.cells.filter((cell) => cell.trim() !== '').join(', '));
  const leftOut: LeftOut = {
    reason: 'table',
    count: rows.length - other,
    examples: [{ line: begin.line, text: namesOfOther }],
  };
  return { rows: rows.slice(0, other), leftOut: [leftOut] };
}

/** The column with the most dates; preferably one whose dates need no time zone, or that has a date's name. */
function findDates(records: readonly TableRecord[], { nowMs }: Surroundings): number | undefined {
  const sample = records.slice(0, LOOKED_AT + MOST_PREAMBLE);
  const { width } = modalWidth(sample);
  let best: { at: number; rating: number } | undefined;
  for (let at = 0; at < Math.max(width, 2); at += 1) {
    const rating = ratingOfDates(sample, at, nowMs);
    if (rating !== undefined && (!best || rating > best.rating)) best = { at, rating };
  }
  return best?.at;
}

/** How likely a column holds the dates; undefined if it holds none. */
function ratingOfDates(sample: readonly TableRecord[], at: number, nowMs: number): number | undefined {
  const signs = sample.map(({ cells }) => signsOf(cells[at] ?? '', nowMs));
  const start = signs.findIndex(Boolean);
  if (start < 0) return undefined;
  const filled = sample.slice(start).filter(({ cells }) => !isGap(cells[at] ?? '')).length;
  const dates = signs.filter((one) => one !== undefined);
  const isNamed = sample.slice(0, start).some(({ cells }) => isAboutDates(cells[at] ?? ''));
  if (!isNamed && dates.length * 2 < filled) return undefined;
  const isCounted = dates.every(({ unix, spelled }) => unix && !spelled);
  const isText = dates.every(({ unix, spelled }) => !unix && !spelled);
  return (
    dates.length / sample.length + (isNamed ? 4 : 0) + (isText ? 2 : 0) + (isNamed && isCounted ? 3 : 0) - at / 1000
  );
}

/** Throws an error that names the wrong line if a column has a date's name, otherwise that there are no dates. */
function refuse(records: readonly TableRecord[]): never {
  for (const [index, { cells }] of records.slice(0, MOST_PREAMBLE).entries()) {
    const at = cells.findIndex((cell) => /^\W*(?:date|time|timestamp|datetime|datum|zeit)\b/i.test(cell));
    const next = records[index + 1];
    if (at < 0 || cells.length < 2 || !next) continue;
    const cell = next.cells[at] ?? '';
    if (/^[-+\d.,e]+$/i.test(cell.trim()) && cell.trim() !== '') continue; // the time since a start
    throw new NoDates(t('Line {line}: “{cell}” is not a date.', { line: String(next.line), cell: shortened(cell) }));
  }
  throw new NoDates(
    t(
      'No column holds dates. Each line needs one, such as {examples} or unix seconds. Seconds since a start, and days as Excel counts them, are not dates.',
      {
        examples: '2026-11-22 14:30, 22.11.2026 14:30',
      },
    ),
  );
}

const MOST_SHOWN = 40;

/** A cell, short enough for a message. */
export function shortened(cell: string): string {
  const text = cell.trim();
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** The record with the names, and a second one that continues names or units; in the order of the file. */
function headsAbove(records: readonly TableRecord[], start: number, dateAt: number): TableRecord[] {
  const { width } = modalWidth(records.slice(start, start + LOOKED_AT));
  let nearest: TableRecord | undefined;
  for (let at = start - 1; at >= Math.max(0, start - MOST_PREAMBLE); at -= 1) {
    const record = records[at];
    if (!record) break;
    if (filledWidth(record) > 1 && isAboutDates(record.cells[dateAt] ?? '')) {
      return withNeighbour(records.slice(0, start), at - Number(hasUnits(records[at - 1], record, dateAt)), dateAt);
    }
    const suits = record.cells.length >= width && filledWidth(record) <= width && isHead(record);
    if (nearest && !suits) break;
    if (suits) nearest ??= record;
  }
  return nearest ? [nearest] : [];
}

/** True if a line has the units of the names above it: a line of units may say TS below the name of the dates. */
function hasUnits(above: TableRecord | undefined, { line }: TableRecord, dateAt: number): boolean {
  return above?.line === line - 1 && isHead(above) && isAboutDates(above.cells[dateAt] ?? '');
}

/** The line with the name of the dates, and the line above or below that has no name for them, or their unit. */
function withNeighbour(records: readonly TableRecord[], at: number, dateAt: number): TableRecord[] {
  const [above, head, below] = [records[at - 1], records[at], records[at + 1]];
  if (!head) return [];
  const isNext = (one: TableRecord | undefined, line: number): one is TableRecord =>
    one !== undefined && one.line === line && isHead(one) && UNIT_OF_DATES.test(one.cells[dateAt] ?? '');
  if (isNext(below, head.line + 1)) return [head, below];
  return isNext(above, head.line - 1) && (above.cells[dateAt] ?? '').trim() === '' ? [above, head] : [head];
}

const UNIT_OF_DATES = /^\W*(?:utc|gmt|local|iso|ts|[ymdhs:/. t-]+)?\W*$/i;

/** True if a column of this name holds dates rather than periods. */
export function isAboutDates(name: string): boolean {
  return ABOUT_DATES.test(name) && !ABOUT_SPANS.test(name) && !isTime(name);
}

function isHead(record: TableRecord): boolean {
  return filledWidth(record) > 1 && !record.cells.some(isPlainNumber);
}

function filledWidth({ cells }: TableRecord): number {
  let width = cells.length;
  while (width > 0 && (cells[width - 1] ?? '').trim() === '') width -= 1;
  return width;
}

function isPlainNumber(cell: string): boolean {
  return /^\s*[+-]?\d+(?:[.,]\d+)?\s*$/.test(cell);
}

/** The lines between the names and the first date, whose dates cannot be read. */
function badRows(records: readonly TableRecord[], heads: readonly TableRecord[], start: number, dateAt: number) {
  const last = heads.at(-1);
  if (!last) return [];
  return records.slice(records.indexOf(last) + 1, start).filter(({ cells }) => (cells[dateAt] ?? '').trim() !== '');
}

/** One name for each column: a group in the upper line precedes the names, or names precede units. */
function namesOf(heads: readonly TableRecord[], dateAt: number): string[] {
  const [upper, lower] = heads;
  if (!upper) return [];
  if (!lower) return upper.cells.map((cell) => cell.trim());
  let group = '';
  return Array.from({ length: Math.max(upper.cells.length, lower.cells.length) }, (_, at) => {
    const [above, below] = [(upper.cells[at] ?? '').trim(), (lower.cells[at] ?? '').trim()];
    if (at === dateAt) return above;
    // A group that spans several columns is written in the first of them.
    group = above || (below ? group : '');
    return above === below ? above : `${group} ${below}`.trim();
  });
}

/** Makes the names of fields unique; without a line of names, uses `date` and `value`. */
function uniqueNames(given: readonly string[], width: number, dateAt: number): string[] {
  const names: string[] = [];
  for (let at = 0; at < (given.length || width); at += 1) {
    const unnamed =
      given.length > 0 ? `column ${at + 1}` : at === dateAt ? 'date' : width > 2 ? `value_${at}` : 'value';
    const name = given[at] || unnamed;
    let unique = name;
    for (let count = 2; names.includes(unique); count += 1) unique = `${name} (${count})`;
    names.push(unique);
  }
  return names;
}

/**
 * A column of times belongs to dates without a time: the next column, one that has a time's name, or the one that the
 * user has chosen.
 */
function findTimes(
  rows: readonly TableRecord[],
  dateAt: number,
  names: readonly string[],
  chosen: number | undefined,
): Pick<Layout, 'timeAt' | 'readTime'> {
  const sample = rows.slice(0, LOOKED_AT);
  const readerOf = (at: number, isNamed: boolean) =>
    timesIn(
      sample.map(({ cells }) => cells[at] ?? ''),
      { isNamed },
    );
  if (chosen !== undefined) return { timeAt: chosen, readTime: readerOf(chosen, true) ?? readerOf(chosen, false) };
  const isAlone = sample.every(({ cells }) => {
    const date = (cells[dateAt] ?? '').trim();
    return MIDNIGHT.test(date) || !(signsOf(date, 0)?.hasTime ?? false);
  });
  const others = names.map((_, at) => at).filter((at) => at !== dateAt && ABOUT_TIMES.test(names[at] ?? ''));
  for (const at of isAlone ? [dateAt + 1, ...others, dateAt - 1] : []) {
    const readTime = at < 0 ? undefined : readerOf(at, isNameOfTimes(names[at] ?? ''));
    if (readTime) return { timeAt: at, readTime };
  }
  return { timeAt: undefined, readTime: undefined };
}

/** The zone in a cell that holds only its name, or a label and its name. */
function zoneOf(preamble: readonly TableRecord[]): string | undefined {
  for (const { cells } of preamble) {
    for (const cell of cells) {
      const text = cell.replace(/^\W*time ?zone\W*/i, '').trim();
      const zone = zoneIn(text);
      if (zone && (text === zone || /^(?:UTC|GMT)\S*$/.test(text))) return zone;
    }
  }
  return undefined;
}
