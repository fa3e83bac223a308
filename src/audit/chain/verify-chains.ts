import type { Pool, RowDataPacket } from 'mysql2/promise';
import { type RunSql, runOn } from '../../storage/transaction';
import { readHead, SELECT_RECORDS, toRecord } from './chain-writer';
import { type BrokenRecord, ChainCheck, type KeptHead } from './verification';

const PAGE = 1_000;

export interface VerifiedChains {
  chains: number;
  records: number;
  broken: ({ chain: string } & BrokenRecord)[];
}

/** Checks every chain, or one, each in a snapshot of its own. */
export async function verifyChains(
  pool: Pool,
  only?: { chain: string; kept: KeptHead | undefined },
): Promise<VerifiedChains> {
  const found: VerifiedChains = { chains: 0, records: 0, broken: [] };
  for await (const chain of only ? [only.chain] : chainsIn(pool)) {
    const { count, broken } = await verifyChain(pool, chain, only?.kept);
    found.chains += 1;
    found.records += count;
    if (broken) found.broken.push({ chain, ...broken });
  }
  return found;
}

async function verifyChain(pool: Pool, chain: string, kept?: KeptHead): Promise<ChainCheck> {
  const connection = await pool.getConnection();
  try {
    await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    return await checkIn(runOn(connection), chain, kept);
  } finally {
    await connection.query('ROLLBACK').then(
      () => connection.release(),
      () => connection.destroy(),
    );
  }
}

async function checkIn(run: RunSql, chain: string, kept?: KeptHead): Promise<ChainCheck> {
  const check = new ChainCheck(await readHead(run, chain), kept);
  for (let after = -1, rows: readonly Record<string, unknown>[] = []; ; after = Number(rows.at(-1)?.sequence)) {
    rows = await run(`${SELECT_RECORDS} WHERE chain = ? AND sequence > ? ORDER BY sequence LIMIT ${PAGE}`, [
      chain,
      after,
    ]);
    check.add(rows.map(toRecord));
    if (rows.length < PAGE || check.broken) break;
  }
  check.end();
  return check;
}

/** Those whose head was deleted as well. */
async function* chainsIn(pool: Pool): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const [[row]] = await pool.query<RowDataPacket[]>(
      `SELECT MIN(chain) AS chain FROM (SELECT MIN(chain) AS chain FROM audit_heads WHERE chain > ?
       UNION ALL SELECT MIN(chain) FROM audit_records WHERE chain > ?) next`,
      [after, after],
    );
    if (!row?.chain) return;
    after = String(row.chain);
    yield after;
  }
}
