import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { inPoolTransaction } from '../database/transaction';
import { lockTargets } from './data-point-rows';
import { type Listened, type StoredPoints, writeListened } from './listened-points';
import { type Changes, type Listening, readChanges, readListening } from './listener-memory';

const NOTHING: Listened = { partitionsToWake: new Set(), isStreamed: false };

/**
 * On a cluster that locks on one server only, a sensor may get a listener, or be deleted, on another server between the moment when
 * an upload looks and its commit. The upload looks again after its commit, before it is answered, and adds what was missed. On any
 * other server the lock on the sensor rules that out, and nothing is looked at.
 *
 * It looks again once. All servers commit in one order, and a read waits for what was committed before it; so the second look sees all
 * that came before the upload in that order. Who comes later began to listen after the upload, and does not get its points; a deletion that
 * comes later finds them itself. And it looks only if something has changed in the partitions of its own sensors.
 */
export class LateListeners {
  private isCluster: Promise<boolean> | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly readIsCluster: (pool: Pool) => Promise<boolean> = locksOnOneServer,
  ) {}

  /** Adds what was missed, and returns what waits for that; `known` is what the upload knew of those who listen. */
  async complete(stored: StoredPoints, known: Listening, partitionCount: number): Promise<Listened> {
    this.isCluster ??= this.readIsCluster(this.pool).catch((error: unknown) => {
      this.isCluster = undefined;
      throw error;
    });
    if (stored.batches.length === 0 || !(await this.isCluster)) return NOTHING;
    const ids = [...new Set(stored.batches.map(({ sensorId }) => sensorId))];
    if (!haveChanged(ids, known.changes, await readChanges(this.pool))) return NOTHING;
    return inPoolTransaction(this.pool, (connection) => add(connection, ids, { stored, known, partitionCount }));
  }
}

interface Upload {
  stored: StoredPoints;
  known: Listening;
  partitionCount: number;
}

async function add(
  connection: PoolConnection,
  ids: readonly number[],
  { stored, known, partitionCount }: Upload,
): Promise<Listened> {
  const targets = await lockTargets(connection, ids);
  await deleteOrphans(
    connection,
    ids.filter((id) => !targets.has(id)),
  );
  const now = await readListening(connection, [...targets.keys()]);
  const idsOf = (is: 'evaluated' | 'streamed') => [...now].flatMap(([id, one]) => (one[is] ? [id] : []));
  const missed = {
    sensorIds: without(idsOf('evaluated'), known.sensorIds),
    streamedIds: without(idsOf('streamed'), known.streamedIds),
  };
  return writeListened(connection, { ...stored, targets }, missed, partitionCount);
}

/** Points of sensors that were deleted at the same moment: the purge has looked for them already. Ids are never used again. */
async function deleteOrphans(connection: PoolConnection, sensorIds: readonly number[]): Promise<void> {
  if (sensorIds.length > 0) await connection.query('DELETE FROM data_points WHERE sensor_id IN (?)', [sensorIds]);
}

function without(ids: readonly number[], known: ReadonlySet<number>): Set<number> {
  return new Set(ids.filter((id) => !known.has(id)));
}

/** Whether the partitions of these sensors have changed, or may have, because their number is another one. */
function haveChanged(ids: readonly number[], before: Changes, now: Changes): boolean {
  return before.size !== now.size || ids.some((id) => before.get(id % before.size) !== now.get(id % now.size));
}

/** Whether this is a node of a Galera cluster. */
export async function locksOnOneServer(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const [rows] = await pool.query<RowDataPacket[]>("SHOW VARIABLES LIKE 'wsrep_on'");
  return rows[0]?.Value === 'ON';
}
