import { t } from '../language';
import { ColumnSigns } from './cells';
import { isDate } from './dates';
import { isAboutDates, type Layout, shortened } from './layout';
import type { Mark } from './numbers';
import { isPartOf } from './reshape';
import type { Choices, Filler, Kind, Role } from './types';

/** A column with its role. */
export interface Column {
  at: number;
  name: string;
  role: Role;
  /** True if the user has chosen the role. */
  isChosen: boolean;
  /** The decimal mark of its numbers. */
  mark: Mark;
  /** The unit behind all its numbers; otherwise empty. */
  unit: string;
  /** A number that may stand for no value. */
  filler: Filler | undefined;
  first: string;
  note: string;
  /** The distinct texts in it; undefined if they are too many to be names. */
  names: readonly string[] | undefined;
}

/** Names of columns that identify a line or a thing, and hold no measurement. */
const IDENTITY =
  /^(?:#|no\.?|nr\.?|id|index|record|row|line|table|rn|entry_?id|entity_?id|stations?_?id|device_?id|sensor_?id|eor|eod)$/i;

/** True if a column of this name identifies a line or a thing; every word of it must. */
export function isIdentity(name: string): boolean {
  return name.split(/\s+/).every((word) => IDENTITY.test(word));
}

/** Inspects every cell to find the role of each column, unless the user has chosen it. `kind`: of the sensor. */
export function columnsOf(
  layout: Layout,
  separator: string,
  { roles = {}, gaps = {} }: Choices,
  kind?: Kind,
): Column[] {
  const signs = layout.names.map(() => new ColumnSigns(separator !== ','));
  for (const { cells, line } of layout.rows) {
    for (let at = 0; at < signs.length; at += 1) signs[at]?.add(cells[at] ?? '', line);
  }
  const isOfValues = (at: number) => at !== layout.dateAt && at !== layout.timeAt;
  const ofFile = markOfFile(signs.filter((_, at) => isOfValues(at)));
  return signs.map((one, at): Column => {
    const name = layout.names[at] ?? '';
    const role = roleOf(at, layout, roles[at] ?? one.roleWith(ofFile, kind));
    const isChosen = roles[at] !== undefined;
    const { first, names } = one;
    return {
      at,
      name,
      role,
      isChosen,
      ...asNumbers(one, ofFile, role, gaps[name]),
      first,
      note: noteOf(one, role),
      names,
    };
  });
}

/** The decimal comma, if any column proves it. */
export function markOfFile(signs: Iterable<ColumnSigns>): Mark | undefined {
  return [...signs].find(({ mark }) => mark === ',')?.mark;
}

/** How the numbers of a column are read. */
export function asNumbers(signs: ColumnSigns, ofFile: Mark | undefined, role: Role, isGap: boolean | undefined) {
  const mark = signs.mark ?? ofFile ?? '.';
  const { unit = '', filler } = signs.numbersWith(mark);
  const isOfNumbers = role === 'number';
  return { mark, unit: isOfNumbers ? unit : '', filler: isOfNumbers && filler ? { ...filler, isGap } : undefined };
}

function roleOf(at: number, { dateAt, timeAt }: Layout, otherwise: Role): Role {
  if (at === dateAt) return 'date';
  if (at === timeAt) return 'time';
  return otherwise === 'date' || otherwise === 'time' ? 'unused' : otherwise;
}

function noteOf(signs: ColumnSigns, role: Role): string {
  if (signs.filled === 0) return t('It is empty.');
  if (role !== 'text') return '';
  const odd = signs.oddOne;
  if (odd) {
    return t('Most are numbers, but line {line} has “{cell}”.', { line: String(odd.line), cell: shortened(odd.cell) });
  }
  return signs.areOfSeveralUnits ? t('Its numbers have several units.') : '';
}

export function isValue({ role }: Column): boolean {
  return role === 'number' || role === 'boolean' || role === 'text' || role === 'json';
}

/** Ignores columns without values, as long as other columns have some. Choices of the user do not change. */
export function leaveOut(columns: readonly Column[], lines: number): void {
  for (const column of columns) {
    if (column.isChosen || !isValue(column) || columns.filter(isValue).length < 2) continue;
    const why = reasonToLeaveOut(column, columns, lines);
    if (why) Object.assign(column, { role: 'unused', note: why });
  }
}

function reasonToLeaveOut(column: Column, columns: readonly Column[], lines: number): string {
  const { name, role, first, names } = column;
  if (columns.some((one) => one.role === 'date' && isPartOf(one.name, name))) return t('It is a part of the date.');
  if (isIdentity(name)) return t('It identifies the line or the device.');
  if (isDate(first) && (role === 'text' || isAboutDates(name))) return t('It is another date.');
  const isSame = role === 'text' && names?.length === 1 && lines > 1;
  const hasNumbers = columns.some((one) => one !== column && one.role === 'number');
  return isSame && hasNumbers ? t('It is the same in each line.') : '';
}
