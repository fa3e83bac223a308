import { createHash } from 'node:crypto';

/** A chain of records: of an account, or of a group. */
export type Chain = `account:${number}` | `group:${number}`;

/** `visitor` is a request without a credential: a sign-in, or a link of a mail. */
export type ActorKind = 'session' | 'key' | 'application' | 'operator' | 'visitor';

export interface AuditEntry {
  who: number | null;
  byKind: ActorKind;
  byId: number | null;
  byName: string | null;
  ruleSet: string | null;
  address: string | null;
  action: string;
  /** The status of the answer; null if it was done. */
  refused: number | null;
  times: number;
  subjectKind: string | null;
  subjectId: number | null;
  subjectName: string | null;
  /** JSON: each field with its values before and after. */
  changed: string;
}

export interface AuditRecord extends AuditEntry {
  chain: string;
  sequence: number;
  dateMs: number;
  /** The hash of the record before; of the first one `FIRST_HASH`. */
  previous: string;
  hash: string;
}

export const FIRST_HASH = '0'.repeat(64);

/** Every column except the hashes, in an order that never changes. */
export const HASHED = [
  'chain',
  'sequence',
  'dateMs',
  'who',
  'byKind',
  'byId',
  'byName',
  'ruleSet',
  'address',
  'action',
  'refused',
  'times',
  'subjectKind',
  'subjectId',
  'subjectName',
  'changed',
] as const satisfies readonly (keyof AuditRecord)[];

export function hashOf(record: Omit<AuditRecord, 'hash'>): string {
  const content = JSON.stringify(HASHED.map((field) => record[field]));
  return createHash('sha256').update(`${record.previous}\n${content}`).digest('hex');
}

export interface Head {
  sequence: number;
  /** The sequence of the oldest record that retention left. */
  firstKept: number;
  dateMs: number;
  hash: string;
}

export const NO_HEAD: Head = { sequence: 0, firstKept: 1, dateMs: 0, hash: FIRST_HASH };

/** The records that follow a head. Dates never go back in a chain. */
export function follow(chain: string, head: Head, entries: readonly AuditEntry[], nowMs: number): AuditRecord[] {
  const dateMs = Math.max(nowMs, head.dateMs);
  let previous = head.hash;
  return entries.map((entry, index) => {
    const record = { ...entry, chain, sequence: head.sequence + 1 + index, dateMs, previous };
    const hash = hashOf(record);
    previous = hash;
    return { ...record, hash };
  });
}
