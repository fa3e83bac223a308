import type { components } from './generated/api';

/** Number of items per request: the platform's maximum. */
export const PER_PAGE = 1000;

export type DataPoint = components['schemas']['DataPointView'];

/** A range of dates in unix seconds; both ends belong to it. */
export interface PointRange {
  from?: number;
  to?: number;
}

/** The items of all pages, in order; a page is read on demand. */
export async function* itemsOfPages<Item>(
  read: (page: number) => Promise<readonly Item[]>,
): AsyncGenerator<Item, void> {
  for (let page = 0; ; page += 1) {
    const items = await read(page);
    yield* items;
    if (items.length < PER_PAGE) return;
  }
}

/** The list in a page: its only array. */
export function listIn(body: object): readonly unknown[] {
  return Object.values(body).find(Array.isArray) ?? [];
}

/**
 * Points in order of date. Each request begins where the previous one ended, so late pages cost no more than early
 * ones.
 */
export async function* pointsOfRange(
  { from, to }: PointRange,
  read: (query: { start_date?: number; end_date?: number; per_page: number }) => Promise<readonly DataPoint[]>,
): AsyncGenerator<DataPoint, void> {
  for (let start = from; ; ) {
    const points = await read({ start_date: start, end_date: to, per_page: PER_PAGE });
    yield* points;
    const last = points.at(-1);
    if (!last || points.length < PER_PAGE) return;
    start = Math.round(last.date * 1000 + 1) / 1000;
  }
}
