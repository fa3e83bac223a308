import { evaluate, isTrue, type Scope } from './evaluation';
import { NotSimulated } from './not-simulated';
import type { Expression, Row, Select, Source } from './sql-syntax';
import type { Entry, Table } from './table';
import type { Transaction } from './transaction';

/** A combination of rows that a query has found; `entry` only of a single table. */
export interface Match {
  scope: Scope;
  entry: Entry | null;
  /** The rows of several tables, if they are to be locked. */
  joined?: Entry[];
}

/** What a query runs on. */
export interface Tables {
  table(name: string): Table;
}

interface Context {
  tables: Tables;
  transaction: Transaction;
  root: Scope;
  runQueries: (queries: readonly Select[]) => Row[];
}

/** Every combination of rows of the sources for which the conditions are true. */
export function findMatches(query: Select, context: Context): Match[] {
  const { root, tables, transaction } = context;
  const [first, ...joined] = query.sources;
  if (!first) return [{ scope: root, entry: null }];
  if (joined.length === 0 && typeof first.from === 'string') {
    const table = tables.table(first.from);
    const found = entriesWhere(table, first.alias, query.where, root, transaction, query.lock !== 'none');
    return found.map(({ entry, row }) => ({ scope: { ...root, rows: new Map([[first.alias, row]]) }, entry }));
  }
  const conditions = conjuncts(query.where);
  const early = conditions.filter((condition) => isAbout(condition, first.alias));
  let scopes: Scope[] = rowsOf(first, context)
    .map((row) => ({ ...root, rows: new Map([[first.alias, row]]) }))
    .filter((scope) => early.every((condition) => isTrue(evaluate(condition, scope))));
  for (const source of joined) {
    const rows = rowsOf(source, context);
    scopes = scopes.flatMap((scope) => join(scope, source, rows));
  }
  return scopes
    .filter((scope) => conditions.every((condition) => isTrue(evaluate(condition, scope))))
    .map((scope) => ({
      scope,
      entry: null,
      ...(query.lock !== 'none' && { joined: entriesOf(scope, query, tables) }),
    }));
}

/** The entries of the rows of a scope. A row that another transaction is changing is awaited by its lock. */
function entriesOf({ rows }: Scope, { sources }: Select, tables: Tables): Entry[] {
  return sources.flatMap(({ from, alias, join: kind }) => {
    if (typeof from !== 'string' || kind === 'left') throw new NotSimulated('a lock on other than joined tables');
    const row = rows.get(alias);
    return [...tables.table(from).entries].filter(({ committed, pending }) => row === committed || row === pending);
  });
}

/**
 * The entries of a table for which a condition is true. A row that another transaction is changing counts by either of
 * its versions when it is to be locked, because its result must be awaited.
 */
export function entriesWhere(
  table: Table,
  alias: string,
  where: Expression | null,
  root: Scope,
  transaction: Transaction,
  forLock: boolean,
): { entry: Entry; row: Row }[] {
  const found: { entry: Entry; row: Row }[] = [];
  const rows = new Map<string, Row>();
  const scope = { ...root, rows };
  const holds = (row: Row | null): row is Row => {
    if (row === null) return false;
    if (where === null) return true;
    rows.set(alias, row);
    return isTrue(evaluate(where, scope));
  };
  for (const entry of table.entries) {
    const seen = table.see(entry, transaction);
    const isForeign = forLock && entry.writer !== null && entry.writer !== transaction;
    if (holds(seen)) found.push({ entry, row: seen });
    else if (isForeign && holds(entry.pending)) found.push({ entry, row: entry.pending });
  }
  return found;
}

function rowsOf({ from }: Source, { tables, transaction, runQueries }: Context): Row[] {
  if (typeof from !== 'string') return runQueries(from);
  const table = tables.table(from);
  const rows: Row[] = [];
  for (const entry of table.entries) {
    const row = table.see(entry, transaction);
    if (row !== null) rows.push(row);
  }
  return rows;
}

function join(left: Scope, { alias, on, join: kind }: Source, rows: readonly Row[]): Scope[] {
  const candidate = new Map(left.rows);
  const scope = { ...left, rows: candidate };
  const joined: Scope[] = [];
  for (const row of rows) {
    candidate.set(alias, row);
    if (on === null || isTrue(evaluate(on, scope))) joined.push({ ...left, rows: new Map(candidate) });
  }
  if (joined.length === 0 && kind === 'left') joined.push({ ...left, rows: candidate.set(alias, NOTHING) });
  return joined;
}

/** The row of a LEFT JOIN without a match: every column is null. */
const NOTHING: Row = new Proxy({}, { get: () => null });

function conjuncts(condition: Expression | null): Expression[] {
  if (condition === null) return [];
  if (condition.kind !== 'binary' || condition.operator !== 'AND') return [condition];
  return [...conjuncts(condition.left), ...conjuncts(condition.right)];
}

/** Whether it compares a column of that source with parameters: then it can be evaluated before the joins. */
function isAbout(condition: Expression, alias: string): boolean {
  if (condition.kind === 'in') return isColumnOf(condition.operand, alias) && condition.items.every(isGiven);
  return condition.kind === 'binary' && isColumnOf(condition.left, alias) && isGiven(condition.right);
}

function isColumnOf(expression: Expression, alias: string): boolean {
  return expression.kind === 'column' && expression.table === alias;
}

function isGiven({ kind }: Expression): boolean {
  return kind === 'parameter' || kind === 'literal';
}
