import { BLANKS, JSON_FORMAT } from '../../csv/formats';
import type { LeftOut, Reason, Role, Understanding } from '../../csv/types';
import { formatDate } from '../../format';
import { many, type PlainText, type Text, t } from '../../language';

/** The roles of a column, in the user's words. */
export const ROLES: Readonly<Record<Role, PlainText>> = {
  date: 'Date',
  time: 'Time of day',
  number: 'Number',
  boolean: 'True or false',
  text: 'Text',
  json: 'JSON',
  variable: 'Names of fields',
  unused: 'Not stored',
};

const REASONS: Readonly<Record<Reason, readonly [one: Text, other: Text]>> = {
  value: ['{n} line without a value', '{n} lines without a value'],
  date: ['{n} line with an invalid date', '{n} lines with an invalid date'],
  never: ['{n} line with a time that the clocks skip', '{n} lines with a time that the clocks skip'],
  cells: ['{n} line with more cells than columns', '{n} lines with more cells than columns'],
  kind: ['{n} line with a cell that does not fit its column', '{n} lines with a cell that does not fit its column'],
  ahead: ['{n} line dated more than a day ahead', '{n} lines dated more than a day ahead'],
  old: ['{n} line dated before 1970', '{n} lines dated before 1970'],
  quote: ['{n} line with a misplaced quotation mark', '{n} lines with a misplaced quotation mark'],
  table: ['{n} line of another table', '{n} lines of another table'],
  size: ['{n} line with a value of more than 64 KB', '{n} lines with a value of more than 64 KB'],
};

/** The reason for left-out lines, and the first ones: `2 lines without a value: 3, 7`. */
export function leftOutText({ reason, count, examples }: LeftOut, zone: string): string {
  const what = counted(count, REASONS[reason]);
  const where = reason === 'never' ? ` (${zone})` : '';
  const first = examples.map(({ line, text }) => (text ? `${line} (${text})` : line));
  return `${what}${where}: ${listed(first, count)}.`;
}

/** The first of several lines: `3, 7, …`. */
export function listed(first: readonly (number | string)[], total: number): string {
  return [...first, ...(total > first.length ? ['…'] : [])].join(', ');
}

/** The lines with a time that comes twice, and their treatment. */
export function twiceText({ twice: { lines, examples }, zone }: Understanding): string {
  return many(
    lines,
    '{n} line has a time that occurs twice in {zone}, because the clocks go back. The first is meant (line {which}).',
    '{n} lines have times that occur twice in {zone}, because the clocks go back. The first is meant (lines {which}).',
    { zone, which: listed(examples, lines) },
  );
}

/** The number of stored lines, and the first and last date. */
export function summaryText({ points, used, lines, first, last, repeated, isAsking }: Understanding): string {
  const all = many(lines, '{n} line', '{n} lines');
  if (first === undefined || last === undefined) {
    return isAsking ? `${all}.` : t('Nothing to store in {lines}.', { lines: all });
  }
  const again = repeated > 0 ? ` ${many(repeated, '{n} line repeats another.', '{n} lines repeat others.')}` : '';
  return `${many(points, '{n} point from {lines}, {from} to {to}.', '{n} points from {lines}, {from} to {to}.', {
    lines: used === lines ? all : t('{n} of {lines}', { n: used, lines: all }),
    from: formatDate(first / 1000),
    to: formatDate(last / 1000),
  })}${again}`;
}

const SEPARATORS: Readonly<Record<string, PlainText>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
  [BLANKS]: 'blanks',
};

/** The first of the cells that are left out. */
export function cellsOutText({ cellsOut: { count, examples } }: Understanding): string {
  const first = examples.map(({ line, text }) => `${line} (${text})`);
  return many(
    count,
    '{n} cell that does not fit its column is left out, the rest of its line is stored: line {which}.',
    '{n} cells that do not fit their column are left out, the rest of their lines is stored: lines {which}.',
    { which: listed(first, count) },
  );
}

/** The format of the file. */
export function layoutText({ separator, sheet, namesAt }: Understanding): string {
  if (sheet !== undefined) return t('It is the sheet “{name}” of the workbook.', { name: sheet });
  if (separator === JSON_FORMAT) return t('The file is JSON.');
  const known = SEPARATORS[separator];
  const mark = known ? t(known) : `“${separator}”`;
  return namesAt === undefined
    ? t('Cells are separated by {mark}; there is no line with names.', { mark })
    : t('Cells are separated by {mark}; the names are in line {line}.', { mark, line: String(namesAt) });
}

/** The text for this number of lines. */
function counted(n: number, [one, other]: readonly [one: Text, other: Text]): string {
  return (many as (n: number, one: Text, other: Text) => string)(n, one, other); // they have no other value than n
}
