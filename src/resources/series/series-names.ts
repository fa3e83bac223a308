import type { RunSql } from '../../storage/transaction';

/** Maximum number of names that one statement looks up. */
const NAMES_PER_STATEMENT = 1_000;

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
