import { type ChangeResult, runDelete, runInsert, runUpdate } from './changes';
import { NotSimulated } from './not-simulated';
import { runSelect, runUnion } from './query';
import type { TableShape } from './schema';
import { parseSql } from './sql-parser';
import type { Row, Statement } from './sql-syntax';
import { Table } from './table';
import { Blocked, DatabaseError, Transaction } from './transaction';

export interface Change {
  table: string;
  before: Row | null;
  after: Row | null;
}

/** The changes of one transaction, which others see from `atMs` on. */
export interface Commit {
  owner: string;
  beganMs: number;
  atMs: number;
  changes: Change[];
}

/** An action of a transaction, for comparisons: a statement with its result or the code of its error, or its end. */
export type DatabaseAction =
  | { sql: string; parameters: readonly unknown[]; answer: Row[] | ChangeResult | string }
  | { end: 'commit' | 'rollback' };

/** Statements of models contain their values, so most of them come only once. */
const MOST_PARSED = 5_000;
const parsed = new Map<string, Statement>();

/**
 * Tables with transactions as in InnoDB at READ COMMITTED: atomic, with exclusive and shared row locks and deadlock
 * detection. Nothing in it waits: a statement that would have to throws `Blocked` and is repeated by its caller.
 */
export class SimulatedDatabase {
  readonly commits: Commit[] = [];
  private readonly tables: Map<string, Table>;

  constructor(
    shapes: readonly TableShape[],
    private readonly observe: (transaction: Transaction, action: DatabaseAction) => void = () => undefined,
  ) {
    this.tables = new Map(shapes.map((shape) => [shape.name, new Table(shape)]));
  }

  table(name: string): Table {
    const table = this.tables.get(name);
    if (!table) throw new NotSimulated(`a table ${name}`);
    return table;
  }

  /** The committed rows of a table. */
  rows(name: string): Row[] {
    return [...this.table(name).entries].map(({ committed }) => committed).filter((row) => row !== null);
  }

  begin(owner: string, nowMs: number): Transaction {
    return new Transaction(owner, nowMs);
  }

  /** Runs one statement. A deadlock rolls the transaction back and throws its code. */
  run(sql: string, parameters: readonly unknown[], transaction: Transaction): Row[] | ChangeResult {
    if (!transaction.isOpen) throw new DatabaseError('ER_NO_TRANSACTION');
    try {
      transaction.waitsFor = null;
      const answer = this.execute(statementOf(sql), parameters, transaction);
      this.observe(transaction, { sql, parameters, answer });
      return answer;
    } catch (error) {
      if (error instanceof DatabaseError) this.observe(transaction, { sql, parameters, answer: error.code });
      if (!(error instanceof Blocked)) throw error;
      if (transaction.wouldDeadlock(error.by)) {
        this.rollback(transaction);
        throw new DatabaseError('ER_LOCK_DEADLOCK');
      }
      transaction.waitsFor = error.by;
      throw error;
    }
  }

  commit(transaction: Transaction, nowMs: number): void {
    if (!transaction.isOpen) return;
    const changes = [...transaction.changed].map(({ table, committed, pending }) => ({
      table: table.shape.name,
      before: committed,
      after: pending,
    }));
    this.end(transaction, true);
    const { owner, beganMs } = transaction;
    if (changes.length > 0) this.commits.push({ owner, beganMs, atMs: nowMs, changes });
  }

  rollback(transaction: Transaction): void {
    if (transaction.isOpen) this.end(transaction, false);
  }

  private execute(statement: Statement, parameters: readonly unknown[], transaction: Transaction) {
    switch (statement.kind) {
      case 'select':
        return runSelect(statement, this, transaction, parameters);
      case 'union':
        return runUnion(statement.queries, this, transaction, parameters);
      case 'insert':
        return runInsert(statement, this, transaction, parameters);
      case 'update':
        return runUpdate(statement, this, transaction, parameters);
      case 'delete':
        return runDelete(statement, this, transaction, parameters);
      case 'set':
        return [];
    }
  }

  private end(transaction: Transaction, commit: boolean): void {
    this.observe(transaction, { end: commit ? 'commit' : 'rollback' });
    for (const entry of transaction.changed) entry.table.settle(entry, commit);
    for (const entry of transaction.held) {
      if (entry.holder === transaction) entry.holder = null;
      entry.sharers.delete(transaction);
    }
    transaction.isOpen = false;
  }
}

function statementOf(sql: string): Statement {
  let statement = parsed.get(sql);
  if (!statement) {
    statement = parseSql(sql);
    if (parsed.size >= MOST_PARSED) parsed.clear();
    parsed.set(sql, statement);
  }
  return statement;
}
