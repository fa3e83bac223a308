import type { Client } from '../../client';
import { ApiError } from '../../errors';
import type { SeriesCount } from './run-import';

/** What the source has of a series, and what the platform has. */
export interface Verified {
  sensor: string;
  sensorId: string;
  isNew: boolean;
  read: number;
  refused: number;
  /** Points of a date that another point of the series has; null if there are too many to tell. */
  repeated: number | null;
  stored: number;
  /** Why the numbers differ; empty if they do not. */
  problem: string;
}

/** Counts what the platform has of each series between its first and its last date. */
export async function verify(client: Client, series: readonly SeriesCount[]): Promise<Verified[]> {
  const verified: Verified[] = [];
  for (const count of series) verified.push(await verifyOne(client, count));
  return verified;
}

async function verifyOne(client: Client, { series, target, dates, read, refused }: SeriesCount): Promise<Verified> {
  const { sensorId = '', isNew = false, before = 0 } = target ?? {};
  const different = dates.count();
  const kept = read - refused;
  const stored = kept === 0 ? 0 : await countStored(client, sensorId, dates.firstMs, dates.lastMs);
  const [least, most] = [different ?? dates.atLeast(), (different ?? kept) + before];
  const isRight = stored >= least && stored <= most;
  const expected = least === most ? `${least}` : `${least} to ${most}`;
  return {
    sensor: series.name,
    sensorId,
    isNew,
    read,
    refused,
    repeated: different === undefined ? null : kept - different,
    stored,
    problem: isRight ? '' : `the platform has ${stored} points of these dates instead of ${expected}`,
  };
}

/** Halves the range if the platform cannot count it in time. */
async function countStored(client: Client, id: string, firstMs: number, lastMs: number): Promise<number> {
  const query = { start_date: firstMs / 1000, end_date: lastMs / 1000, per_page: 1, total: true };
  try {
    return (await client.get('/sensors/{id}/data', { params: { path: { id }, query } })).total ?? 0;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400 || lastMs - firstMs < 1_000) throw error;
  }
  const middleMs = Math.floor((firstMs + lastMs) / 2);
  const halves = [
    await countStored(client, id, firstMs, middleMs),
    await countStored(client, id, middleMs + 1, lastMs),
  ];
  return halves.reduce((sum, one) => sum + one, 0);
}
