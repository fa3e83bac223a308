import { type AuditRecord, FIRST_HASH, type Head, hashOf } from './record';

export interface BrokenRecord {
  sequence: number;
  problem:
    | 'changed'
    | 'missing'
    | 'unexpected'
    | 'does not follow the one before'
    | 'head differs'
    | 'differs from the kept head'
    | 'is no longer kept, so the kept head proves nothing';
}

/** What somebody kept of `GET /audit/head`. */
export type KeptHead = Pick<Head, 'sequence' | 'hash'>;

/** Takes the records of one chain in their order. */
export class ChainCheck {
  /** Undefined as long as nothing is broken. */
  broken: BrokenRecord | undefined;
  count = 0;
  private next: number;
  private hash: string | undefined;
  private dateMs = 0;

  constructor(
    private readonly head: Head,
    private readonly kept?: KeptHead,
  ) {
    this.next = head.firstKept;
    if (head.firstKept === 1) this.hash = FIRST_HASH;
    else if (kept?.sequence === head.firstKept - 1) this.hash = kept.hash;
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
    const { next, head, kept } = this;
    const last = Math.max(head.sequence, kept?.sequence ?? 0);
    if (!this.broken && next <= last) this.broken = { sequence: next, problem: 'missing' };
    // Without a record that is kept, nothing shows the hash of the last one.
    if (!this.broken && this.hash !== undefined && this.hash !== head.hash)
      this.broken = { sequence: head.sequence, problem: 'head differs' };
    if (!this.broken && kept && kept.sequence < head.firstKept - 1)
      this.broken = { sequence: kept.sequence, problem: 'is no longer kept, so the kept head proves nothing' };
    return this.broken;
  }

  private problemOf(record: AuditRecord): BrokenRecord | undefined {
    const { sequence } = record;
    const { kept } = this;
    if (sequence > this.next) return { sequence: this.next, problem: 'missing' };
    if (sequence < this.next || sequence > this.head.sequence) return { sequence, problem: 'unexpected' };
    if (hashOf(record) !== record.hash) return { sequence, problem: 'changed' };
    const follows = this.hash === undefined || record.previous === this.hash;
    if (!follows || record.dateMs < this.dateMs) return { sequence, problem: 'does not follow the one before' };
    if (sequence === kept?.sequence && record.hash !== kept.hash)
      return { sequence, problem: 'differs from the kept head' };
    return undefined;
  }
}
