import { ColumnSigns } from './cells';
import { asNumbers, type Column, isIdentity, isValue, markOfFile } from './columns';
import type { Layout } from './layout';
import type { Moments } from './moments';
import { isTime } from './times';
import type { Choices } from './types';

/** The columns of a file with one line per variable: names of the fields, and their values. */
export interface LongForm {
  variableAt: number;
  valueAt: number;
  names: readonly string[];
}

const ABOUT_VARIABLES =
  /^(?:variable|parameter|metric|measurement|sensor|sensor_?name|sensor_?id|entity_?id|device_?id|name|field|key|type|channel|topic|quantity)$/i;
const ABOUT_VALUES = /^(?:value|state|wert|reading|valor|valeur|val|_value)$/i;

/** True if a column of this name holds values of any kind. */
export function isAboutValues(name: string): boolean {
  return ABOUT_VALUES.test(name);
}

/** Minimum number of lines per date, on average, at which they count as several variables. */
const LINES_PER_DATE = 1.5;
/** Maximum share of lines with one date that also have the same name. */
const MOST_SAME = 0.1;

/** Finds a column with the variable of each line; undefined if all lines are about the same one. */
export function findLongForm(columns: readonly Column[], layout: Layout, moments: Moments): LongForm | undefined {
  const candidates = columns.filter(
    ({ name, role, names }) =>
      names !== undefined &&
      names.length > 1 &&
      !names.every(isTime) &&
      (role === 'text' || (role === 'number' && ABOUT_VARIABLES.test(name))),
  );
  for (const candidate of candidates) {
    const valueAt = valueColumn(candidate, columns, layout);
    if (valueAt === undefined) continue;
    const isNamed = ABOUT_VARIABLES.test(candidate.name) && ABOUT_VALUES.test(layout.names[valueAt] ?? '');
    if (isNamed || separates(candidate.at, layout, moments)) {
      return { variableAt: candidate.at, valueAt, names: candidate.names ?? [] };
    }
  }
  return undefined;
}

/**
 * The only column of values next to this one, or the one with a value's name. A unit that depends on the name is not a
 * value.
 */
function valueColumn(candidate: Column, columns: readonly Column[], layout: Layout): number | undefined {
  const others = columns.filter(
    (one) => one !== candidate && isValue(one) && !isIdentity(one.name) && !goesWith(one, candidate, layout),
  );
  const named = others.filter(({ name }) => ABOUT_VALUES.test(name));
  return (others.length === 1 ? others : named)[0]?.at;
}

/** True if a column of texts depends only on the other one. */
function goesWith(column: Column, candidate: Column, { rows }: Layout): boolean {
  if (column.role !== 'text' || column.names === undefined) return false;
  const known = new Map<string, string>();
  return rows.every(({ cells }) => {
    const [key = '', text = ''] = [cells[candidate.at], cells[column.at]];
    const before = known.get(key);
    known.set(key, text);
    return before === undefined || before === text;
  });
}

/** True if lines of one date differ in this column. */
function separates(at: number, { rows }: Layout, moments: Moments): boolean {
  const dates = new Set<number>();
  const pairs = new Set<string>();
  let lines = 0;
  for (const record of rows) {
    const ms = moments.at(record);
    if (ms === undefined) continue;
    lines += 1;
    dates.add(ms);
    pairs.add(`${ms} ${record.cells[at]?.trim()}`);
  }
  return (
    dates.size > 0 && lines >= dates.size * LINES_PER_DATE && lines - pairs.size <= MOST_SAME * (lines - dates.size)
  );
}

/** The fields of a file in the long form, each with the role of its own values. */
export function longFields(
  { variableAt, valueAt }: LongForm,
  layout: Layout,
  separator: string,
  value: Column,
  gaps: Choices['gaps'] = {},
): Column[] {
  const signs = new Map<string, ColumnSigns>();
  for (const { cells, line } of layout.rows) {
    const name = (cells[variableAt] ?? '').trim();
    if (name === '') continue;
    const known = signs.get(name) ?? new ColumnSigns(separator !== ',');
    signs.set(name, known);
    known.add(cells[valueAt] ?? '', line);
  }
  const ofFile = markOfFile(signs.values());
  return [...signs].map(([name, one]): Column => {
    const role = value.isChosen ? value.role : one.roleWith(ofFile);
    return { ...value, name, role, ...asNumbers(one, ofFile, role, gaps[name]), first: one.first };
  });
}
