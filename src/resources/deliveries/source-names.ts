import type { Pool } from 'mysql2/promise';
import { readSensorViewers } from '../../storage/sensor-visibility';
import { runOn } from '../../storage/transaction';

/** The present names of the sensors and triggers of deliveries, by id. A deleted one has none. */
export interface SourceNames {
  sensors: ReadonlyMap<number, string>;
  triggers: ReadonlyMap<number, string>;
}

/** Reads these names: of the user's own triggers, and of the sensors that the user may see now. */
export async function readSourceNames(
  pool: Pool,
  userId: number,
  deliveries: readonly { sensorId: number | null; triggerId: number | null }[],
): Promise<SourceNames> {
  const run = runOn(pool);
  const named = async (sql: string, ids: readonly number[]): Promise<Map<number, string>> => {
    const rows = ids.length === 0 ? [] : await run(sql, [ids, userId]);
    return new Map(rows.map(({ id, name }) => [Number(id), String(name)]));
  };
  const sensorIds = idsOf(deliveries.map(({ sensorId }) => sensorId));
  const triggerIds = idsOf(deliveries.map(({ triggerId }) => triggerId));
  const [viewers, triggers] = await Promise.all([
    readSensorViewers(run, sensorIds, [userId]),
    named('SELECT id, name FROM triggers WHERE id IN (?) AND owner_id = ?', triggerIds),
  ]);
  const visible = sensorIds.filter((id) => viewers.has(`${id} ${userId}`));
  return { sensors: await named('SELECT id, name FROM sensors WHERE id IN (?)', visible), triggers };
}

function idsOf(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids.filter((id) => id !== null))];
}
