import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import { TooMany } from '../platform/errors';
import { inPoolTransaction } from './transaction';

export interface Allowance {
  kind: string;
  subject: string;
  limit: number;
  windowMs: number;
}

export interface UsedUp {
  allowance: Allowance;
  untilMs: number;
}

/** The refusal of a use, with the time until the next one. */
export function usedUpError(message: string, { untilMs }: UsedUp, nowMs: number): TooMany {
  return new TooMany(message, Math.max(1, Math.ceil((untilMs - nowMs) / 1000)));
}

interface Use {
  startedMs: number;
  used: number;
}

/** Charges all or none: returns the allowance that is used up for longest, or null. Counts across all processes. */
export function chargeUse(pool: Pool, allowances: readonly Allowance[], nowMs: number): Promise<UsedUp | null> {
  if (allowances.length === 0) return Promise.resolve(null);
  // All lock in one order, so that no two wait for each other.
  const ordered = [...allowances].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return inPoolTransaction(pool, async (connection) => {
    // Rows exist before they are locked, so that two processes cannot both find none.
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

/** The one used up for longest, or null. Charges nothing. */
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

function present(allowance: Allowance, uses: ReadonlyMap<string, Use>, nowMs: number): Use {
  const use = uses.get(keyOf(allowance));
  return use && nowMs < use.startedMs + allowance.windowMs ? use : { startedMs: nowMs, used: 0 };
}

function keyOf({ kind, subject }: Pick<Allowance, 'kind' | 'subject'>): string {
  return `${kind} ${subject}`;
}
