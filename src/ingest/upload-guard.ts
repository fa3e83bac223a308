import type { PoolConnection } from 'mysql2/promise';
import { AWAITED, type Changes } from './upload-targets';

/** The row of a credential; only those of sessions and keys are remembered. */
export interface CredentialRow {
  kind: string;
  id: number;
}

/** What an upload goes by without having looked. */
export interface Assumptions {
  /** As of which changes of the partitions its sensors are remembered, with no event notification that waits for uploads. */
  changes?: Changes;
  /** Credentials that were remembered. */
  credentials: readonly CredentialRow[];
}

/** Adding anything to it is an error, in every mode of MySQL. */
const LARGEST = '18446744073709551615';
/** How many still count of those that were remembered: keys while they have neither an end nor sensors. */
const COUNTS: Readonly<Record<string, string>> = {
  session: '(SELECT COUNT(*) FROM sessions WHERE id IN (?))',
  key: `(SELECT COUNT(*) FROM api_keys k JOIN users u ON u.id = k.owner_id
         WHERE k.id IN (?) AND k.expires_ms IS NULL AND k.sensors IS NULL AND u.closed_ms IS NULL)`,
};

/**
 * Fails with `ER_DATA_OUT_OF_RANGE` unless all of this still holds; then nothing after it in the transaction runs. So an upload that remembers
 * all it needs goes to MySQL in one packet, with its commit, and is as exact as if it had looked first.
 */
export function requireUnchanged(connection: PoolConnection, { changes, credentials }: Assumptions): Promise<unknown> {
  const wrong: string[] = [];
  const values: unknown[] = [];
  if (changes) {
    wrong.push('partition_count <> ?', 'changes <> ELT(partition_no + 1, ?)', AWAITED);
    values.push(
      changes.size,
      [...changes].sort(([a], [b]) => a - b).map(([, count]) => count),
    );
  }
  for (const kind of new Set(credentials.map((credential) => credential.kind))) {
    const ids = new Set(credentials.filter((credential) => credential.kind === kind).map(({ id }) => id));
    const count = COUNTS[kind];
    if (count === undefined) throw new Error(`whether a remembered ${kind} still counts is not known`);
    wrong.push(`${count} <> ?`);
    values.push([...ids], ids.size);
  }
  return connection.query(
    `SELECT ${LARGEST} + partition_count FROM partitions WHERE partition_no < partition_count AND (${wrong.join(' OR ')})`,
    values,
  );
}
