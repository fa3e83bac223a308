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
    const partitions = new Set<number>();
    let [isStreamed, seen] = [false, known];
    for (;;) {
      if (areSame(seen.changes, await readChanges(this.pool))) return { partitionsToWake: partitions, isStreamed };
      const { listening, added } = await this.add(stored, seen, partitionCount);
      for (const partition of added.partitionsToWake) partitions.add(partition);
      isStreamed ||= added.isStreamed;
      seen = listening;
    }
  }

  private add(stored: StoredPoints, seen: Listening, partitionCount: number) {
    return inPoolTransaction(this.pool, async (connection) => {
      const changes = await readChanges(connection);
      const ids = [...new Set(stored.batches.map(({ sensorId }) => sensorId))];
      const targets = await lockTargets(connection, ids);
      await deleteOrphans(
        connection,
        ids.filter((id) => !targets.has(id)),
      );
      const now = await readListening(connection, [...targets.keys()]);
      const idsOf = (is: 'evaluated' | 'streamed') => new Set([...now].flatMap(([id, one]) => (one[is] ? [id] : [])));
      const [evaluated, streamed] = [idsOf('evaluated'), idsOf('streamed')];
      const missed = {
        sensorIds: without(evaluated, seen.sensorIds),
        streamedIds: without(streamed, seen.streamedIds),
      };
      const added = await writeListened(connection, { ...stored, targets }, missed, partitionCount);
      const listening = { ...seen, changes, sensorIds: evaluated, streamedIds: streamed };
      return { listening, added };
    });
  }
}

/** Points of sensors that were deleted at the same moment: the purge has looked for them already. Ids are never used again. */
async function deleteOrphans(connection: PoolConnection, sensorIds: readonly number[]): Promise<void> {
  if (sensorIds.length > 0) await connection.query('DELETE FROM data_points WHERE sensor_id IN (?)', [sensorIds]);
}

function without(ids: ReadonlySet<number>, known: ReadonlySet<number>): Set<number> {
  return new Set([...ids].filter((id) => !known.has(id)));
}

function areSame(a: Changes, b: Changes): boolean {
  return a.size === b.size && [...a].every(([partition, changes]) => b.get(partition) === changes);
}

/** Whether this is a node of a Galera cluster. */
export async function locksOnOneServer(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const [rows] = await pool.query<RowDataPacket[]>("SHOW VARIABLES LIKE 'wsrep_on'");
  return rows[0]?.Value === 'ON';
}
