import type { PoolConnection } from 'mysql2/promise';
import type { UploadEpochs } from './upload-targets';

export interface CachedCredential {
  kind: string;
  id: number;
  sensors?: ReadonlySet<number>;
  expiresMs?: number;
}

export interface Preconditions {
  /** Epochs of the partitions of cached sensors. They also cover that no event notification waits for uploads. */
  epochs?: UploadEpochs;
  credentials: readonly CachedCredential[];
}

/** Adding to it is an error in every mode of MySQL. */
const LARGEST = '18446744073709551615';
/** A valid key has the cached sensors and end, and an enabled account. */
const COUNTS: Readonly<Record<string, string>> = {
  session: `(SELECT COUNT(*) FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id IN (?) AND u.disabled_ms IS NULL)`,
  key: `(SELECT COUNT(*) FROM api_keys k JOIN users u ON u.id = k.owner_id WHERE k.id IN (?) AND u.closed_ms IS NULL
         AND u.disabled_ms IS NULL AND (k.id, COALESCE(k.sensors, ''), COALESCE(k.expires_ms, 0)) IN (?))`,
};

/**
 * Fails with `ER_DATA_OUT_OF_RANGE` unless all preconditions hold; then nothing after it in the transaction runs. So an
 * upload from the cache goes to MySQL in one packet, and is as exact as if it had read first.
 */
export function requirePreconditions(
  connection: PoolConnection,
  { epochs, credentials }: Preconditions,
): Promise<unknown> {
  const wrong: string[] = [];
  const values: unknown[] = [];
  if (epochs) {
    wrong.push('partition_count <> ?', 'upload_epoch <> ELT(partition_no + 1, ?)');
    values.push(
      epochs.size,
      [...epochs].sort(([a], [b]) => a - b).map(([, count]) => count),
    );
  }
  const cached = [...new Set(credentials)]; // requests of one caller share the cached credential
  for (const kind of new Set(cached.map((credential) => credential.kind))) {
    const rows = cached.filter((credential) => credential.kind === kind).map(rowOf);
    // A credential cached in two versions counts as two, and is one row at most: one of them is stale.
    const distinct = [...new Map(rows.map((row) => [String(row), row])).values()];
    const count = COUNTS[kind];
    if (count === undefined) throw new Error(`whether a cached ${kind} is valid is not known`);
    wrong.push(`${count} <> ?`);
    values.push(
      distinct.map(([id]) => id),
      ...(kind === 'key' ? [distinct] : []),
      distinct.length,
    );
  }
  return connection.query(
    `SELECT ${LARGEST} + partition_count FROM partitions WHERE partition_no < partition_count AND (${wrong.join(' OR ')})`,
    values,
  );
}

function rowOf({ id, sensors, expiresMs }: CachedCredential): readonly [number, string, number] {
  return [id, sensors ? JSON.stringify([...sensors]) : '', expiresMs ?? 0];
}
