import type { Pool } from 'mysql2/promise';
import { LruCache, weightOfText } from '../../platform/lru-cache';
import { newestValues } from '../../points';
import { type RunSql, runOn } from '../../storage/transaction';
import { type Series, seriesHash } from '../protocols/series';

/** Maximum number of names per statement. */
const NAMES_PER_STATEMENT = 1_000;
/** All cached names together. */
const CACHED_CHARACTERS = 4_000_000;

/**
 * An entry is valid for one version of its owner's sensors, which changes with sensors and series. The version is read
 * first, so a call sees every change that was answered before it.
 */
export class SeriesNames {
  private readonly known = new LruCache<string, number>(CACHED_CHARACTERS, weightOfText);

  constructor(private readonly pool: Pool) {}

  /** Without series that lead nowhere. */
  async find(ownerId: number, wanted: readonly Series[]): Promise<Map<Series, number>> {
    const run = runOn(this.pool);
    const [row] = await run('SELECT version FROM sensor_list_versions WHERE owner_id = ?', [ownerId]);
    const keyOf = ({ namespace, name }: Series) => `${ownerId} ${row?.version} ${namespace}\n${name}`;
    const found = new Map<Series, number>();
    const unknown = new Map<string, Series>();
    for (const series of wanted) {
      const sensorId = this.known.find(keyOf(series));
      if (sensorId === undefined) unknown.set(seriesHash(series), series);
      else found.set(series, sensorId);
    }
    for (const [hash, sensorId] of await findSeries(run, ownerId, [...unknown.keys()])) {
      const series = unknown.get(hash);
      if (!series) continue;
      found.set(series, sensorId);
      this.known.set(keyOf(series), sensorId);
    }
    return found;
  }

  async lastValues(ownerId: number, wanted: readonly Series[]): Promise<Map<string, string>> {
    const found = await this.find(ownerId, wanted);
    const values = await newestValues(this.pool, [...new Set(found.values())]);
    return new Map(
      [...found].flatMap(([{ name }, sensorId]) => {
        const value = values.get(sensorId);
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
  }
}

/** Returns sensors by hash, without names that lead nowhere. */
export async function findSeries(
  run: RunSql,
  ownerId: number,
  hashes: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let from = 0; from < hashes.length; from += NAMES_PER_STATEMENT) {
    const some = hashes.slice(from, from + NAMES_PER_STATEMENT);
    const rows = await run('SELECT hash, sensor_id AS sensorId FROM series WHERE owner_id = ? AND hash IN (?)', [
      ownerId,
      some,
    ]);
    for (const { hash, sensorId } of rows) found.set(String(hash), Number(sensorId));
  }
  return found;
}
