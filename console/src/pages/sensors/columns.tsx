import { columnOf, formatAge, formatDate, personName, sensorName, wordOf } from '../../format';
import { t } from '../../language';
import { href } from '../../router';
import { type Tags, tagValues } from '../../search/find';
import { noDataText } from '../../ui/no-data';
import { Status } from '../../ui/page';
import { Sparkline } from '../../ui/sparkline';
import { State } from '../../ui/state';
import { STATES, type StateName, sensorState } from '../../ui/states';
import type { Column, Order } from '../../ui/table';
import { titleOf } from '../services/kinds';
import { DAY, HALF_HOUR, numberOf, type PlacedTrigger, type Point, type Sensor } from './load';
import { TagCell } from './tag-cell';
import { valuesText } from './value-kinds';
import { TAG } from './view';

/** A sensor with what is known about its present. */
export interface Row {
  sensor: Sensor;
  /** Undefined while they are loaded: until then the state is that of the list of sensors. */
  triggers: readonly PlacedTrigger[] | undefined;
  /** True if it has been without data for longer than expected. */
  isInactive: boolean;
  /** Undefined while it is loaded, null if the sensor has no data. */
  latest: Point | null | undefined;
  /** The last day in half hours. */
  day: readonly Point[];
  /** Writes its values, with the same decimals. */
  parts: ReturnType<typeof columnOf>;
  /** The room after its value that brings the decimal points into a line, in digits. */
  room?: number;
}

/** A column by which rows can be sorted; rows without a value come last. */
export interface SensorColumn extends Column<Row> {
  key: string;
  sortBy?: (row: Row) => string | number | undefined;
  /** True if an order by it needs the latest values of all sensors. */
  isOfLatest?: boolean;
}

/** All columns: the properties of sensors, and a column for each metatag, which can be edited if `onEdited` is given. */
export function columnsOf(tags: Tags, onEdited?: () => void): SensorColumn[] {
  return [
    { key: 'name', name: t('Sensor'), sortBy: ({ sensor }) => sensorName(sensor), cell: Name },
    { key: 'state', name: t('State'), isCorner: true, sortBy: rankOf, cell: StateCell },
    { key: 'day', name: t('Last day'), cell: Day },
    {
      key: 'value',
      name: t('Value'),
      right: true,
      isOfLatest: true,
      sortBy: ({ latest }) => (latest ? numberOf(latest.value) : undefined),
      cell: Value,
    },
    { key: 'age', name: t('Age'), right: true, isOfLatest: true, sortBy: ageOf, cell: Age },
    {
      key: 'unit',
      name: t('Unit'),
      isNamed: true,
      sortBy: ({ sensor }) => sensor.unit,
      cell: ({ sensor }) => <span class="nowrap">{sensor.unit}</span>,
    },
    { key: 'kind', name: t('Values'), isNamed: true, sortBy: kindOf, cell: kindOf },
    { key: 'owner', name: t('Owner'), isNamed: true, sortBy: ownerOf, cell: ownerOf },
    ...[...tags.keys()].map((name) => ({
      key: TAG + name,
      name,
      isNamed: true,
      sortBy: ({ sensor }: Row) => tagValues(sensor, name, tags)[0],
      cell: ({ sensor }: Row) => <TagCell {...{ sensor, name, tags, onEdited }} />,
    })),
  ];
}

/** An order of rows. */
export function orderOf(columns: readonly SensorColumn[], order: Order): { column?: SensorColumn; isDown: boolean } {
  const isDown = order.startsWith('-');
  const column = columns.find(({ key, sortBy }) => sortBy && key === order.slice(isDown ? 1 : 0));
  return { isDown, ...(column && { column }) };
}

const collator = new Intl.Collator(undefined, { numeric: true });

/** The rows in order; equal ones keep their order. */
export function sorted(rows: readonly Row[], { column, isDown }: ReturnType<typeof orderOf>): readonly Row[] {
  const { sortBy } = column ?? {};
  if (!sortBy) return rows;
  const keyed = rows.map((row) => ({ row, value: sortBy(row) }));
  const isMissing = (value: string | number | undefined) => value === undefined || value === '' || Number.isNaN(value);
  const compare = (a: string | number, b: string | number) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
  return keyed
    .sort(({ value: a = '' }, { value: b = '' }) => {
      if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b));
      return isDown ? compare(b, a) : compare(a, b);
    })
    .map(({ row }) => row);
}

function Name({ sensor }: Row) {
  const about = [
    sensor.apart,
    sensor.type === '2' && t('virtual'),
    titleOf(sensor.device_type),
    sensor.owner && t('by {name}', { name: personName(sensor.owner) }),
  ];
  return (
    <div>
      <a class="strong" href={href(`/sensors/${sensor.id}`)}>
        {sensorName(sensor)}
      </a>
      <div class="quiet small">{about.filter(Boolean).join(' · ')}</div>
    </div>
  );
}

/** The state of the sensor; undefined with data and without active triggers, and while the severity is loaded. */
function stateOf({ sensor: { state = 'none' }, triggers, isInactive }: Row): StateName | undefined {
  if (triggers) return sensorState(triggers, isInactive);
  if (state === 'silent') return 'inactive';
  return state === 'none' || state === 'firing' ? undefined : state;
}

/** The worst first. */
function rankOf(row: Row): number | undefined {
  const state = stateOf(row);
  if (state !== undefined) return STATES.indexOf(state);
  return row.sensor.state === 'firing' && !row.triggers ? -1 : undefined;
}

/** The state, and which triggers fire. */
function StateCell(row: Row) {
  const state = stateOf(row);
  if (rankOf(row) === undefined) return null;
  const firing = row.triggers?.filter((one) => one.active && one.state === 'firing').map(({ name }) => name) ?? [];
  return (
    <div>
      {state ? <State of={state} /> : <Status>{t('firing|state')}</Status>}
      {(firing.length > 0 || !state) && <div class="small quiet breakable">{firing.join(', ') || '\u00a0'}</div>}
    </div>
  );
}

/** The line of the last day, extended by each new value; without data on that day, since when. */
function Day({ sensor, latest, day, isInactive }: Row) {
  if (latest === undefined) return <Sparkline points={[]} from={0} to={1} />;
  if (latest === null || isInactive) return <span class="small quiet nowrap">{noDataText(latest?.date)}</span>;
  const nowSeconds = Date.now() / 1000;
  const isStepped = latest.value === 'true' || latest.value === 'false';
  const points = [...day, latest].map(({ date, value }) => ({ date, value: numberOf(value) }));
  return (
    <div title={isStepped ? statesText(day, sensor.unit) : undefined}>
      <Sparkline {...{ points, isStepped }} from={nowSeconds - DAY} to={Math.max(nowSeconds, latest.date)} />
    </div>
  );
}

/** In how many half hours it was true at all, in the words of the sensor. */
function statesText(day: readonly Point[], unit: string): string {
  const halves = (points: readonly Point[]) => new Set(points.map(({ date }) => Math.floor(date / HALF_HOUR))).size;
  const [n, total] = [halves(day.filter(({ value }) => value === 'true')), halves(day)];
  return t('{word} in {n} of {total} half hours', { word: wordOf('true', unit), n, total });
}

/** Characters of a value that is no figure. */
const LONG = 16;

function Value({ latest, sensor, isInactive, parts, room = 0 }: Row) {
  const { value, unit } = latest ? parts(latest.value, sensor) : { value: latest === null ? '–' : '…', unit: '' };
  const isLong = value.length > LONG || sensor.data_type === 'json';
  return (
    <span class={`${isLong ? 'long-value' : 'last-value'} ${isInactive ? 'quiet' : ''} ${unit && 'nowrap'}`}>
      {value}
      {room > 0 && <span class="room" style={{ width: `${room}ch` }} />}
      {unit && <span class="unit">{`\u00a0${unit}`}</span>}
    </span>
  );
}

function ageOf({ latest }: Row): number | undefined {
  return latest ? -latest.date : undefined;
}

function Age({ latest }: Row) {
  if (latest === null) return null;
  if (latest === undefined) return <time>…</time>;
  return (
    <time
      class="quiet small nowrap"
      dateTime={new Date(latest.date * 1000).toISOString()}
      title={formatDate(latest.date)}
    >
      {formatAge(latest.date)}
    </time>
  );
}

function kindOf({ sensor }: Row): string {
  return valuesText(sensor.data_type);
}

function ownerOf({ sensor }: Row): string {
  return sensor.owner ? personName(sensor.owner) : '';
}
