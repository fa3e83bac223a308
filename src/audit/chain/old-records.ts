import type { Pool } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import { inPoolTransaction, type RunSql, runOn } from '../../storage/transaction';
import { lockHead } from './chain-writer';
import type { Chain } from './record';

const RECORDS_PER_STEP = 1_000;
const DAY_MS = 86_400_000;

/** Deletes what is older, for the purge; nothing if that is kept for 0 days. A step takes records of one chain. */
export function oldAuditTasks(pool: Pool, clock: Clock, retentionDays: number) {
  if (retentionDays === 0) return [];
  const beforeMs = () => clock.now() - retentionDays * DAY_MS;
  const task = {
    name: 'old-audit',
    isIdle: async () => !(await hasOldRecords(pool, beforeMs())),
    step: async () => {
      const deleted = await removeOldRecords(pool, beforeMs());
      return { deleted, position: 0, isDone: deleted === 0 };
    },
  };
  return [task];
}

/** Returns the number of deleted records: 0 if no chain has an older one. */
async function removeOldRecords(pool: Pool, beforeMs: number): Promise<number> {
  const [oldest] = await runOn(pool)('SELECT chain FROM audit_records WHERE date_ms < ? LIMIT 1', [beforeMs]);
  if (!oldest) return 0;
  const { chain } = oldest;
  return inPoolTransaction(pool, async (connection) => {
    const run = runOn(connection);
    await lockHead(run, String(chain));
    // Dates never go back in a chain, so these are its first records.
    const old = await run(
      'SELECT sequence FROM audit_records WHERE chain = ? AND date_ms < ? ORDER BY sequence LIMIT ?',
      [chain, beforeMs, RECORDS_PER_STEP],
    );
    const last = old.at(-1)?.sequence;
    if (last === undefined) return 0;
    await run('DELETE FROM audit_records WHERE chain = ? AND sequence <= ?', [chain, last]);
    await run('UPDATE audit_heads SET first_kept = ? WHERE chain = ?', [Number(last) + 1, chain]);
    return old.length;
  });
}

async function hasOldRecords(pool: Pool, beforeMs: number): Promise<boolean> {
  return (await runOn(pool)('SELECT 1 FROM audit_records WHERE date_ms < ? LIMIT 1', [beforeMs])).length > 0;
}

/** Deletes some records of an account. Returns true if there may be more. */
export async function removeHistory(accountId: number, { run }: { run: RunSql }): Promise<boolean> {
  const chain: Chain = `account:${accountId}`;
  await lockHead(run, chain);
  const sql = 'SELECT sequence FROM audit_records WHERE chain = ? ORDER BY sequence LIMIT ?';
  const some = await run(sql, [chain, RECORDS_PER_STEP]);
  const last = some.at(-1)?.sequence;
  if (last !== undefined) await run('DELETE FROM audit_records WHERE chain = ? AND sequence <= ?', [chain, last]);
  if (some.length === RECORDS_PER_STEP) return true;
  await run('DELETE FROM audit_heads WHERE chain = ?', [chain]);
  return false;
}
