import type { Pool } from 'mysql2/promise';
import { LruCache, weightOfText } from '../../platform/lru-cache';
import { newestValues } from '../../points';
import { type RunSql, runOn } from '../../storage/transaction';
import { type Series, seriesHash } from '../protocols/series';

/** Maximum number of names that one statement looks up. */
const NAMES_PER_STATEMENT = 1_000;
/** Maximum size of all cached names, in characters. */
const CACHED_CHARACTERS = 4_000_000;

/**
 * The sensors that series lead to. Agents repeat the same names, so these are cached. An entry is valid for one version of
 * its owner's sensors: every transaction that makes or deletes a sensor, or leads or deletes a series, changes it. The
 * version is read first, so a change that was answered before a call is seen by it, whichever process made it.
 */
export class SeriesNames {
  private readonly known = new LruCache<string, number>(CACHED_CHARACTERS, weightOfText);

  constructor(private readonly pool: Pool) {}

  /** The sensors of these series of a user. Series that lead nowhere are left out. */
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

  /** The last stored values of these series, at most 1,000, by their names. */
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

/** The sensors that a user's series lead to, by the hashes of their names. Names that lead nowhere are left out. */
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
