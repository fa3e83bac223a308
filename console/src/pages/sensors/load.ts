import { all, api, ask, type Records } from '../../api';
import { readFields, sensorName } from '../../format';
import { statesOf } from '../../intervals';
import type { FindBody } from '../../search/find';
import { withDifferences } from './differences';

/** A sensor with its metatags; `owner` is set if it is another user. */
type Tagged = Records['TaggedSensorView'];
type AtTimes = 'owner' | 'other_metatags' | 'expected_interval' | 'state' | 'state_since';
export type Sensor = Required<Omit<Tagged, AtTimes>> &
  Pick<Tagged, AtTimes> & {
    /** The outside names of its series, if it has some. */
    outside?: string;
    /** What distinguishes it from others with its name; undefined if its name is the only one. */
    apart?: string;
  };
export type Point = Records['DataPointView'];
export type PlacedTrigger = Records['PlacedSensorTriggerView'];

const byName = new Intl.Collator(undefined, { numeric: true });

/** All sensors that the user can see, in order of their names. */
export async function loadSensors(): Promise<Sensor[]> {
  const [found, series] = await Promise.all([
    find({ filter: {} }, 'full') as Promise<Sensor[]>, // with `details=full` these are whole records
    all(async (query) => (await ask(api.get('/series', { params: { query } }))).series),
  ]);
  const sensors = withDifferences(found, series);
  return sensors.sort((a, b) => byName.compare(sensorName(a), sensorName(b)));
}

/** The ids of the sensors that the platform finds. */
export async function findIds(body: FindBody): Promise<ReadonlySet<string>> {
  return new Set((await find(body, 'no')).map(({ id }) => id));
}

function find(body: FindBody, details: 'full' | 'no'): Promise<Records['TaggedSensorView'][]> {
  return all(async (page) => {
    const query = { ...page, sensor_owner: 'all' as const, details, all_namespaces: details === 'full' };
    return (await ask(api.post('/sensors/find', { params: { query }, body }))).sensors;
  });
}

/** The triggers of all sensors, with their states, by the ids of the sensors. */
export async function loadStates(): Promise<ReadonlyMap<string, readonly PlacedTrigger[]>> {
  const placed = await all(async (query) => (await ask(api.get('/sensors/triggers', { params: { query } }))).triggers);
  return grouped(placed);
}

/** Number of sensors in an address: longer ones are refused. */
export const MOST_IDS = 400;

/** The newest point of each of these sensors. */
export async function loadLatest(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Point>> {
  const points = await inParts(ids, async (some) => {
    const query = { sensor_id: [...some], last: true, per_page: 1000 };
    return (await ask(api.get('/sensors/data', { params: { query }, signal }))).data;
  });
  return new Map(points.map((point) => [point.sensor_id, point]));
}

export const DAY = 86_400;
export const HALF_HOUR = 1800;

/**
 * The last day before a date in half hours, with the lowest and highest value of each, by the ids of the sensors: one
 * request for up to 400 sensors.
 */
export async function loadDays(
  sensors: readonly Sensor[],
  until: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Point[]>> {
  const ids = sensors.map(({ id }) => id);
  const points = await inParts(ids, async (some) => {
    const query = new URLSearchParams(some.map((id) => ['sensor_id', id]));
    const range = { start_date: until - DAY, end_date: until, interval: HALF_HOUR, aggregate: 'all' };
    for (const [name, value] of Object.entries(range)) query.set(name, String(value));
    const answer = await ask(api.fetch(`/sensors/data.ndjson?${query}`, { signal }));
    const lines = (await answer.text()).split('\n').filter(Boolean);
    return lines.flatMap((line) => statesOf<Point>(JSON.parse(line), HALF_HOUR));
  });
  return grouped(points);
}

async function inParts<T>(ids: readonly string[], load: (some: readonly string[]) => Promise<T[]>): Promise<T[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, at) =>
    ids.slice(at * MOST_IDS, (at + 1) * MOST_IDS),
  );
  return (await Promise.all(parts.map(load))).flat();
}

function grouped<T extends { sensor_id: string }>(items: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const others = groups.get(item.sensor_id);
    if (others) others.push(item);
    else groups.set(item.sensor_id, [item]);
  }
  return groups;
}

/** A number for a value: the value itself, or the first number in its fields; NaN for other values. */
export function numberOf(value: string): number {
  const fields = readFields(value);
  const found = fields ? Object.values(fields).find((field) => typeof field === 'number') : value;
  if (found === 'true') return 1;
  if (found === 'false') return 0;
  return found === '' || found === undefined ? Number.NaN : Number(found);
}
