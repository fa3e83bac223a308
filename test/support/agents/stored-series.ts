import type { TestUser } from '../platform';

/** A series of a user with all stored points of its sensor, ordered by date. */
export interface StoredSeries {
  name: string;
  sensorId: string;
  points: StoredPoint[];
}

export interface StoredPoint {
  dateMs: number;
  value: string;
}

const PAGE = 1_000;
/** Maximum number of pages that are read of one list. */
const MOST_PAGES = 100;

/** All series of a user, ordered by name, as the API shows them. */
export async function storedSeries(user: Pick<TestUser, 'api'>): Promise<StoredSeries[]> {
  const named = await readAll<{ name: string; sensor_id: string }>(user, '/series', 'series');
  const series: StoredSeries[] = [];
  for (const { name, sensor_id: sensorId } of named) {
    const data = await readAll<{ date: number; value: string }>(user, `/sensors/${sensorId}/data`, 'data');
    const points = data.map(({ date, value }) => ({ dateMs: Math.round(date * 1_000), value }));
    series.push({ name, sensorId, points: points.sort((a, b) => a.dateMs - b.dateMs) });
  }
  return series.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Each stored point as `name dateMs value`, ordered. */
export async function storedLines(user: Pick<TestUser, 'api'>): Promise<string[]> {
  const all = await storedSeries(user);
  return all.flatMap(({ name, points }) => points.map(({ dateMs, value }) => `${name} ${dateMs} ${value}`)).sort();
}

async function readAll<T>({ api }: Pick<TestUser, 'api'>, path: string, field: string): Promise<T[]> {
  const items: T[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { status, body } = await api.get(`${path}?per_page=${PAGE}&page=${page}`);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
    items.push(...body[field]);
    if (body[field].length < PAGE) return items;
  }
  throw new Error(`GET ${path} has more than ${MOST_PAGES} pages`);
}
