import { evaluate, isTrue, type Scope } from './evaluation';
import type { Expression, Row, Select, Source, Value } from './sql-syntax';
import type { Entry, Table } from './table';
import type { Transaction } from './transaction';

/** What statements run on. */
export interface Tables {
  table(name: string): Table;
}

interface Match {
  scope: Scope;
  entries: Entry[];
}

/** Answers a SELECT as the transaction sees the rows, taking the locks that it asks for. */
export function runSelect(
  query: Select,
  tables: Tables,
  transaction: Transaction,
  parameters: readonly unknown[],
  outer: Scope | null = null,
): Row[] {
  const root = rootScope(tables, transaction, parameters, outer);
  let matches = matchesOf(query, tables, transaction, root);
  if (query.skipLocked) {
    matches = matches.filter(({ entries }) => entries.every((entry) => entry.table.isFree(entry, transaction)));
  }
  sort(matches, query.order);
  if (query.limit !== null && !query.distinct) matches = matches.slice(0, Number(evaluate(query.limit, root)));
  if (query.lock !== 'none') {
    for (const { entries } of matches) for (const entry of entries) entry.table.lock(entry, transaction, query.lock);
  }
  const rows = matches.map(({ scope }) => project(query, scope));
  if (!query.distinct) return rows;
  const limit = query.limit === null ? rows.length : Number(evaluate(query.limit, root));
  return distinct(rows).slice(0, limit);
}

/** The different rows of several queries, whose columns are named by the first. */
export function runUnion(
  queries: readonly Select[],
  tables: Tables,
  transaction: Transaction,
  parameters: readonly unknown[],
  outer: Scope | null = null,
): Row[] {
  const [first = [], ...others] = queries.map((query) => runSelect(query, tables, transaction, parameters, outer));
  if (others.length === 0) return first;
  const names = queries[0]?.items.map((item) => (item.kind === 'value' ? item.name : '*')) ?? [];
  const named = others.flat().map((row) => {
    const values = Object.values(row);
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]));
  });
  return distinct([...first, ...named]);
}

/** The scope outside of any row. */
export function rootScope(
  tables: Tables,
  transaction: Transaction,
  parameters: readonly unknown[],
  outer: Scope | null = null,
): Scope {
  return {
    rows: new Map(),
    outer,
    parameters,
    wanted: null,
    exists: (query, scope) => runSelect(query, tables, transaction, parameters, scope).length > 0,
  };
}

/**
 * The entries of a table that a condition is true of. A row that somebody else is changing counts by either of its
 * versions when it is to be locked: whoever wants it waits for what becomes of it.
 */
export function entriesWhere(
  table: Table,
  alias: string,
  where: Expression | null,
  scope: Scope,
  transaction: Transaction,
  forLock: boolean,
): { entry: Entry; row: Row }[] {
  const found: { entry: Entry; row: Row }[] = [];
  for (const entry of table.entries) {
    const seen = table.see(entry, transaction);
    const versions = forLock && entry.writer !== null && entry.writer !== transaction ? [seen, entry.pending] : [seen];
    const row = versions.find((version) => version !== null && holds(where, alias, version, scope));
    if (row) found.push({ entry, row });
  }
  return found;
}

function holds(where: Expression | null, alias: string, row: Row, scope: Scope): boolean {
  return where === null || isTrue(evaluate(where, { ...scope, rows: new Map([[alias, row]]) }));
}

function matchesOf(query: Select, tables: Tables, transaction: Transaction, root: Scope): Match[] {
  const [first, ...joined] = query.sources;
  if (first && joined.length === 0 && typeof first.from === 'string') {
    const table = tables.table(first.from);
    return entriesWhere(table, first.alias, query.where, root, transaction, query.lock !== 'none').map(
      ({ entry, row }) => ({ scope: { ...root, rows: new Map([[first.alias, row]]) }, entries: [entry] }),
    );
  }
  if (query.lock !== 'none') throw new Error('the simulated database locks one table at a time');
  let matches: Match[] = [{ scope: root, entries: [] }];
  for (const source of query.sources) {
    const rows = rowsOf(source, tables, transaction, root);
    matches = matches.flatMap((match) => join(match, source, rows));
  }
  const { where } = query;
  return where === null ? matches : matches.filter(({ scope }) => isTrue(evaluate(where, scope)));
}

function rowsOf({ from }: Source, tables: Tables, transaction: Transaction, root: Scope): Row[] {
  if (typeof from !== 'string') return runUnion(from, tables, transaction, root.parameters, root.outer);
  const table = tables.table(from);
  return [...table.entries].map((entry) => table.see(entry, transaction)).filter((row) => row !== null);
}

function join({ scope }: Match, { alias, on, join: kind }: Source, rows: readonly Row[]): Match[] {
  const joined = rows
    .map((row) => ({ ...scope, rows: new Map([...scope.rows, [alias, row]]) }))
    .filter((candidate) => on === null || isTrue(evaluate(on, candidate)));
  if (joined.length === 0 && kind === 'left')
    joined.push({ ...scope, rows: new Map([...scope.rows, [alias, NOTHING]]) });
  return joined.map((candidate) => ({ scope: candidate, entries: [] }));
}

/** The row of a LEFT JOIN that found none: every column is null. */
const NOTHING: Row = new Proxy({}, { get: () => null });

function sort(matches: Match[], order: Select['order']): void {
  if (order.length === 0) return;
  const keyed = matches.map((match) => ({ match, keys: order.map(({ by }) => evaluate(by, match.scope)) }));
  keyed.sort((a, b) => {
    for (const [index, { descending }] of order.entries()) {
      const difference = compare(a.keys[index] ?? null, b.keys[index] ?? null);
      if (difference !== 0) return descending ? -difference : difference;
    }
    return 0;
  });
  for (const [index, { match }] of keyed.entries()) matches[index] = match;
}

/** Null comes first. */
function compare(a: Value, b: Value): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}

function project({ items }: Select, scope: Scope): Row {
  const row: Record<string, Value> = {};
  for (const item of items) {
    if (item.kind === 'value') row[item.name] = evaluate(item.value, scope);
    else {
      for (const [alias, whole] of scope.rows)
        if (item.table === null || item.table === alias) Object.assign(row, whole);
    }
  }
  return row;
}

function distinct(rows: readonly Row[]): Row[] {
  const seen = new Map(rows.map((row) => [JSON.stringify(Object.values(row)), row]));
  return [...seen.values()];
}
