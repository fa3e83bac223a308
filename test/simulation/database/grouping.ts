import { evaluate, isTrue, type Scope } from './evaluation';
import { NotSimulated } from './not-simulated';
import type { Aggregate, Expression, Row, Select, Value } from './sql-syntax';

/** True if a query has a row for each group of rows; without `GROUP BY`, all rows are one. */
export function isGrouped({ group, items }: Select): boolean {
  return group.length > 0 || items.some((item) => item.kind === 'value' && hasAggregate(item.value));
}

/** A row for each group of rows with the same values of `GROUP BY`. `root` is the scope outside of any row. */
export function grouped({ items, group, having }: Select, scopes: readonly Scope[], root: Scope): Row[] {
  const groups = new Map<string, Scope[]>(group.length === 0 ? [['[]', []]] : []);
  for (const scope of scopes) {
    const key = JSON.stringify(group.map((by) => evaluate(by, scope)));
    const members = groups.get(key);
    if (members) members.push(scope);
    else groups.set(key, [scope]);
  }
  const kept = [...groups.values()].filter((members) => having === null || isTrue(valueIn(having, members, root)));
  return kept.map((members) => {
    return Object.fromEntries(
      items.map((item) => {
        if (item.kind === 'all') throw new NotSimulated('* with GROUP BY');
        return [item.name, valueIn(item.value, members, root)];
      }),
    );
  });
}

function hasAggregate(expression: Expression): boolean {
  if (expression.kind === 'aggregate') return true;
  if (expression.kind === 'call') return expression.arguments.some(hasAggregate);
  return expression.kind === 'binary' && (hasAggregate(expression.left) || hasAggregate(expression.right));
}

/** The value of an expression over the rows of a group; what is not aggregated is read from its first row. */
function valueIn(expression: Expression, members: readonly Scope[], root: Scope): Value {
  if (expression.kind === 'aggregate') return aggregated(expression.name, expression.argument, members);
  const scope = members[0] ?? root;
  if (!hasAggregate(expression)) return evaluate(expression, scope);
  const known = (part: Expression): Expression => ({ kind: 'literal', value: valueIn(part, members, root) });
  if (expression.kind === 'call') return evaluate({ ...expression, arguments: expression.arguments.map(known) }, scope);
  if (expression.kind !== 'binary') throw new NotSimulated(`an aggregate in ${expression.kind}`);
  return evaluate({ ...expression, left: known(expression.left), right: known(expression.right) }, scope);
}

function aggregated(name: Aggregate, argument: Expression | null, members: readonly Scope[]): Value {
  if (argument === null) return members.length;
  const values = members.map((scope) => evaluate(argument, scope)).filter((value) => value !== null);
  if (name === 'COUNT') return values.length;
  if (values.length === 0) return null;
  if (name === 'SUM') return values.reduce<number>((sum, value) => sum + Number(value), 0);
  const isBetter =
    name === 'MIN' ? (a: Value, b: Value) => Number(a) < Number(b) : (a: Value, b: Value) => Number(a) > Number(b);
  return values.reduce((best, value) => (isBetter(value, best) ? value : best));
}
