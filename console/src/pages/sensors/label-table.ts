import { formatCsvLine, guardFormula, withoutGuard } from '../../../../client/src/csv-records';
import type { TableRecord } from '../../csv/types';
import { sensorName } from '../../format';
import { t } from '../../language';
import { type Searched, type Tags, tagOf, tagValues, valuesIn } from '../../search/find';
import { readNumber } from '../../search/query';

/** A sensor whose labels a file may have. */
export interface Labelled extends Searched {
  id: string;
  /** Set if it is another user. */
  owner?: unknown;
}

export interface LabelColumn {
  at: number;
  name: string;
  /** The default one if absent. */
  namespace?: string;
  tag: string;
  /** True if no sensor has the metatag yet. */
  isNew: boolean;
}

export interface LabelChange {
  sensor: Labelled;
  column: LabelColumn;
  before: readonly string[];
  after: readonly string[];
}

/** What a file says about the labels of sensors. */
export interface LabelPlan {
  columns: readonly LabelColumn[];
  changes: readonly LabelChange[];
  sensors: number;
  /** Lines that change nothing. */
  leftOut: readonly { line: number; name: string; why: string }[];
}

export interface LabelFile {
  separator: string;
  records: readonly TableRecord[];
  /** Lines with a misplaced quote. */
  broken: ReadonlySet<number>;
}

export const MOST_ROWS = 1_000;
const SEVERAL = '|';
/** Columns that name the sensor. */
export const KEYS = /^(id|name)$/i;

/** The labels of sensors as a table: numbers with decimal commas between semicolons. */
export function writeLabels(sensors: readonly Labelled[], names: readonly string[], tags: Tags, separator: ',' | ';') {
  const isTaken = (name: string) => tags.namespaces.get(name) === undefined && (KEYS.test(name) || name.includes(':'));
  const header = ['id', 'name', ...names.map((name) => (isTaken(name) ? `default:${name}` : name))];
  const shown = (value: string) => (separator === ';' && /^-?\d*\.\d+$/.test(value) ? value.replace('.', ',') : value);
  const rows = sensors.map((sensor) => [
    sensor.id,
    sensorName(sensor),
    ...names.map((name) => tagValues(sensor, name, tags).map(shown).join(SEVERAL)),
  ]);
  return [header, ...rows].map((cells) => formatCsvLine(cells.map(guardFormula), separator)).join('');
}

/** Compares a file with the labels that sensors have. Throws an error in words for a file that names no sensors or labels. */
export function readLabels(file: LabelFile, sensors: readonly Labelled[], tags: Tags): LabelPlan {
  const [header, ...rows] = file.records;
  const names = (header?.cells ?? []).map((cell) => withoutGuard(cell.trim()));
  const columns = columnsIn(names, tags);
  if (rows.length > MOST_ROWS) throw new Error(t('The file has more than {n} rows. Split it.', { n: MOST_ROWS }));
  const find = finderOf(sensors);
  const [idAt, nameAt] = [indexOf(names, 'id'), indexOf(names, 'name')];
  const seen = new Set<string>();
  const changes: LabelChange[] = [];
  const leftOut: LabelPlan['leftOut'][number][] = [];
  for (const { line, cells } of rows) {
    const [id = '', name = ''] = [cells[idAt], cells[nameAt]].map((cell) => cell && withoutGuard(cell.trim()));
    const found = file.broken.has(line)
      ? t('a quotation mark is in the wrong place, or is never closed')
      : find(id, name);
    if (typeof found === 'string' || seen.has(found.id)) {
      leftOut.push({
        line,
        name: name || id,
        why: typeof found === 'string' ? found : t('an earlier line has the same sensor'),
      });
      continue;
    }
    seen.add(found.id);
    changes.push(...changesIn(cells, found, columns, file.separator));
  }
  return { columns, changes, sensors: seen.size, leftOut };
}

function indexOf(names: readonly string[], wanted: string): number {
  return names.findIndex((name) => name.toLowerCase() === wanted);
}

function columnsIn(names: readonly string[], tags: Tags): LabelColumn[] {
  const columns = names.flatMap((name, at) => (name === '' || KEYS.test(name) ? [] : [columnOf(name, at, tags)]));
  if (!names.some((name) => KEYS.test(name)) || columns.length === 0) {
    throw new Error(t('The first line must name the column id or name.'));
  }
  const twice = names.find(
    (name, at) => name !== '' && indexOf(names, name.toLowerCase()) < at && names.indexOf(name) < at,
  );
  if (twice !== undefined) throw new Error(t('Two columns are named {name}.', { name: twice }));
  return columns;
}

/** As rules name it: a namespace stands before the first colon. */
function columnOf(name: string, at: number, tags: Tags): LabelColumn {
  const [, before = '', behind = ''] = /^([^:]*):(.+)$/.exec(name) ?? [];
  const place = tags.namespaces.has(name)
    ? tagOf(name, tags)
    : behind === ''
      ? { tag: name }
      : { tag: behind, ...(before !== 'default' && { namespace: before }) };
  const key = place.namespace === undefined ? place.tag : name;
  return { at, name, ...place, isNew: !tags.has(key) };
}

/** Finds the sensor of a line, or says why there is none. */
function finderOf(sensors: readonly Labelled[]) {
  const byId = new Map(sensors.map((sensor) => [sensor.id, sensor]));
  const byName = new Map<string, Set<Labelled>>();
  for (const sensor of sensors) {
    for (const name of [sensor.name, sensorName(sensor)].map((one) => one.toLowerCase())) {
      byName.set(name, (byName.get(name) ?? new Set()).add(sensor));
    }
  }
  return (id: string, name: string): Labelled | string => {
    const named = [...(byName.get(name.toLowerCase()) ?? [])];
    const own = named.filter(({ owner }) => !owner);
    const found = id === '' ? (own.length > 0 ? own : named) : [byId.get(id)].filter((one) => one !== undefined);
    const [sensor, ...others] = found;
    if (!sensor) return t(id === '' ? 'no sensor has this name' : 'no sensor has this id');
    if (sensor.owner) return t('it belongs to another user');
    return others.length > 0 ? t('{n} sensors have this name: add a column id', { n: found.length }) : sensor;
  };
}

/** The labels that differ. An empty cell changes nothing. */
function changesIn(
  cells: readonly string[],
  sensor: Labelled,
  columns: readonly LabelColumn[],
  separator: string,
): LabelChange[] {
  return columns.flatMap((column) => {
    const written = withoutGuard(cells[column.at] ?? '')
      .split(SEVERAL)
      .flatMap((value) => value.trim() || []);
    const after = written.map((value) => readValue(value, separator));
    const before = valuesIn(sensor, column.tag, column.namespace).map(String);
    // Programs for tables write 8.50 as 8.5, and 007 as 7.
    const isSame = (value: string, at: number) =>
      value === before[at] || readNumber(after[at] ?? '') === readNumber(before[at] ?? '');
    const isWhole = written.length === before.length && written.every(isSame);
    return written.length === 0 || isWhole ? [] : [{ sensor, column, before, after }];
  });
}

function readValue(written: string, separator: string): string {
  const value = written.replace(/^\u2212(?=\d)/, '-');
  return separator !== ',' && /^[-+]?\d*,\d+$/.test(value) ? value.replace(',', '.') : value;
}
