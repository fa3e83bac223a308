import { partsOf } from '../../platform/parts-of';
import type { RunSql } from '../../storage/transaction';
import {
  type AuditEntry,
  type AuditRecord,
  type Chain,
  ENTRY_FIELDS,
  FIRST_HASH,
  type Head,
  hashedText,
  hashOf,
  NO_HEAD,
} from './record';

/** In the order of `ENTRY_FIELDS`. */
const ENTRY_COLUMNS =
  'who, by_kind, by_id, by_name, rule_set, address, action, refused, times, subject_kind, subject_id, subject_name, changed';

export const SELECT_RECORDS = `SELECT chain, sequence, date_ms AS dateMs, who, by_kind AS byKind, by_id AS byId,
  by_name AS byName, rule_set AS ruleSet, address, action, refused, times, subject_kind AS subjectKind,
  subject_id AS subjectId, subject_name AS subjectName, changed, previous, hash FROM audit_records`;

const SELECT_HEAD = `SELECT sequence, first_kept AS firstKept, date_ms AS dateMs, hash FROM audit_heads WHERE chain = ?`;

// MySQL assigns from left to right, and hashes as `hashOf` does: so the head is read, locked and moved at once.
const MOVE_HEAD = `INSERT INTO audit_heads (chain, sequence, first_kept, date_ms, previous, hash) VALUES (?, 1, 1, ?, ?, ?)
  ON DUPLICATE KEY UPDATE previous = hash, sequence = sequence + 1, date_ms = GREATEST(date_ms, VALUES(date_ms)),
    hash = SHA2(CONCAT(CONVERT(previous USING utf8mb4), ?, sequence, ',', date_ms, ?), 256)`;

const INSERT_RECORD = `INSERT INTO audit_records (${ENTRY_COLUMNS}, chain, sequence, date_ms, previous, hash)
  SELECT ?, chain, sequence, date_ms, previous, hash FROM audit_heads WHERE chain = ?`;

const INSERT_RECORDS = `INSERT INTO audit_records (${ENTRY_COLUMNS}, chain, sequence, date_ms, previous, hash) VALUES ?`;

const RECORDS_PER_STATEMENT = 200;

/** Comes last in a transaction: the next one of the chain waits for its commit. Dates never go back in a chain. */
export async function append(run: RunSql, chain: Chain, entries: readonly AuditEntry[], nowMs: number): Promise<void> {
  const [first, ...others] = entries;
  if (!first) return;
  const [before, after] = hashedText(chain, first);
  const hash = hashOf({ ...first, chain, sequence: 1, dateMs: nowMs, previous: FIRST_HASH });
  await run(MOVE_HEAD, [chain, nowMs, FIRST_HASH, hash, `\n${before}`, after]);
  await run(INSERT_RECORD, [ENTRY_FIELDS.map((field) => first[field]), chain]);
  if (others.length > 0) await appendOthers(run, chain, others);
}

/** The transaction has locked the head. Three statements, however many records. */
async function appendOthers(run: RunSql, chain: Chain, entries: readonly AuditEntry[]): Promise<void> {
  const { sequence: before, dateMs, hash: start } = await readHead(run, chain);
  let previous = start;
  const rows = entries.map((entry, index) => {
    const record = { ...entry, chain, sequence: before + 1 + index, dateMs, previous };
    const hash = hashOf(record);
    const row = [...ENTRY_FIELDS.map((field) => entry[field]), chain, record.sequence, dateMs, previous, hash];
    previous = hash;
    return row;
  });
  for (const some of partsOf(rows, RECORDS_PER_STATEMENT)) await run(INSERT_RECORDS, [some]);
  await run('UPDATE audit_heads SET sequence = ?, previous = ?, hash = ? WHERE chain = ?', [
    before + entries.length,
    rows.at(-1)?.at(-2),
    previous,
    chain,
  ]);
}

export async function readHead(run: RunSql, chain: string): Promise<Head> {
  const [row] = await run(SELECT_HEAD, [chain]);
  if (!row) return NO_HEAD;
  const { sequence, firstKept, dateMs, hash } = row;
  return { sequence: Number(sequence), firstKept: Number(firstKept), dateMs: Number(dateMs), hash: String(hash) };
}

/** Nothing is appended to the chain until the end of the transaction. */
export async function lockHead(run: RunSql, chain: string): Promise<void> {
  await run(`${SELECT_HEAD} FOR UPDATE`, [chain]);
}

const NUMBERS = ['who', 'byId', 'refused', 'subjectId'] as const;

export function toRecord(row: Readonly<Record<string, unknown>>): AuditRecord {
  const numbers = NUMBERS.map((name) => [name, row[name] === null ? null : Number(row[name])]);
  const { sequence, dateMs, times } = row;
  const counts = { sequence: Number(sequence), dateMs: Number(dateMs), times: Number(times) };
  return { ...row, ...counts, ...Object.fromEntries(numbers) } as AuditRecord; // the columns have these types
}
