import { useRef } from 'preact/hooks';
import { columnOf, valueParts } from '../../format';
import { roomAfter } from '../../ui/align';
import type { Order } from '../../ui/table';
import { type Resource, useResource } from '../../use-resource';
import { orderOf, type Row, type SensorColumn, sorted } from './columns';
import { useInactive } from './inactive';
import { HALF_HOUR, loadDays, loadLatest, loadStates, type Point, type Sensor } from './load';

const LATEST_MS = 5_000;
/** For more sensors than a page has, and for states. */
const SLOW_MS = 15_000;
const MANY = 250;

interface Wanted {
  columns: readonly SensorColumn[];
  order: Order;
  page: number;
  size: number;
  /** True if the lines of the last day are shown. */
  withDays: boolean;
}

/**
 * The rows of a page, in order, with their present, which is polled. The latest values of all sensors are read only if
 * the order depends on them; until then the rows are those before, or undefined.
 */
export function useRows(
  sensors: readonly Sensor[],
  { columns, order, page, size, withDays }: Wanted,
): readonly Row[] | undefined {
  const ordered = orderOf(columns, order);
  const isOfLatest = ordered.column?.isOfLatest === true;
  const states = useResource('states', loadStates, { everyMs: SLOW_MS });
  const inactive = useInactive();
  const ofAll = useLatest(isOfLatest ? sensors : []);
  const rows = sensors.map((sensor) => ({
    sensor,
    triggers: states.data && (states.data.get(sensor.id) ?? []),
    isInactive: inactive ? inactive.has(sensor.id) : sensor.state === 'silent',
    latest: latestOf(sensor, ofAll.data),
    day: [],
    parts: valueParts,
  }));
  const before = useRef<readonly Row[] | undefined>(undefined);
  const shown = sorted(rows, ordered).slice(page * size, (page + 1) * size);
  const ofPage = useLatest(isOfLatest ? [] : shown.map(({ sensor }) => sensor));
  const days = useDays(withDays ? shown.map(({ sensor }) => sensor) : []);
  if (isOfLatest && !ofAll.data && ofAll.error === undefined) return before.current;
  const known = shown.map((row) => (isOfLatest ? row : { ...row, latest: latestOf(row.sensor, ofPage.data) }));
  const parts = columnOf(known.map(({ sensor, latest }) => [latest?.value ?? '', sensor]));
  const written = known.map((row) => {
    const day = days?.get(row.sensor.id);
    return { ...row, day: day ?? [], parts: day ? partsOf(row, day) : parts };
  });
  const rooms = roomAfter(written.map(({ latest, sensor, ...row }) => row.parts(latest?.value ?? '', sensor)));
  before.current = written.map((row, at) => ({ ...row, room: rooms[at] ?? 0 }));
  return before.current;
}

/** Writes the values of a sensor with as many decimals as its values of the last day have. */
function partsOf({ sensor, latest }: Pick<Row, 'sensor' | 'latest'>, day: readonly Point[]): Row['parts'] {
  const texts = [latest?.value, ...day.flatMap(({ min, max }) => [min, max])];
  return columnOf(texts.map((text = '') => [text, sensor]));
}

function latestOf({ id }: Sensor, latest: ReadonlyMap<string, Point> | undefined): Row['latest'] {
  return latest && (latest.get(id) ?? null);
}

function useLatest(sensors: readonly Sensor[]): Resource<ReadonlyMap<string, Point>> {
  const ids = sensors.map(({ id }) => id);
  const everyMs = ids.length > MANY ? SLOW_MS : LATEST_MS;
  return useResource(`latest ${ids}`, (signal) => loadLatest(ids, signal), ids.length > 0 ? { everyMs } : {});
}

/** The last day of sensors, and again every half hour. */
function useDays(sensors: readonly Sensor[]) {
  const until = (Math.floor(Date.now() / 1000 / HALF_HOUR) + 1) * HALF_HOUR;
  const key = `days ${until} ${sensors.map(({ id }) => id)}`;
  return useResource(key, (signal) => loadDays(sensors, until, signal)).data;
}
