import { markNewSensors } from '../../access/own-sensor-counts';
import type { RunSql } from '../../storage/transaction';
import { type SeriesLead, type SeriesNamespace, seriesHash } from '../protocols/series';
import { findSeries } from './series-names';

const NAMES_PER_PAGE = 5_000;

interface Move {
  id: number;
  /** Position of the lead: earlier ones win. */
  rank: number;
}

/**
 * Leads series with their sensors, data and rules, in the caller's transaction. A name with a series keeps it. Locks
 * the user's row.
 */
export async function leadSeries(
  run: RunSql,
  ownerId: number,
  namespace: SeriesNamespace,
  leads: readonly SeriesLead[],
): Promise<void> {
  if (leads.length === 0) return;
  await run('SELECT id FROM users WHERE id = ? FOR UPDATE', [ownerId]);
  const moves = await findMoves(run, ownerId, namespace, leads);
  const hashes = new Map([...moves.keys()].map((name) => [seriesHash({ namespace, name }), name]));
  for (const hash of (await findSeries(run, ownerId, [...hashes.keys()])).keys()) moves.delete(hashes.get(hash) ?? '');
  if (moves.size === 0) return;
  for (const [name, { id }] of moves) {
    await run('UPDATE series SET hash = ?, name = ? WHERE id = ?', [seriesHash({ namespace, name }), name, id]);
  }
  await markNewSensors(run, ownerId);
}

async function findMoves(
  run: RunSql,
  ownerId: number,
  namespace: SeriesNamespace,
  leads: readonly SeriesLead[],
): Promise<Map<string, Move>> {
  const byFrom = new Map<string, { to: string; rank: number }>();
  for (const [rank, { from, to }] of leads.entries()) if (!byFrom.has(from)) byFrom.set(from, { to, rank });
  const longest = Math.max(...[...byFrom.keys()].map(({ length }) => length));
  const moves = new Map<string, Move>();
  for await (const row of rowsOf(run, ownerId)) {
    const lead = row.namespace === namespace ? leadOf(row.name, byFrom, longest) : undefined;
    const known = lead && moves.get(lead.name);
    if (lead && !(known && known.rank <= lead.rank)) moves.set(lead.name, { id: row.id, rank: lead.rank });
  }
  return moves;
}

async function* rowsOf(run: RunSql, ownerId: number) {
  for (let after = ''; ; ) {
    const rows = await run(
      'SELECT id, hash, namespace, name FROM series WHERE owner_id = ? AND hash > ? ORDER BY hash LIMIT ?',
      [ownerId, after, NAMES_PER_PAGE],
    );
    for (const { id, namespace, name } of rows) {
      yield { id: Number(id), namespace: String(namespace), name: String(name) };
    }
    if (rows.length < NAMES_PER_PAGE) return;
    after = String(rows.at(-1)?.hash);
  }
}

/** The longest beginning with a lead counts. Names may have 1,000 levels: no beginning beyond `longest` is looked up. */
function leadOf(name: string, byFrom: ReadonlyMap<string, { to: string; rank: number }>, longest: number) {
  const first = name.length <= longest ? name.length : name.lastIndexOf('/', longest);
  for (let end = first; end > 0; end = name.lastIndexOf('/', end - 1)) {
    const lead = byFrom.get(name.slice(0, end));
    if (lead) return { name: `${lead.to}${name.slice(end)}`, rank: lead.rank };
  }
  return undefined;
}
