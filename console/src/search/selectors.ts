import { tagText } from './query';

interface Statement {
  metatag_name: string;
  operator: string;
  value?: unknown;
}

/** Which sensors a trigger or a tile follows, as the API has it. */
interface Selector {
  filter: { metatag_statement_groups?: Statement[][]; sensor_statement_groups?: unknown[][] };
  namespace: string;
}

/** A search for the sensors of a selector, empty for all; undefined if a search cannot say it. */
export function searchOf(selector: Selector | null | undefined): string | undefined {
  if (!selector) return '';
  const { metatag_statement_groups: groups = [], sensor_statement_groups: others = [] } = selector.filter;
  const listed = groups.filter(([first]) => first && !isComparison(first));
  const names = new Set(listed.map(([first]) => first?.metatag_name));
  // A search takes values of one name as alternatives.
  if (others.length > 0 || names.size < listed.length || groups.some(({ length }) => length !== 1)) return undefined;
  const space = selector.namespace === 'default' ? '' : `${selector.namespace}:`;
  const termsOf = (one: Statement) => {
    if (isComparison(one)) return tagText(space + one.metatag_name, String(one.value), one.operator);
    const values = one.operator === 'is_set' ? [''] : valuesOf(one); // an empty value stands for any
    return values.map((value) => tagText(space + one.metatag_name, value));
  };
  return groups.flat().flatMap(termsOf).join(' ');
}

export function isComparison({ operator }: Pick<Statement, 'operator'>): boolean {
  return /[<>]/.test(operator);
}

/** The values of a statement as texts: numbers and booleans compare equal to them. Empty if any value will do. */
export function valuesOf({ operator, value }: Pick<Statement, 'operator' | 'value'>): string[] {
  if (operator === 'is_set') return [];
  if (operator === 'equal') return [String(value)];
  const list: readonly unknown[] = Array.isArray(value) ? value : String(value).split(',');
  return list.map((one) => (typeof one === 'string' ? one.trim() : String(one)));
}
