import { readExpression, readList } from './sql-expression-parser';
import { SqlReader } from './sql-reader';
import type {
  Assignment,
  Delete,
  Expression,
  Insert,
  Select,
  SelectItem,
  Source,
  Statement,
  Update,
} from './sql-syntax';

const AFTER_SOURCE = [
  'JOIN',
  'LEFT',
  'ON',
  'SET',
  'WHERE',
  'GROUP',
  'HAVING',
  'ORDER',
  'LIMIT',
  'FOR',
  'LOCK',
  'UNION',
  'FORCE',
];

/** Reads one statement of the part of SQL that the platform's path of a data point uses; throws on anything else. */
export function parseSql(sql: string): Statement {
  const reader = new SqlReader(sql);
  const statement = readStatement(reader);
  reader.needEnd();
  return statement;
}

function readStatement(reader: SqlReader): Statement {
  if (reader.isAt('SELECT')) {
    const [query, ...others] = readUnion(reader);
    return others.length === 0 ? query : { kind: 'union', queries: [query, ...others] };
  }
  if (reader.takeWords('INSERT')) return readInsert(reader);
  if (reader.takeWords('UPDATE')) return readUpdate(reader);
  if (reader.takeWords('DELETE')) return readDelete(reader);
  reader.needWords('SET', 'TRANSACTION', 'ISOLATION', 'LEVEL', 'READ', 'COMMITTED');
  return { kind: 'set' };
}

function readSelect(reader: SqlReader): Select {
  reader.needWords('SELECT');
  reader.takeWords('STRAIGHT_JOIN'); // which changes no result
  const distinct = reader.takeWords('DISTINCT');
  const items = separated(reader, () => readItem(reader));
  const sources = reader.takeWords('FROM') ? readSources(reader) : [];
  const where = readWhere(reader);
  const group = reader.takeWords('GROUP', 'BY') ? separated(reader, () => readExpression(reader, readSelect)) : [];
  const having = reader.takeWords('HAVING') ? readExpression(reader, readSelect) : null;
  const order = reader.takeWords('ORDER', 'BY') ? separated(reader, () => readOrder(reader)) : [];
  const limit = readLimit(reader);
  const offset = reader.takeWords('OFFSET') ? readExpression(reader, readSelect) : null;
  const lock = readLock(reader);
  const noWait = reader.takeWords('NOWAIT');
  const skipsLocked = reader.takeWords('SKIP', 'LOCKED');
  return {
    kind: 'select',
    distinct,
    items,
    sources,
    where,
    group,
    having,
    order,
    limit,
    offset,
    lock,
    noWait,
    skipsLocked,
    keepsDuplicates: false,
  };
}

function readItem(reader: SqlReader): SelectItem {
  if (reader.takeSign('*') !== undefined) return { kind: 'all', table: null };
  const value = readStarOr(reader);
  if ('all' in value) return { kind: 'all', table: value.all };
  if (reader.takeWords('AS')) return { kind: 'value', value: value.expression, name: reader.needName() };
  return { kind: 'value', value: value.expression, name: nameOf(value.expression) };
}

/** `table.*` looks like a column until its star. */
function readStarOr(reader: SqlReader): { all: string } | { expression: Expression } {
  const table = reader.takeStarOf();
  return table === undefined ? { expression: readExpression(reader, readSelect) } : { all: table };
}

function nameOf(expression: Expression): string {
  if (expression.kind === 'column') return expression.name;
  if (expression.kind === 'aggregate') return expression.name;
  return expression.kind === 'literal' ? String(expression.value) : expression.kind;
}

function readSources(reader: SqlReader): Source[] {
  const sources = [readSource(reader, 'first')];
  for (;;) {
    if (reader.takeWords('LEFT', 'JOIN')) sources.push(readSource(reader, 'left'));
    else if (reader.takeWords('JOIN')) sources.push(readSource(reader, 'inner'));
    else return sources;
  }
}

function readSource(reader: SqlReader, join: Source['join']): Source {
  const from = reader.takeSign('(') === undefined ? reader.needName() : readUnion(reader);
  if (typeof from !== 'string') reader.needSign(')');
  const isNamed = reader.takeWords('AS') || (reader.isAtWord() && !reader.isAt(...AFTER_SOURCE));
  const alias = isNamed ? reader.needName() : String(from);
  skipIndex(reader);
  const on = reader.takeWords('ON') ? readExpression(reader, readSelect) : null;
  return { alias, from, join, on };
}

/** A named index changes no result. */
function skipIndex(reader: SqlReader): void {
  if (!reader.takeWords('FORCE', 'INDEX')) return;
  reader.needSign('(');
  reader.needName();
  reader.needSign(')');
}

function readUnion(reader: SqlReader): [Select, ...Select[]] {
  const queries: [Select, ...Select[]] = [readSelect(reader)];
  while (reader.takeWords('UNION')) {
    const keepsDuplicates = reader.takeWords('ALL');
    queries.push({ ...readSelect(reader), keepsDuplicates });
  }
  return queries;
}

function readOrder(reader: SqlReader): Select['order'][number] {
  const by = readExpression(reader, readSelect);
  const descending = reader.takeWords('DESC');
  if (!descending) reader.takeWords('ASC');
  return { by, descending };
}

function readLock(reader: SqlReader): Select['lock'] {
  if (reader.takeWords('FOR', 'UPDATE')) return 'exclusive';
  return reader.takeWords('LOCK', 'IN', 'SHARE', 'MODE') || reader.takeWords('FOR', 'SHARE') ? 'shared' : 'none';
}

function readInsert(reader: SqlReader): Insert {
  const ignore = reader.takeWords('IGNORE');
  reader.needWords('INTO');
  const table = reader.needName();
  reader.needSign('(');
  const columns = separated(reader, () => reader.needName());
  reader.needSign(')');
  const tuples = reader.takeWords('VALUES') ? readTuples(reader) : { query: namedByPlace(readSelect(reader)) };
  const onDuplicate = reader.takeWords('ON', 'DUPLICATE', 'KEY', 'UPDATE') ? readAssignments(reader) : null;
  return { kind: 'insert', ignore, table, columns, tuples, onDuplicate };
}

function readTuples(reader: SqlReader): Insert['tuples'] {
  const parameter = reader.takeParameter();
  return parameter === undefined ? separated(reader, () => readList(reader, readSelect)) : { parameter };
}

/** So that equal parameters stay apart in a row. */
function namedByPlace(query: Select): Select {
  const items = query.items.map((item, index) => (item.kind === 'value' ? { ...item, name: `c${index}` } : item));
  return { ...query, items };
}

function readUpdate(reader: SqlReader): Update {
  const sources = readSources(reader);
  reader.needWords('SET');
  const set = readAssignments(reader);
  return { kind: 'update', sources, set, where: readWhere(reader), limit: readLimit(reader) };
}

function readDelete(reader: SqlReader): Delete {
  const alias = reader.isAt('FROM') ? null : reader.needName();
  reader.needWords('FROM');
  if (reader.takeSign('(') !== undefined) return readListedDelete(reader, alias);
  const table = reader.needName();
  if (alias !== null && reader.needName() !== alias) throw new Error(`${alias} is no name of ${table}`);
  skipIndex(reader);
  return { kind: 'delete', table, alias: alias ?? table, where: readWhere(reader), limit: readLimit(reader) };
}

/** `(SELECT ? AS id UNION ALL SELECT ? …) list STRAIGHT_JOIN t a ON a.id = list.id`, which is `a.id IN (?, ? …)`. */
function readListedDelete(reader: SqlReader, alias: string | null): Delete {
  const items = readUnion(reader).flatMap((query) =>
    query.items.flatMap((item) => (item.kind === 'value' ? [item.value] : [])),
  );
  reader.needSign(')');
  const list = reader.needName();
  reader.needWords('STRAIGHT_JOIN');
  const table = reader.needName();
  if (alias === null || reader.needName() !== alias) throw new Error(`${alias} is no name of ${table}`);
  reader.needWords('ON');
  const operand = readExpression(reader, readSelect);
  if (operand.kind !== 'binary' || operand.operator !== '=') throw new Error(`${list} is not compared`);
  return { kind: 'delete', table, alias, where: { kind: 'in', operand: operand.left, items }, limit: null };
}

function readAssignments(reader: SqlReader): Assignment[] {
  return separated(reader, () => {
    const name = reader.needName();
    const [table, column] = reader.takeSign('.') === undefined ? [null, name] : [name, reader.needName()];
    reader.needSign('=');
    return { table, column, value: readExpression(reader, readSelect) };
  });
}

function readWhere(reader: SqlReader): Expression | null {
  return reader.takeWords('WHERE') ? readExpression(reader, readSelect) : null;
}

function readLimit(reader: SqlReader): Expression | null {
  return reader.takeWords('LIMIT') ? readExpression(reader, readSelect) : null;
}

function separated<T>(reader: SqlReader, read: () => T): T[] {
  const items = [read()];
  while (reader.takeSign(',') !== undefined) items.push(read());
  return items;
}
