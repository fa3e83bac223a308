import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { inPoolTransaction } from '../../storage/transaction';

type Connection = Pick<Pool, 'query'>;

export interface PassEpochs {
  versions: ReadonlyMap<number, number>;
  partitionCount: number;
}

/** The partition count in MySQL is not the one that this process used. */
export class LayoutChanged extends Error {}

/**
 * The partition count, as far as this process knows. The rows of partitions are authoritative: a pass with another
 * count is refused, and points of such an upload are moved later.
 */
export class PartitionLayout {
  constructor(private known: number) {}

  get count(): number {
    return this.known;
  }

  /** Cheap enough to call often. */
  async refresh(connection: Connection): Promise<void> {
    const [rows] = await connection.query<RowDataPacket[]>(
      'SELECT partition_count AS partitionCount FROM partitions WHERE partition_no = 0',
    );
    this.learn(Number(rows[0]?.partitionCount ?? 0));
  }

  /** Ignores 0: MySQL has no count yet. */
  learn(count: number): void {
    if (count > 0) this.known = count;
  }

  /** Call it after a refused pass. If the count is unchanged, missing rows of partitions are added. */
  async follow(pool: Pool): Promise<void> {
    const refused = this.known;
    await this.refresh(pool);
    if (this.known === refused) await this.change(pool, refused);
  }

  /**
   * Writes the rows of all partitions: so it waits for passes with the former count, and none can begin or commit
   * afterwards.
   */
  async change(pool: Pool, count: number): Promise<void> {
    await inPoolTransaction(pool, async (connection) => {
      if (await isInForce(connection, count)) return; // another process may have been faster
      await write(connection, [0], count); // serialises concurrent changes
      const [rows] = await connection.query<RowDataPacket[]>('SELECT partition_no AS partitionNo FROM partitions');
      const end = rows.reduce((most, { partitionNo }) => Math.max(most, Number(partitionNo) + 1), count);
      await write(connection, numbersBelow(end), count);
    });
    this.known = count;
  }
}

/**
 * Other passes wait, and so do changes of data that passes cache. The lock is a write, because some clusters lock rows
 * on one server only: there the second transaction is refused at its commit. Returns the bumped epochs. Throws
 * LayoutChanged if the count is another one.
 */
export async function lockPartitions(
  connection: PoolConnection,
  partitions: readonly number[],
  partitionCount: number,
): Promise<Map<number, number>> {
  const counting = connection.query<ResultSetHeader>(
    // In the order of the primary key, so that two passes never deadlock.
    `UPDATE partitions SET state_epoch = state_epoch + 1 WHERE partition_no IN (?) AND partition_count = ?`,
    [partitions, partitionCount],
  );
  const reading = connection.query<RowDataPacket[]>(
    'SELECT partition_no AS partitionNo, state_epoch AS epoch FROM partitions WHERE partition_no IN (?)',
    [partitions],
  );
  const [[{ affectedRows }], [rows]] = await Promise.all([counting, reading]);
  // Missing rows belong to a count that has never been in force.
  if (affectedRows !== partitions.length) throw new LayoutChanged(`there are not ${partitionCount} partitions`);
  return new Map(rows.map(({ partitionNo, epoch }) => [Number(partitionNo), Number(epoch)]));
}

async function isInForce(connection: PoolConnection, count: number): Promise<boolean> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT partition_no AS partitionNo, partition_count AS partitionCount FROM partitions',
  );
  return rows.length >= count && rows.every(({ partitionCount }) => Number(partitionCount) === count);
}

async function write(connection: PoolConnection, partitions: readonly number[], count: number): Promise<void> {
  await connection.query(
    `INSERT INTO partitions (partition_no, partition_count, state_epoch) VALUES ?
     ON DUPLICATE KEY UPDATE partition_count = VALUES(partition_count), state_epoch = state_epoch + 1,
       upload_epoch = upload_epoch + 1`,
    [partitions.map((partition) => [partition, count, 1])],
  );
}

function numbersBelow(end: number): number[] {
  return Array.from({ length: end }, (_, index) => index);
}
