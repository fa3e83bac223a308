import type { Entry } from './table';

/** Thrown when a statement needs a row that another transaction has locked: repeat it when that has ended. */
export class Blocked {
  // Not an `Error`: it is thrown often, and a stack trace costs more than the statement.
  constructor(readonly by: Transaction) {}
}

/** An error of MySQL, with its code. */
export class DatabaseError extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** One transaction: the rows that it has locked, and those that it has changed and nobody else sees yet. */
export class Transaction {
  readonly held = new Set<Entry>();
  readonly changed = new Set<Entry>();
  isOpen = true;
  /** The transaction for which its present statement waits. */
  waitsFor: Transaction | null = null;

  constructor(
    /** The name of its process, for the history. */
    readonly owner: string,
    readonly beganMs: number,
  ) {}

  /** Whether waiting for that transaction would close a cycle. */
  wouldDeadlock(other: Transaction): boolean {
    for (let next: Transaction | null = other; next?.isOpen; next = next.waitsFor) {
      if (next === this) return true;
    }
    return false;
  }
}
