import { t } from '../language';
import { readBoolean } from './cells';
import { type Column, columnsOf, isValue, leaveOut } from './columns';
import { isGap } from './gaps';
import { findLayout, type Layout, shortened } from './layout';
import { findLongForm, isAboutValues, type LongForm, longFields } from './long-form';
import { type Moments, momentsOf } from './moments';
import { type Cells, type Line, pointOf, readCell, readLines } from './points';
import type { Table } from './records';
import { shareDates } from './sharing';
import type { Choices, ColumnView, FilePoint, Kind, Surroundings, Understanding } from './types';

const DAY_MS = 86_400_000;
/** The last date that the platform stores. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The reading of a table, and its points in order of date. */
export interface Reading {
  understanding: Understanding;
  /** Made on demand, because there may be many. */
  points: readonly Line[];
}

/** Reads a table under the user's choices. Throws if there is nothing to store. */
export function understand(table: Table, choices: Choices, around: Surroundings): Reading {
  if (table.records.length === 0) throw new Error(t('The file is empty.'));
  const layout = findLayout(table.records, choices, around);
  const moments = momentsOf(layout, choices, around);
  const { columns, form, isLong, values, cells, isJson, fillers } = valuesIn(table, layout, moments, choices, around);
  const isAsking = (moments.order && !moments.order.chosen) || fillers.some(({ isGap }) => isGap === undefined);
  const lastMs = around.nowMs + DAY_MS;
  const { lines, leftOut, cellsOut } = readLines({
    layout: isAsking ? { ...layout, rows: [] } : layout,
    moments,
    cells,
    isJson,
    broken: table.broken,
    lastMs: choices.ahead ? LAST_MS : lastMs,
  });
  const { points, shared, repeated } = shareDates(lines, choices.sharing ?? 'apart', isLong);
  return {
    points,
    understanding: {
      isAsking,
      columns: columns.map((column) => viewOf(column, form)),
      separator: table.separator,
      sheet: table.sheet,
      namesAt: layout.namesAt,
      kind: kindOf(isJson, values),
      ...zonesOf(moments, layout),
      long: longView(form, layout, isLong),
      lines: layout.rows.length + layout.leftOut.reduce((sum, { count }) => sum + count, 0),
      used: lines.length,
      points: points.length,
      first: points[0]?.ms,
      last: points.at(-1)?.ms,
      leftOut: [...leftOut, ...layout.leftOut],
      cellsOut,
      fillers,
      shared,
      repeated,
      twice: twiceIn(lines),
      ahead: aheadOf(layout, moments, lastMs),
    },
  };
}

/** The columns of a table, and which of their cells are values. */
function valuesIn(
  { separator }: Table,
  layout: Layout,
  moments: Moments,
  choices: Choices,
  { kind }: Pick<Surroundings, 'kind'>,
) {
  const columns = columnsOf(layout, separator, choices, kind);
  const found = findLongForm(columns, layout, moments);
  const form = choices.long === false ? undefined : found;
  const fields = form ? splitIntoFields(form, columns, layout, separator, choices) : [];
  leaveOut(columns, layout.rows.length);
  const values = columns.filter(isValue);
  if (values.length === 0) throw new Error(t('No column has values.'));
  if (!form) suitSensor(values, kind);
  return {
    ...{ columns, values, form: found, isLong: form !== undefined },
    cells: form ? longCells(form, fields) : wideCells(values),
    isJson: form !== undefined || isOfFields(values, kind),
    fillers: fillersOf(form ? fields : values),
  };
}

function zonesOf({ zone, usesZone, order }: Moments, { zone: zoneOfFile }: Layout) {
  return { zone, usesZone, zoneOfFile, order };
}

/** Splits the columns of the long form by name; returns a field for each name. */
function splitIntoFields(
  form: LongForm,
  columns: Column[],
  layout: Layout,
  separator: string,
  { gaps }: Choices,
): Column[] {
  const value = columns.find(({ at }) => at === form.valueAt);
  if (!value) return [];
  for (const column of columns) {
    if (column.at === form.variableAt) Object.assign(column, { role: 'variable', note: t('The names of the fields.') });
    else if (column.at !== form.valueAt && isValue(column) && !column.isChosen) {
      Object.assign(column, { role: 'unused', note: t('It belongs to the names.') });
    }
  }
  const fields = longFields(form, layout, separator, value, gaps);
  if (fields.every(({ role }) => role === 'number')) value.role = 'number';
  return fields;
}

function longCells({ variableAt, valueAt }: LongForm, fields: readonly Column[]): Cells {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return ({ cells }) => {
    const field = byName.get((cells[variableAt] ?? '').trim());
    return field ? [[field, cells[valueAt] ?? '']] : [];
  };
}

function wideCells(values: readonly Column[]): Cells {
  return ({ cells }) => values.map((column) => [column, cells[column.at] ?? ''] as const);
}

/** A single column of values is read as the sensor keeps them, if it can be. */
function suitSensor(values: readonly Column[], kind: Kind | undefined): void {
  const [only] = values;
  if (values.length !== 1 || !only || only.isChosen) return;
  if (kind === 'string') only.role = 'text';
  const areBooleans = only.names?.every((text) => isGap(text) || readBoolean(text) !== undefined) ?? false;
  if (kind === 'boolean' && areBooleans) only.role = 'boolean';
}

/** True if the values are JSON with a field for each column. */
function isOfFields(values: readonly Column[], kind: Kind | undefined): boolean {
  const [only] = values;
  if (!only || values.length > 1) return true;
  return only.name.startsWith('value.') || (kind === 'json' && only.role !== 'json' && !isAboutValues(only.name));
}

function fillersOf(values: readonly Column[]): Understanding['fillers'] {
  return values.flatMap(({ name, filler }) => (filler ? [{ ...filler, name }] : []));
}

const KINDS: Readonly<Record<string, Kind>> = { number: 'float', boolean: 'boolean', text: 'string' };

function kindOf(isJson: boolean, [only]: readonly Column[]): Kind {
  return (isJson ? undefined : KINDS[only?.role ?? '']) ?? 'json';
}

function viewOf(column: Column, form: LongForm | undefined): ColumnView {
  const { at, name, role, first, note, unit } = column;
  const isOfFields = form?.valueAt === at && form !== undefined;
  return {
    at,
    name,
    role,
    written: shortened(first),
    read: isValue(column) ? readOf(column) : '',
    unit,
    note: isOfFields ? '' : note,
  };
}

/** The first cell as read; empty if it is unreadable. */
function readOf(column: Column): string {
  if (isGap(column.first)) return '';
  try {
    return shortened(String(readCell(column, column.first)));
  } catch {
    return '';
  }
}

function longView(form: LongForm | undefined, layout: Layout, used: boolean): Understanding['long'] {
  return form && { column: layout.names[form.variableAt] ?? '', names: form.names, used };
}

const MOST_EXAMPLES = 5;

function twiceIn(lines: readonly Line[]): Understanding['twice'] {
  const twice = lines.filter(({ isTwice }) => isTwice);
  return { lines: twice.length, examples: twice.slice(0, MOST_EXAMPLES).map(({ line }) => line) };
}

function aheadOf({ rows }: Layout, moments: Moments, lastMs: number): number {
  return rows.filter((record) => (moments.at(record) ?? 0) > lastMs).length;
}

const MOST_POINTS = 5_000;
const MOST_CHARACTERS = 1_000_000;

/** Takes the points of one request, from `start` on. */
export function batchFrom(points: readonly Line[], start: number): FilePoint[] {
  const batch: FilePoint[] = [];
  let characters = 0;
  for (let at = start; at < points.length && batch.length < MOST_POINTS && characters < MOST_CHARACTERS; at += 1) {
    const line = points[at];
    if (!line) break;
    const point = pointOf(line);
    characters += typeof point.value === 'string' ? point.value.length : JSON.stringify(point.value).length;
    batch.push(point);
  }
  return batch;
}
