import { evaluate, type Scope } from './evaluation';
import { grouped, isGrouped } from './grouping';
import { findMatches, type Match, type Tables } from './sources';
import type { Row, Select, Value } from './sql-syntax';
import { DatabaseError, type Transaction } from './transaction';

/** Runs a SELECT on the rows as the transaction sees them, and takes the locks that it requests. */
export function runSelect(
  query: Select,
  tables: Tables,
  transaction: Transaction,
  parameters: readonly unknown[],
  outer: Scope | null = null,
): Row[] {
  const root = rootScope(tables, transaction, parameters, outer);
  const runQueries = (queries: readonly Select[]) => runUnion(queries, tables, transaction, parameters, outer);
  let matches = findMatches(query, { tables, transaction, root, runQueries });
  if (query.skipsLocked) matches = matches.filter(({ entry }) => !entry || entry.table.isFree(entry, transaction));
  sort(matches, query.order);
  if (query.offset !== null) matches = matches.slice(Number(evaluate(query.offset, root)));
  if (query.limit !== null && !query.distinct) matches = matches.slice(0, Number(evaluate(query.limit, root)));
  if (query.noWait && matches.some(({ entry }) => entry && !entry.table.isFree(entry, transaction))) {
    throw new DatabaseError('ER_LOCK_WAIT_TIMEOUT');
  }
  if (query.lock !== 'none') {
    for (const { entry, joined = [entry] } of matches)
      for (const one of joined) one?.table.lock(one, transaction, query.lock);
  }
  const scopes = matches.map(({ scope }) => scope);
  const rows = isGrouped(query) ? grouped(query, scopes, root) : scopes.map((scope) => project(query, scope));
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
  const rows = [...first, ...named];
  return queries.some(({ keepsDuplicates }) => keepsDuplicates) ? rows : distinct(rows);
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
    select: (query, scope) => runSelect(query, tables, transaction, parameters, scope),
  };
}

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
