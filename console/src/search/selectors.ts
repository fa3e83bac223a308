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
  const names = new Set(groups.map(([first]) => first?.metatag_name));
  // A search takes values of one name as alternatives.
  if (others.length > 0 || names.size < groups.length || groups.some(({ length }) => length !== 1)) return undefined;
  const space = selector.namespace === 'default' ? '' : `${selector.namespace}:`;
  return groups
    .flat()
    .flatMap((statement) => valuesOf(statement).map((value) => tagText(space + statement.metatag_name, value)))
    .join(' ');
}

/** An empty value stands for any. */
function valuesOf({ operator, value }: Statement): string[] {
  if (operator === 'is_set') return [''];
  if (operator === 'in' && typeof value === 'string') return value.split(',').map((one) => one.trim());
  return [value].flat().map(String);
}
