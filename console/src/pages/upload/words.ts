import type { Kind, LeftOut, Reason, Role, Understanding } from '../../csv/types';
import { formatCount, formatDate, formatMany } from '../../format';

/** The kinds of values of a sensor, in the user's words. */
export const KINDS: readonly (readonly [kind: Kind, text: string])[] = [
  ['float', 'Numbers'],
  ['boolean', 'True or false'],
  ['string', 'Text'],
  ['json', 'Several fields (JSON)'],
];

/** The roles of a column, in the user's words. */
export const ROLES: Readonly<Record<Role, string>> = {
  date: 'Date',
  time: 'Time of the date',
  number: 'Number',
  boolean: 'True or false',
  text: 'Text',
  json: 'JSON',
  variable: 'Names of fields',
  unused: 'Not stored',
};

const REASONS: Readonly<Record<Reason, string>> = {
  value: 'without a value',
  date: 'with a date that cannot be read',
  never: 'with a time that does not exist',
  cells: 'with more cells than there are columns',
  kind: 'with a cell of another kind than its column',
  ahead: 'dated more than a day ahead',
  old: 'dated before 1970',
  quote: 'with a quotation mark in the wrong place',
  size: 'with a value of more than 65,535 bytes',
};

/** The reason for left-out lines, and the first ones: `2 lines without a value: 3, 7`. */
export function leftOutText({ reason, count, examples }: LeftOut, zone: string): string {
  const where = reason === 'never' ? ` in ${zone}, as clocks go forward there` : '';
  const first = examples.map(({ line, text }) => (text ? `${line} (${text})` : String(line))).join(', ');
  return `${formatMany(count, 'line')} ${REASONS[reason]}${where}: ${first}${count > examples.length ? ' and so on' : ''}.`;
}

/** The lines with a time that comes twice, and their treatment. */
export function twiceText({ twice: { lines, examples }, zone }: Understanding): string {
  const which = `${examples.join(', ')}${lines > examples.length ? ' and so on' : ''}`;
  const have = lines === 1 ? '1 line has a time that comes' : `${formatCount(lines)} lines have times that come`;
  return `${have} twice in ${zone}, as clocks go back there: the first of both is taken (${lines === 1 ? 'line' : 'lines'} ${which}).`;
}

/** The number of stored lines, and the first and last date. */
export function summaryText({ points, used, lines, first, last, repeated, order }: Understanding): string {
  const of = used === lines ? `${formatMany(lines, 'line')}` : `${formatCount(used)} of ${formatMany(lines, 'line')}`;
  const again = repeated > 0 ? ` ${formatMany(repeated, 'line')} repeat${repeated === 1 ? 's' : ''} another.` : '';
  if (first === undefined || last === undefined) {
    return order && !order.chosen
      ? `${formatMany(lines, 'line')}.`
      : `Nothing to store in ${formatMany(lines, 'line')}.`;
  }
  return `${formatMany(points, 'point')} from ${of}, ${formatDate(first / 1000)} to ${formatDate(last / 1000)}.${again}`;
}

const SEPARATORS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
};

/** The format of the file. */
export function layoutText({ separator, namesAt }: Understanding): string {
  const names = namesAt === undefined ? 'without a line of names' : `with names in line ${namesAt}`;
  return `Cells are separated by ${SEPARATORS[separator] ?? `“${separator}”`}, ${names}.`;
}

const SAME: readonly (readonly [type: RegExp, kind: Kind])[] = [
  [/^(?:float|double|number|numeric|int|integer|long)$/i, 'float'],
  [/^bool(?:ean)?$/i, 'boolean'],
  [/^string$/i, 'string'],
  [/^json$/i, 'json'],
];

/** The kind of a sensor's values; undefined if its type is unknown here. */
export function kindOfSensor(dataType: string): Kind | undefined {
  return SAME.find(([type]) => type.test(dataType.trim()))?.[1];
}

export function kindText(kind: Kind): string {
  return KINDS.find(([one]) => one === kind)?.[1] ?? kind;
}
