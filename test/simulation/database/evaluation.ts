import { NotSimulated } from './not-simulated';
import type { Expression, Row, Select, Value } from './sql-syntax';
import { DatabaseError } from './transaction';

/** The values that an expression may read: the current rows by alias, those of the outer queries, and the parameters. */
export interface Scope {
  rows: ReadonlyMap<string, Row | null>;
  outer: Scope | null;
  parameters: readonly unknown[];
  /** The row of an INSERT, for `VALUES(column)`. */
  wanted: Row | null;
  /** The rows of a query in an expression. */
  select: (query: Select, scope: Scope) => Row[];
}

/** The value of an expression; a condition is 1, 0 or null. */
export function evaluate(expression: Expression, scope: Scope): Value {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'parameter':
      return toValue(scope.parameters[expression.index]);
    case 'column':
      return columnOf(expression.table, expression.name, scope);
    case 'call':
      return call(expression.name, expression.arguments, scope);
    case 'binary':
      return binary(expression, scope);
    case 'in':
      return isIn(expression, scope);
    case 'not': {
      const value = evaluate(expression.operand, scope);
      return value === null ? null : flag(!isTrue(value));
    }
    case 'is-null':
      return flag((evaluate(expression.operand, scope) === null) !== expression.negated);
    case 'exists':
      return flag(scope.select(expression.query, scope).length > 0);
    case 'scalar':
      return firstOf(scope.select(expression.query, scope)[0]);
    case 'in-query':
      return flag(scope.select(expression.query, scope).map(firstOf).includes(evaluate(expression.operand, scope)));
    case 'aggregate':
      throw new NotSimulated(`${expression.name}() outside of the values of a SELECT`);
  }
}

function firstOf(row: Row | undefined): Value {
  return row === undefined ? null : (Object.values(row)[0] ?? null);
}

export function isTrue(value: Value): boolean {
  return value !== null && value !== 0 && value !== '';
}

/** A value as the driver sends it. */
export function toValue(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return flag(value);
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (Buffer.isBuffer(value)) return value as unknown as Value; // bytes are only stored
  throw new NotSimulated(`values that are a ${typeof value}`);
}

/** The values of a list; a parameter may contain several. */
export function valuesOf(items: readonly Expression[], scope: Scope): Value[] {
  const values: Value[] = [];
  for (const item of items) {
    const given = item.kind === 'parameter' ? scope.parameters[item.index] : undefined;
    if (Array.isArray(given)) for (const value of given.flat()) values.push(toValue(value));
    else values.push(evaluate(item, scope));
  }
  return values;
}

function binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>, scope: Scope): Value {
  if (operator === 'AND') return flag(isTrue(evaluate(left, scope)) && isTrue(evaluate(right, scope)));
  if (operator === 'OR') return flag(isTrue(evaluate(left, scope)) || isTrue(evaluate(right, scope)));
  const a = evaluate(left, scope);
  const b = evaluate(right, scope);
  if (a === null || b === null) return null;
  switch (operator) {
    case '=':
      return flag(a === b);
    case '<>':
    case '!=':
      return flag(a !== b);
    case '<':
      return flag(a < b);
    case '<=':
      return flag(a <= b);
    case '>':
      return flag(a > b);
    case '>=':
      return flag(a >= b);
    case '+':
      return sumOf(Number(a), Number(b));
    case '*':
      return Number(a) * Number(b);
    default:
      return Number(a) - Number(b);
  }
}

/** Of numbers without a sign, as large as those of MySQL at most. */
function sumOf(a: number, b: number): number {
  if (a >= 2 ** 64 && b > 0) throw new DatabaseError('ER_DATA_OUT_OF_RANGE');
  return a + b;
}

function isIn({ operand, items }: Extract<Expression, { kind: 'in' }>, scope: Scope): Value {
  const value = evaluate(operand, scope);
  if (value === null) return null;
  const [item] = items;
  const given = items.length === 1 && item?.kind === 'parameter' ? scope.parameters[item.index] : undefined;
  // Evaluated for every row of a table, so the list is not copied.
  return flag(Array.isArray(given) ? given.includes(value) : valuesOf(items, scope).includes(value));
}

function call(name: string, given: readonly Expression[], scope: Scope): Value {
  const [first] = given;
  if (name === 'VALUES' && first?.kind === 'column') return scope.wanted?.[first.name] ?? null;
  const values = valuesOf(given, scope);
  const numbers = values.map(Number);
  switch (name) {
    case 'FIELD':
      return Math.max(0, values.indexOf(values[0] ?? null, 1));
    case 'ELT':
      return values[numbers[0] ?? 0] ?? null;
    case 'IF':
      return values[isTrue(values[0] ?? null) ? 1 : 2] ?? null;
    case 'COALESCE':
      return values.find((value) => value !== null) ?? null;
    case 'RAND':
      return Math.random();
    case 'MOD':
      return (numbers[0] ?? 0) % (numbers[1] ?? 1);
    case 'CHAR_LENGTH':
      return values[0] === null ? null : [...String(values[0])].length;
    case 'LENGTH':
      return values[0] === null ? null : Buffer.byteLength(String(values[0]));
    case 'GREATEST':
      return values.includes(null) ? null : Math.max(...numbers);
    case 'LEAST':
      return values.includes(null) ? null : Math.min(...numbers);
    default:
      throw new NotSimulated(`${name}()`);
  }
}

function columnOf(table: string | null, name: string, scope: Scope): Value {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    if (table !== null) {
      const row = at.rows.get(table);
      if (row !== undefined) return row === null ? null : known(row[name], name);
      continue;
    }
    for (const row of at.rows.values()) {
      const value = row?.[name];
      if (value !== undefined) return value;
    }
  }
  throw new NotSimulated(`a column ${name}`);
}

function known(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new NotSimulated(`a column ${name}`);
  return value;
}

function flag(condition: boolean): 1 | 0 {
  return condition ? 1 : 0;
}
