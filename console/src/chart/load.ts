import { api, ask } from '../api';
import { TIME_ZONE } from '../format';
import type { Extremes, Points, Range } from './points';

export type { Range } from './points';

const INTERVALS = [60, 300, 600, 1800, 3600, 86_400, 604_800] as const;
type Interval = (typeof INTERVALS)[number] | 0;
const PAGE = 1000;
/** Maximum number of visible intervals; more would be indistinguishable. */
const MOST_INTERVALS = 2_000;
/** Maximum number of stored points that are loaded. */
const MOST_RAW = 10_000;
const FEW_RAW = 4_000;
const SPARSE = 800;

/**
 * The points of a sensor in a range, never more than can be drawn at 60 frames a second: the platform computes the mean
 * of each interval, so a year of a million points is as quick as an hour.
 */
export async function loadPoints(id: string, range: Range, signal: AbortSignal): Promise<Points> {
  const span = range.to - range.from;
  const interval = INTERVALS.find((seconds) => span / seconds <= MOST_INTERVALS) ?? 604_800;
  if (interval > 60) return readIntervals(id, range, interval, signal);
  const first = await readPage(id, range, 0, 0, signal);
  const total = first.total ?? first.data.length;
  const isWorthIt = total <= FEW_RAW || (span < 3_600 && total <= MOST_RAW);
  if (!isWorthIt) return readAll(id, range, 60, signal);
  return readAll(id, range, 0, signal, first.data);
}

/** Reads intervals, or stored points if they are sparser than the intervals. */
async function readIntervals(id: string, range: Range, interval: Interval, signal: AbortSignal): Promise<Points> {
  const means = await readAll(id, range, interval, signal);
  if (means.dates.length > SPARSE || means.dates.length * interval * 2 > range.to - range.from) return means;
  const { data } = await readPage(id, range, 0, 0, signal);
  return data.length < PAGE ? readAll(id, range, 0, signal, data) : means;
}

/** The means of hours or days in the zone of the browser, with their extremes. */
export function loadIntervals(id: string, range: Range, kind: 'hours' | 'days', signal: AbortSignal): Promise<Points> {
  return readAll(id, range, kind === 'hours' ? 3600 : 86_400, signal);
}

type Data = ({ date: number; value: string } & Partial<Extremes>)[];

async function readAll(
  id: string,
  range: Range,
  interval: Interval,
  signal: AbortSignal,
  first?: Data,
): Promise<Points> {
  const data = first ?? (await readPage(id, range, interval, 0, signal)).data;
  let size = data.length;
  for (let page = 1; size === PAGE && page * PAGE < MOST_RAW; page += 1) {
    const next = (await readPage(id, range, interval, page, signal)).data;
    size = next.length;
    data.push(...next);
  }
  const points = { dates: data.map(({ date }) => date), values: data.map(({ value }) => value), interval };
  if (interval === 0) return points;
  return { ...points, extremes: data.map(({ min = '', max = '', count = '' }) => ({ min, max, count })) };
}

function readPage(id: string, { from, to }: Range, interval: Interval, page: number, signal: AbortSignal) {
  const query = {
    start_date: Math.floor(from * 1000) / 1000,
    end_date: Math.ceil(to * 1000) / 1000,
    page,
    per_page: PAGE,
    ...(interval ? { interval, aggregate: 'all' as const, timezone: TIME_ZONE } : page === 0 ? { total: true } : {}),
  };
  return ask(api.get('/sensors/{id}/data', { params: { path: { id }, query }, signal }));
}

/** The range of a sensor's data, and its last value. */
export interface Extent extends Range {
  last: string;
}

/** The dates of the first and the last point of a sensor; undefined without data. */
export async function loadExtent(id: string, signal: AbortSignal): Promise<Extent | undefined> {
  const read = (query: { last?: boolean; per_page?: number }) =>
    ask(api.get('/sensors/{id}/data', { params: { path: { id }, query }, signal }));
  const [first, last] = await Promise.all([read({ per_page: 1 }), read({ last: true })]);
  const [oldest, newest] = [first.data[0], last.data[0]];
  return oldest && newest && { from: oldest.date, to: newest.date, last: newest.value };
}
