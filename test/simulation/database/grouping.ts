import { evaluate, type Scope } from './evaluation';
import { NotSimulated } from './not-simulated';
import type { Expression, Row, Select, Value } from './sql-syntax';

/** A row for each group of rows with the same values of `GROUP BY`. */
export function grouped({ items, group }: Select, scopes: readonly Scope[]): Row[] {
  const groups = new Map<string, Scope[]>();
  for (const scope of scopes) {
    const key = JSON.stringify(group.map((by) => evaluate(by, scope)));
    groups.set(key, [...(groups.get(key) ?? []), scope]);
  }
  return [...groups.values()].map((members) => {
    return Object.fromEntries(
      items.map((item) => {
        if (item.kind === 'all') throw new NotSimulated('* with GROUP BY');
        return [item.name, valueIn(item.value, members)];
      }),
    );
  });
}

function valueIn(expression: Expression, members: readonly Scope[]): Value {
  const [first] = members;
  if (!first) return null;
  if (expression.kind !== 'call' || expression.name !== 'MIN') return evaluate(expression, first);
  const [argument] = expression.arguments;
  const values = argument ? members.map((scope) => evaluate(argument, scope)) : [];
  return values.reduce((least, value) => (least === null || (value !== null && value < least) ? value : least), null);
}
