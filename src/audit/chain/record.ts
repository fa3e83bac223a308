import { createHash } from 'node:crypto';

export type Chain = `account:${number}` | `group:${number}`;

/**
 * `visitor` has no credential: a sign-in, or a link of a mail. `mqtt_source` makes sensors. `platform` goes on with the
 * deletion of an account.
 */
export type ActorKind = 'session' | 'key' | 'application' | 'mqtt_source' | 'operator' | 'visitor' | 'platform';

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
  /** JSON. */
  changed: string;
}

export interface AuditRecord extends AuditEntry {
  chain: string;
  sequence: number;
  dateMs: number;
  previous: string;
  hash: string;
}

export const FIRST_HASH = '0'.repeat(64);

/** In an order that never changes. */
export const ENTRY_FIELDS = [
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
] as const satisfies readonly (keyof AuditEntry)[];

/** What is hashed, without sequence, comma and date in its middle. */
export function hashedText(chain: string, entry: AuditEntry): [before: string, after: string] {
  const content = JSON.stringify(ENTRY_FIELDS.map((field) => entry[field]));
  return [`[${JSON.stringify(chain)},`, `,${content.slice(1)}`];
}

export function hashOf(record: Omit<AuditRecord, 'hash'>): string {
  const { chain, sequence, dateMs, previous } = record;
  const [before, after] = hashedText(chain, record);
  return createHash('sha256').update(`${previous}\n${before}${sequence},${dateMs}${after}`).digest('hex');
}

export interface Head {
  sequence: number;
  firstKept: number;
  dateMs: number;
  hash: string;
}

export const NO_HEAD: Head = { sequence: 0, firstKept: 1, dateMs: 0, hash: FIRST_HASH };
