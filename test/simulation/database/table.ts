import type { TableShape } from './schema';
import type { Row, Value } from './sql-syntax';
import { Blocked, DatabaseError, type Transaction } from './transaction';

/** A row with its versions: the committed one, and the one that only its writer sees until the commit. */
export interface Entry {
  readonly table: Table;
  /** The keys of both versions, by which it is found. */
  keys: readonly string[];
  committed: Row | null;
  pending: Row | null;
  writer: Transaction | null;
  holder: Transaction | null;
  readonly sharers: Set<Transaction>;
}

/** The rows of one table, with the locks on them. */
export class Table {
  readonly entries = new Set<Entry>();
  private readonly byKey = new Map<string, Set<Entry>>();
  private nextId = 1;

  constructor(readonly shape: TableShape) {}

  /** The row as this transaction sees it. */
  see(entry: Entry, transaction: Transaction): Row | null {
    return entry.writer === transaction ? entry.pending : entry.committed;
  }

  isFree(entry: Entry, transaction: Transaction): boolean {
    return blocker(entry, transaction, 'exclusive') === null;
  }

  /** Locks the row until the transaction ends; throws `Blocked` when another has locked it. */
  lock(entry: Entry, transaction: Transaction, mode: 'shared' | 'exclusive'): void {
    const other = blocker(entry, transaction, mode);
    if (other) throw new Blocked(other);
    if (mode === 'exclusive') entry.holder = transaction;
    else entry.sharers.add(transaction);
    transaction.held.add(entry);
  }

  /** Another entry that has one of the unique keys of this row. Throws `Blocked` while it is being changed. */
  collision(row: Row, transaction: Transaction, self?: Entry): Entry | null {
    for (const key of this.keysOf(row)) {
      for (const entry of this.byKey.get(key) ?? []) {
        if (entry === self) continue;
        this.lock(entry, transaction, 'exclusive');
        const seen = this.see(entry, transaction);
        if (seen !== null && this.keysOf(seen).includes(key)) return entry;
      }
    }
    return null;
  }

  /** Adds a row, completed by defaults and the next id; returns it as it is stored. */
  insert(given: Row, transaction: Transaction): Row {
    const row = this.complete(given);
    const entry: Entry = {
      table: this,
      keys: [],
      committed: null,
      pending: null,
      writer: null,
      holder: null,
      sharers: new Set(),
    };
    this.entries.add(entry);
    this.lock(entry, transaction, 'exclusive');
    this.write(entry, row, transaction);
    return row;
  }

  /** Gives a locked row its next version; null removes it. */
  write(entry: Entry, row: Row | null, transaction: Transaction): void {
    entry.pending = row;
    entry.writer = transaction;
    transaction.changed.add(entry);
    if (row !== null) this.findBy(entry, [...entry.keys, ...this.keysOf(row)]);
  }

  /** Commits the pending version, or discards it. */
  settle(entry: Entry, commit: boolean): void {
    if (commit) entry.committed = entry.pending;
    entry.pending = null;
    entry.writer = null;
    if (entry.committed === null) this.entries.delete(entry);
    this.findBy(entry, entry.committed === null ? [] : this.keysOf(entry.committed));
  }

  private findBy(entry: Entry, keys: readonly string[]): void {
    for (const key of entry.keys) if (!keys.includes(key)) this.byKey.get(key)?.delete(entry);
    for (const key of keys) {
      const entries = this.byKey.get(key);
      if (entries) entries.add(entry);
      else this.byKey.set(key, new Set([entry]));
    }
    entry.keys = keys;
  }

  /** The values of the unique keys, without those that contain a null. */
  private keysOf(row: Row): string[] {
    const keys: string[] = [];
    for (const [index, columns] of this.shape.keys.entries()) {
      let key: string | null = `${index}`;
      for (const column of columns) {
        const value = row[column];
        key = value === null || value === undefined || key === null ? null : `${key}\0${value}`;
      }
      if (key !== null) keys.push(key);
    }
    return keys;
  }

  private complete(given: Row): Row {
    const row: Record<string, Value> = {};
    for (const { name, nullable, fallback } of this.shape.columns) {
      let value = given[name];
      if (value === undefined || (value === null && name === this.shape.autoIncrement)) {
        value = name === this.shape.autoIncrement ? this.takeId() : fallback;
      }
      if (value === undefined || (value === null && !nullable)) throw new DatabaseError('ER_BAD_NULL_ERROR');
      row[name] = value;
    }
    const id = this.shape.autoIncrement === null ? null : row[this.shape.autoIncrement];
    if (typeof id === 'number' && id >= this.nextId) this.nextId = id + 1;
    return row;
  }

  private takeId(): number {
    this.nextId += 1;
    return this.nextId - 1;
  }
}

function blocker(entry: Entry, transaction: Transaction, mode: 'shared' | 'exclusive'): Transaction | null {
  if (entry.holder !== null && entry.holder !== transaction) return entry.holder;
  if (mode === 'shared') return null;
  for (const sharer of entry.sharers) if (sharer !== transaction) return sharer;
  return null;
}
