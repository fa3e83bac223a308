import type { SqlReader } from './sql-reader';
import type { Expression, Select } from './sql-syntax';

type ReadSelect = (reader: SqlReader) => Select;

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
    return { kind: 'not', operand: { kind: 'in', operand: left, items: readList(reader, readSelect) } };
  }
  if (reader.takeWords('IN')) return { kind: 'in', operand: left, items: readList(reader, readSelect) };
  return left;
}

function readSum(reader: SqlReader, readSelect: ReadSelect): Expression {
  let left = readOperand(reader, readSelect);
  for (;;) {
    const operator = reader.takeSign('+', '-');
    if (operator === undefined) return left;
    left = { kind: 'binary', operator, left, right: readOperand(reader, readSelect) };
  }
}

function readOperand(reader: SqlReader, readSelect: ReadSelect): Expression {
  const index = reader.takeParameter();
  if (index !== undefined) return { kind: 'parameter', index };
  const value = reader.takeText() ?? reader.takeNumber();
  if (value !== undefined) return { kind: 'literal', value };
  if (reader.takeSign('(') !== undefined) {
    const inner = readExpression(reader, readSelect);
    reader.needSign(')');
    return inner;
  }
  if (reader.takeWords('TRUE')) return { kind: 'literal', value: 1 };
  if (reader.takeWords('FALSE')) return { kind: 'literal', value: 0 };
  if (reader.takeWords('NULL')) return { kind: 'literal', value: null };
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
  return { kind: 'call', name: name.toUpperCase(), arguments: readItems(reader, readSelect) };
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
