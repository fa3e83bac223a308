import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { inPoolTransaction } from './transaction';

/** Maximum number of uses by one subject in a time window, which begins with the first use. */
export interface Allowance {
  kind: string;
  /** The id, or the hash of an address, that the allowance belongs to. */
  subject: string;
  limit: number;
  windowMs: number;
}

/** An allowance that is used up, and until when. */
export interface UsedUp {
  allowance: Allowance;
  untilMs: number;
}

interface Use {
  startedMs: number;
  used: number;
}

/**
 * Charges one use to each of these allowances, or to none if one of them is used up. Returns null if it was charged,
 * otherwise the allowance that is used up for the longest time. The counts are rows, so they hold across all processes.
 */
export function chargeUse(pool: Pool, allowances: readonly Allowance[], nowMs: number): Promise<UsedUp | null> {
  if (allowances.length === 0) return Promise.resolve(null);
  // All lock in the same order, so that no two wait for each other.
  const ordered = [...allowances].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return inPoolTransaction(pool, async (connection) => {
    // The rows exist before they are locked, so that two processes cannot both find none.
    await connection.query(
      'INSERT INTO usage_counts (kind, subject, started_ms, used) VALUES ? ON DUPLICATE KEY UPDATE used = used',
      [ordered.map(({ kind, subject }) => [kind, subject, nowMs, 0])],
    );
    const uses = await readUses(connection, ordered, ' FOR UPDATE');
    const found = usedUp(ordered, uses, nowMs);
    if (found !== null) return found;
    const rows = ordered.map((allowance) => {
      const { startedMs, used } = present(allowance, uses, nowMs);
      return [allowance.kind, allowance.subject, startedMs, used + 1];
    });
    await connection.query(
      `INSERT INTO usage_counts (kind, subject, started_ms, used) VALUES ?
       ON DUPLICATE KEY UPDATE started_ms = VALUES(started_ms), used = VALUES(used)`,
      [rows],
    );
    return null;
  });
}

/** The one of these allowances that is used up for the longest time, or null if none is. Charges nothing. */
export async function findUsedUp(pool: Pool, allowances: readonly Allowance[], nowMs: number): Promise<UsedUp | null> {
  if (allowances.length === 0) return null;
  return usedUp(allowances, await readUses(pool, allowances), nowMs);
}

async function readUses(
  connection: Pick<PoolConnection, 'query'>,
  allowances: readonly Allowance[],
  lock = '',
): Promise<Map<string, Use>> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT kind, subject, started_ms AS startedMs, used FROM usage_counts
     WHERE (kind, subject) IN (?) ORDER BY kind, subject${lock}`,
    [allowances.map(({ kind, subject }) => [kind, subject])],
  );
  return new Map(
    rows.map(({ kind, subject, startedMs, used }) => [
      keyOf({ kind, subject }),
      { startedMs: Number(startedMs), used: Number(used) },
    ]),
  );
}

function usedUp(allowances: readonly Allowance[], uses: ReadonlyMap<string, Use>, nowMs: number): UsedUp | null {
  const found = allowances.flatMap((allowance) => {
    const { startedMs, used } = present(allowance, uses, nowMs);
    return used >= allowance.limit ? [{ allowance, untilMs: startedMs + allowance.windowMs }] : [];
  });
  return found.sort((a, b) => b.untilMs - a.untilMs)[0] ?? null;
}

/** The use of the current window. */
function present(allowance: Allowance, uses: ReadonlyMap<string, Use>, nowMs: number): Use {
  const use = uses.get(keyOf(allowance));
  return use && nowMs < use.startedMs + allowance.windowMs ? use : { startedMs: nowMs, used: 0 };
}

function keyOf({ kind, subject }: Pick<Allowance, 'kind' | 'subject'>): string {
  return `${kind} ${subject}`;
}
