import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { inPoolTransaction } from '../storage/transaction';

type Connection = Pick<Pool, 'query'>;

/** The versions that a pass gave to its partitions, of which there are so many in all. */
export interface PassEpochs {
  versions: ReadonlyMap<number, number>;
  partitionCount: number;
}

/** Another number of partitions counts than the one this process went by. */
export class LayoutChanged extends Error {}

/**
 * How many partitions there are, as this process knows it. What counts is the number in the rows of the partitions: a pass
 * of a process that goes by another one is refused, and an upload of one ends up in a partition from which it is moved.
 */
export class PartitionLayout {
  constructor(private known: number) {}

  get count(): number {
    return this.known;
  }

  /** Learns the number that counts; cheap enough to be asked all the time. */
  async refresh(connection: Connection): Promise<void> {
    const [rows] = await connection.query<RowDataPacket[]>(
      'SELECT partition_count AS partitionCount FROM partitions WHERE partition_no = 0',
    );
    this.learn(Number(rows[0]?.partitionCount ?? 0));
  }

  /** Goes by this number from now on, unless there is none yet (0). */
  learn(count: number): void {
    if (count > 0) this.known = count;
  }

  /** After a refused pass: reads the current number of partitions. Where that is the known one, rows of partitions are missing; they are added. */
  async follow(pool: Pool): Promise<void> {
    const refused = this.known;
    await this.refresh(pool);
    if (this.known === refused) await this.change(pool, refused);
  }

  /**
   * Makes this the number that counts. It writes the row of every partition, of the former number and of the new one: so it
   * waits for the passes that go by the former, and none of these can begin or commit after it.
   */
  async change(pool: Pool, count: number): Promise<void> {
    await inPoolTransaction(pool, async (connection) => {
      if (await isInForce(connection, count)) return; // perhaps by a process that has just been faster
      await write(connection, [0], count); // one change at a time
      const [rows] = await connection.query<RowDataPacket[]>('SELECT partition_no AS partitionNo FROM partitions');
      const end = rows.reduce((most, { partitionNo }) => Math.max(most, Number(partitionNo) + 1), count);
      await write(connection, numbersBelow(end), count);
    });
    this.known = count;
  }
}

/**
 * Locks partitions for this transaction; other passes of them wait, and so do changes of what passes remember. It is a write,
 * because some clusters lock rows on one server only: there the second of two passes is refused when it commits, and so is one
 * of a pass and a change of the number. Returns the versions of the partitions, each one more than before. LayoutChanged when
 * another number than this counts.
 */
export async function lockPartitions(
  connection: PoolConnection,
  partitions: readonly number[],
  partitionCount: number,
): Promise<Map<number, number>> {
  const counting = connection.query<ResultSetHeader>(
    // In the order of the primary key, so that two passes never wait for each other.
    `UPDATE partitions SET version = version + 1 WHERE partition_no IN (?) AND partition_count = ?`,
    [partitions, partitionCount],
  );
  const reading = connection.query<RowDataPacket[]>(
    'SELECT partition_no AS partitionNo, version FROM partitions WHERE partition_no IN (?)',
    [partitions],
  );
  const [[{ affectedRows }], [rows]] = await Promise.all([counting, reading]);
  // Rows that are missing belong to a number that has never counted.
  if (affectedRows !== partitions.length) throw new LayoutChanged(`there are not ${partitionCount} partitions`);
  return new Map(rows.map(({ partitionNo, version }) => [Number(partitionNo), Number(version)]));
}

async function isInForce(connection: PoolConnection, count: number): Promise<boolean> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT partition_no AS partitionNo, partition_count AS partitionCount FROM partitions',
  );
  return rows.length >= count && rows.every(({ partitionCount }) => Number(partitionCount) === count);
}

async function write(connection: PoolConnection, partitions: readonly number[], count: number): Promise<void> {
  await connection.query(
    `INSERT INTO partitions (partition_no, partition_count, version) VALUES ?
     ON DUPLICATE KEY UPDATE partition_count = VALUES(partition_count), version = version + 1, changes = changes + 1`,
    [partitions.map((partition) => [partition, count, 1])],
  );
}

function numbersBelow(end: number): number[] {
  return Array.from({ length: end }, (_, index) => index);
}
