import { type AuditRecord, FIRST_HASH, type Head, hashOf } from './record';

export interface BrokenRecord {
  sequence: number;
  problem: 'changed' | 'missing' | 'unexpected' | 'does not follow the one before' | 'head differs';
}

/** Checks the records of one chain in their order, page by page. */
export class ChainCheck {
  /** Undefined as long as nothing is broken. */
  broken: BrokenRecord | undefined;
  count = 0;
  private next: number;
  private hash: string | undefined;
  private dateMs = 0;

  constructor(private readonly head: Head) {
    this.next = head.firstKept;
    if (head.firstKept === 1) this.hash = FIRST_HASH;
  }

  add(records: readonly AuditRecord[]): void {
    for (const record of records) {
      this.broken ??= this.problemOf(record);
      if (this.broken) return;
      this.count += 1;
      this.next = record.sequence + 1;
      this.hash = record.hash;
      this.dateMs = record.dateMs;
    }
  }

  /** After the last record. */
  end(): BrokenRecord | undefined {
    const { next, head } = this;
    if (!this.broken && next <= head.sequence) this.broken = { sequence: next, problem: 'missing' };
    // Without a record that is kept, nothing shows the hash of the last one.
    if (!this.broken && this.hash !== undefined && this.hash !== head.hash)
      this.broken = { sequence: head.sequence, problem: 'head differs' };
    return this.broken;
  }

  private problemOf(record: AuditRecord): BrokenRecord | undefined {
    const { sequence } = record;
    if (sequence > this.next) return { sequence: this.next, problem: 'missing' };
    if (sequence < this.next || sequence > this.head.sequence) return { sequence, problem: 'unexpected' };
    if (hashOf(record) !== record.hash) return { sequence, problem: 'changed' };
    const follows = this.hash === undefined || record.previous === this.hash;
    if (!follows || record.dateMs < this.dateMs) return { sequence, problem: 'does not follow the one before' };
    return undefined;
  }
}
