import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { computedChecks, INVARIANTS } from '../container/checks';
import type { Clock } from '../platform/clock';
import type { Invariant } from '../storage/invariant';

const DAY_MS = 86_400_000;
/** History is purged in steps, so rows of this age may or may not exist. */
const PURGE_MARGIN_MS = DAY_MS;
const EXAMPLES = 5;
/** Maximum that is counted. */
const COUNTED = 100_000;

export interface Verified {
  name: string;
  wrong: string;
  /** At most 100,000. */
  violations: number;
  examples: number[];
}

/** Checks one snapshot, while the platform runs or after a restore. */
export class Verification {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly historyRetentionDays: number,
  ) {}

  /** Checks foreign keys as well, which MySQL does not check while a backup is loaded. */
  async run(): Promise<Verified[]> {
    const connection = await this.pool.getConnection();
    try {
      // Applies to the next transaction only.
      await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
      const results: Verified[] = [];
      for (const invariant of [...INVARIANTS, ...(await foreignKeys(connection))]) {
        results.push(await this.check(connection, invariant));
      }
      results.push(await checkChunks(connection), await checkFleets(connection, this.clock.now()));
      return results;
    } finally {
      await connection.query('ROLLBACK').then(
        () => connection.release(),
        () => connection.destroy(),
      );
    }
  }

  private async check(connection: PoolConnection, { name, wrong, sql }: Invariant): Promise<Verified> {
    const keptMs = this.historyRetentionDays * DAY_MS - PURGE_MARGIN_MS;
    const historyMs = this.historyRetentionDays === 0 ? 0 : this.clock.now() - keptMs;
    const found = `(${sql.replaceAll(':history', String(historyMs))} LIMIT ${COUNTED})`;
    const [counts] = await connection.query<RowDataPacket[]>(`SELECT COUNT(*) AS count FROM ${found} found`);
    const violations = Number(counts[0]?.count ?? 0);
    if (violations === 0) return { name, wrong, violations, examples: [] };
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT id FROM ${found} found LIMIT ${EXAMPLES}`);
    return { name, wrong, violations, examples: rows.map(({ id }) => Number(id)) };
  }
}

async function checkChunks(connection: PoolConnection): Promise<Verified> {
  const damaged: number[] = [];
  for await (const { sensorId } of computedChecks.findDamagedChunks(connection)) damaged.push(sensorId);
  return {
    name: 'chunks-are-whole',
    wrong: 'the points in a chunk of the sensor cannot be read, or do not agree with its head',
    violations: damaged.length,
    examples: damaged.slice(0, EXAMPLES),
  };
}

async function checkFleets(connection: PoolConnection, nowMs: number): Promise<Verified> {
  const wrong: number[] = [];
  for await (const id of computedChecks.findWrongFleets(connection, nowMs)) wrong.push(id);
  return {
    name: 'fleets-are-exact',
    wrong: 'the summary of the fleet differs from one that is counted from the stored points of its sensors',
    violations: wrong.length,
    examples: wrong.slice(0, EXAMPLES),
  };
}

async function foreignKeys(connection: PoolConnection): Promise<Invariant[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT constraint_name AS name, table_name AS child, column_name AS childColumn, referenced_table_name AS parent,
            referenced_column_name AS parentColumn
     FROM information_schema.key_column_usage WHERE table_schema = DATABASE() AND referenced_table_name IS NOT NULL
     ORDER BY table_name, constraint_name, ordinal_position`,
  );
  const keys = new Map<string, RowDataPacket[]>();
  for (const row of rows) keys.set(String(row.name), [...(keys.get(String(row.name)) ?? []), row]);
  return [...keys].map(([name, columns]) => parentExists(name, columns));
}

function parentExists(name: string, columns: readonly RowDataPacket[]): Invariant {
  const [first] = columns;
  const on = columns.map((each) => `p.${each.parentColumn} = c.${each.childColumn}`).join(' AND ');
  const given = columns.map((each) => `c.${each.childColumn} IS NOT NULL`).join(' AND ');
  return {
    name,
    wrong: `${first?.childColumn} of ${first?.child} names a row of ${first?.parent} that does not exist`,
    sql: `SELECT c.${first?.childColumn} AS id FROM ${first?.child} c LEFT JOIN ${first?.parent} p ON ${on}
          WHERE ${given} AND p.${first?.parentColumn} IS NULL`,
  };
}
