import type { SqlReader } from './sql-reader';
import type { Aggregate, Expression, Select } from './sql-syntax';

type ReadSelect = (reader: SqlReader) => Select;

const AGGREGATES: readonly string[] = ['COUNT', 'SUM', 'MIN', 'MAX'] satisfies Aggregate[];

const COMPARISONS = ['=', '<>', '!=', '<=', '>=', '<', '>'];

/** Reads an expression; `readSelect` reads the queries inside it. */
export function readExpression(reader: SqlReader, readSelect: ReadSelect): Expression {
  let left = readConjunction(reader, readSelect);
  while (reader.takeWords('OR')) {
    left = { kind: 'binary', operator: 'OR', left, right: readConjunction(reader, readSelect) };
  }
  return left;
}

function readConjunction(reader: SqlReader, readSelect: ReadSelect): Expression {
  let left = readNegation(reader, readSelect);
  while (reader.takeWords('AND')) {
    left = { kind: 'binary', operator: 'AND', left, right: readNegation(reader, readSelect) };
  }
  return left;
}

function readNegation(reader: SqlReader, readSelect: ReadSelect): Expression {
  if (reader.takeWords('NOT')) return { kind: 'not', operand: readNegation(reader, readSelect) };
  return readComparison(reader, readSelect);
}

function readComparison(reader: SqlReader, readSelect: ReadSelect): Expression {
  const left = readSum(reader, readSelect);
  const operator = reader.takeSign(...COMPARISONS);
  if (operator !== undefined) return { kind: 'binary', operator, left, right: readSum(reader, readSelect) };
  if (reader.takeWords('IS', 'NOT', 'NULL')) return { kind: 'is-null', operand: left, negated: true };
  if (reader.takeWords('IS', 'NULL')) return { kind: 'is-null', operand: left, negated: false };
  if (reader.takeWords('NOT', 'IN')) {
    return { kind: 'not', operand: readIn(left, reader, readSelect) };
  }
  if (reader.takeWords('IN')) return readIn(left, reader, readSelect);
  return left;
}

function readIn(operand: Expression, reader: SqlReader, readSelect: ReadSelect): Expression {
  reader.needSign('(');
  if (!reader.isAt('SELECT')) return { kind: 'in', operand, items: readItems(reader, readSelect) };
  const query = readSelect(reader);
  reader.needSign(')');
  return { kind: 'in-query', operand, query };
}

function readSum(reader: SqlReader, readSelect: ReadSelect): Expression {
  let left = readProduct(reader, readSelect);
  for (;;) {
    const operator = reader.takeSign('+', '-');
    if (operator === undefined) return left;
    left = { kind: 'binary', operator, left, right: readProduct(reader, readSelect) };
  }
}

function readProduct(reader: SqlReader, readSelect: ReadSelect): Expression {
  let left = readOperand(reader, readSelect);
  while (reader.takeSign('*') !== undefined) {
    left = { kind: 'binary', operator: '*', left, right: readOperand(reader, readSelect) };
  }
  return left;
}

function readOperand(reader: SqlReader, readSelect: ReadSelect): Expression {
  const index = reader.takeParameter();
  if (index !== undefined) return { kind: 'parameter', index };
  const value = reader.takeText() ?? reader.takeNumber();
  if (value !== undefined) return { kind: 'literal', value };
  if (reader.takeSign('(') !== undefined) {
    const inner: Expression = reader.isAt('SELECT')
      ? { kind: 'scalar', query: readSelect(reader) }
      : readExpression(reader, readSelect);
    reader.needSign(')');
    return inner;
  }
  if (reader.takeWords('TRUE')) return { kind: 'literal', value: 1 };
  if (reader.takeWords('FALSE')) return { kind: 'literal', value: 0 };
  if (reader.takeWords('NULL') || reader.takeWords('DEFAULT')) return { kind: 'literal', value: null };
  if (reader.takeWords('EXISTS')) {
    reader.needSign('(');
    const query = readSelect(reader);
    reader.needSign(')');
    return { kind: 'exists', query };
  }
  return readNamed(reader, readSelect);
}

function readNamed(reader: SqlReader, readSelect: ReadSelect): Expression {
  const name = reader.needName();
  if (reader.takeSign('.') !== undefined) return { kind: 'column', table: name, name: reader.needName() };
  if (reader.takeSign('(') === undefined) return { kind: 'column', table: null, name };
  const call = name.toUpperCase();
  if (!isAggregate(call)) return { kind: 'call', name: call, arguments: readItems(reader, readSelect) };
  const argument = reader.takeSign('*') === undefined ? readExpression(reader, readSelect) : null;
  reader.needSign(')');
  return { kind: 'aggregate', name: call, argument };
}

function isAggregate(name: string): name is Aggregate {
  return AGGREGATES.includes(name);
}

/** `(a, b, …)` */
export function readList(reader: SqlReader, readSelect: ReadSelect): Expression[] {
  reader.needSign('(');
  return readItems(reader, readSelect);
}

function readItems(reader: SqlReader, readSelect: ReadSelect): Expression[] {
  if (reader.takeSign(')') !== undefined) return [];
  const items = [readExpression(reader, readSelect)];
  while (reader.takeSign(',') !== undefined) items.push(readExpression(reader, readSelect));
  reader.needSign(')');
  return items;
}
