import { evaluate, toValue, valuesOf } from './evaluation';
import { rootScope, runSelect, runUnion } from './query';
import { entriesWhere, findMatches, type Tables } from './sources';
import type { Assignment, Delete, Expression, Insert, Row, Select, Source, Update, Value } from './sql-syntax';
import type { Entry, Table } from './table';
import { DatabaseError, type Transaction } from './transaction';

/** The driver's result of a change. */
export interface ChangeResult {
  affectedRows: number;
  insertId: number;
}

/** Adds rows. Every lock is taken before the first row is written, so that a blocked statement can be repeated. */
export function runInsert(
  insert: Insert,
  tables: Tables,
  transaction: Transaction,
  parameters: readonly unknown[],
): ChangeResult {
  const table = tables.table(insert.table);
  const scope = rootScope(tables, transaction, parameters);
  const rows = tuplesOf(insert, tables, transaction, parameters).map((tuple) => rowOf(insert.columns, tuple));
  for (const row of rows) table.collision(row, transaction);
  let affectedRows = 0;
  let insertId = 0;
  for (const wanted of rows) {
    const existing = table.collision(wanted, transaction);
    if (existing === null) {
      const stored = table.insert(wanted, transaction);
      const id = table.shape.autoIncrement === null ? 0 : stored[table.shape.autoIncrement];
      if (insertId === 0 && typeof id === 'number') insertId = id;
      affectedRows += 1;
    } else if (insert.onDuplicate) {
      const row = table.see(existing, transaction);
      const rowScope = { ...scope, rows: new Map([[insert.table, row]]), wanted };
      const changed = row && assigned(row, insert.onDuplicate, rowScope);
      if (changed) table.write(existing, changed, transaction);
      affectedRows += JSON.stringify(changed) === JSON.stringify(row) ? 1 : 2;
    } else if (!insert.ignore) throw new DatabaseError('ER_DUP_ENTRY');
  }
  return { affectedRows, insertId };
}

export function runUpdate(
  { sources, set, where, limit }: Update,
  tables: Tables,
  transaction: Transaction,
  parameters: readonly unknown[],
): ChangeResult {
  const context = { tables, transaction, parameters };
  const [first, ...joined] = sources;
  const name = String(first?.from);
  if (!first || joined.length > 0) return updateJoined({ sources, set, where }, context);
  const table = tables.table(name);
  const found = lockedWhere(table, first.alias, { where, limit }, context);
  const scope = rootScope(tables, transaction, parameters);
  const written = found.map(({ entry, row }) => {
    const after = assigned(row, set, { ...scope, rows: new Map([[first.alias, row]]) });
    if (table.collision(after, transaction, entry)) throw new DatabaseError('ER_DUP_ENTRY');
    return { entry, after };
  });
  for (const { entry, after } of written) table.write(entry, after, transaction);
  return { affectedRows: found.length, insertId: 0 };
}

/** Changes rows of joined tables. As MySQL does, it locks all rows that it reads. */
function updateJoined(
  { sources, set, where }: Pick<Update, 'sources' | 'set' | 'where'>,
  { tables, transaction, parameters }: ChangeContext,
): ChangeResult {
  const query = parsedSelect(sources, where);
  const root = rootScope(tables, transaction, parameters);
  const runQueries = (queries: readonly Select[]) => runUnion(queries, tables, transaction, parameters);
  const matches = findMatches(query, { tables, transaction, root, runQueries });
  const entries = new Map<Row, Entry>();
  for (const { from } of sources) {
    if (typeof from !== 'string') continue;
    for (const entry of tables.table(from).entries) {
      const row = tables.table(from).see(entry, transaction);
      if (row) entries.set(row, entry);
    }
  }
  const written = new Map<Entry, Row>();
  for (const { scope } of matches) {
    for (const [alias, row] of scope.rows) {
      const entry = row && entries.get(row);
      entry?.table.lock(entry, transaction, 'exclusive');
      const own = set.filter(({ table }) => table === alias);
      if (entry && own.length > 0) written.set(entry, assigned(written.get(entry) ?? row, own, scope));
    }
  }
  for (const [entry, after] of written) entry.table.write(entry, after, transaction);
  return { affectedRows: written.size, insertId: 0 };
}

function parsedSelect(sources: Source[], where: Expression | null): Select {
  return {
    kind: 'select',
    distinct: false,
    items: [],
    sources,
    where,
    group: [],
    having: null,
    order: [],
    limit: null,
    offset: null,
    lock: 'none',
    noWait: false,
    skipsLocked: false,
    keepsDuplicates: false,
  };
}

export function runDelete(
  { table: name, alias, where, limit }: Delete,
  tables: Tables,
  transaction: Transaction,
  parameters: readonly unknown[],
): ChangeResult {
  const table = tables.table(name);
  const found = lockedWhere(table, alias, { where, limit }, { tables, transaction, parameters });
  for (const { entry } of found) table.write(entry, null, transaction);
  return { affectedRows: found.length, insertId: 0 };
}

interface ChangeContext {
  tables: Tables;
  transaction: Transaction;
  parameters: readonly unknown[];
}

function lockedWhere(
  table: Table,
  alias: string,
  { where, limit }: Pick<Delete, 'where' | 'limit'>,
  { tables, transaction, parameters }: ChangeContext,
): { entry: Entry; row: Row }[] {
  const scope = rootScope(tables, transaction, parameters);
  let found = entriesWhere(table, alias, where, scope, transaction, true);
  if (limit !== null) found = found.slice(0, Number(evaluate(limit, scope)));
  for (const { entry } of found) table.lock(entry, transaction, 'exclusive');
  return found;
}

function tuplesOf(
  { tuples, columns }: Insert,
  tables: Tables,
  transaction: Transaction,
  parameters: readonly unknown[],
): Value[][] {
  const scope = rootScope(tables, transaction, parameters);
  if (Array.isArray(tuples)) return tuples.map((tuple) => valuesOf(tuple, scope));
  if ('query' in tuples) {
    const rows = runSelect(tuples.query, tables, transaction, parameters);
    return rows.map((row) => Object.values(row).map((value) => value ?? null));
  }
  const given = parameters[tuples.parameter];
  if (!Array.isArray(given)) throw new Error(`an INSERT of ${columns.join(', ')} without rows`);
  return given.map((tuple: unknown[]) => tuple.map(toValue));
}

function rowOf(columns: readonly string[], tuple: readonly Value[]): Row {
  if (tuple.length !== columns.length) throw new DatabaseError('ER_WRONG_VALUE_COUNT_ON_ROW');
  return Object.fromEntries(columns.map((column, index) => [column, tuple[index] ?? null]));
}

function assigned(row: Row, set: readonly Assignment[], scope: Parameters<typeof evaluate>[1]): Row {
  const changed: Record<string, Value> = { ...row };
  for (const { column, value } of set) changed[column] = evaluate(value, scope);
  return changed;
}
