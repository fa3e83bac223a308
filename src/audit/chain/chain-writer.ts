import { partsOf } from '../../platform/parts-of';
import type { RunSql } from '../../storage/transaction';
import { type AuditEntry, type AuditRecord, type Chain, follow, HASHED, type Head, NO_HEAD } from './record';

const RECORDS_PER_STATEMENT = 200;

/** The columns in the order of `HASHED`, then the hashes. */
const COLUMNS =
  'chain, sequence, date_ms, who, by_kind, by_id, by_name, rule_set, address, action, refused, times, subject_kind, ' +
  'subject_id, subject_name, changed, previous, hash';

export const SELECT_RECORDS = `SELECT chain, sequence, date_ms AS dateMs, who, by_kind AS byKind, by_id AS byId,
  by_name AS byName, rule_set AS ruleSet, address, action, refused, times, subject_kind AS subjectKind,
  subject_id AS subjectId, subject_name AS subjectName, changed, previous, hash FROM audit_records`;

const SELECT_HEAD = `SELECT sequence, first_kept AS firstKept, date_ms AS dateMs, hash FROM audit_heads WHERE chain = ?`;

/** Comes last in a transaction: the next one of the chain waits for its commit. */
export async function append(run: RunSql, chain: Chain, entries: readonly AuditEntry[], nowMs: number): Promise<void> {
  const head = await lockHead(run, chain);
  const records = follow(chain, head, entries, nowMs);
  const last = records.at(-1);
  if (!last) return;
  await Promise.all([
    ...partsOf(records, RECORDS_PER_STATEMENT).map((some) =>
      run(`INSERT INTO audit_records (${COLUMNS}) VALUES ?`, [some.map(valuesOf)]),
    ),
    run('UPDATE audit_heads SET sequence = ?, date_ms = ?, hash = ? WHERE chain = ?', [
      last.sequence,
      last.dateMs,
      last.hash,
      chain,
    ]),
  ]);
}

export async function readHead(run: RunSql, chain: string): Promise<Head> {
  const [row] = await run(SELECT_HEAD, [chain]);
  return row ? toHead(row) : NO_HEAD;
}

export async function lockHead(run: RunSql, chain: string): Promise<Head> {
  const [row] = await run(`${SELECT_HEAD} FOR UPDATE`, [chain]);
  if (row) return toHead(row);
  const { sequence, firstKept, dateMs, hash } = NO_HEAD;
  await run('INSERT IGNORE INTO audit_heads (chain, sequence, first_kept, date_ms, hash) VALUES (?, ?, ?, ?, ?)', [
    ...[chain, sequence, firstKept, dateMs, hash],
  ]);
  const [made] = await run(`${SELECT_HEAD} FOR UPDATE`, [chain]);
  return made ? toHead(made) : NO_HEAD;
}

function toHead({ sequence, firstKept, dateMs, hash }: Readonly<Record<string, unknown>>): Head {
  return { sequence: Number(sequence), firstKept: Number(firstKept), dateMs: Number(dateMs), hash: String(hash) };
}

function valuesOf(record: AuditRecord): unknown[] {
  return [...HASHED.map((field) => record[field]), record.previous, record.hash];
}

const NUMBERS = ['who', 'byId', 'refused', 'subjectId'] as const;

/** Reads a row of `SELECT_RECORDS`. */
export function toRecord(row: Readonly<Record<string, unknown>>): AuditRecord {
  const numbers = NUMBERS.map((name) => [name, row[name] === null ? null : Number(row[name])]);
  const { sequence, dateMs, times } = row;
  const counts = { sequence: Number(sequence), dateMs: Number(dateMs), times: Number(times) };
  return { ...row, ...counts, ...Object.fromEntries(numbers) } as AuditRecord; // the columns have these types
}
