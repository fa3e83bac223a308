import { type FindFilter, readFindFilter, selectionProblem } from '../../access/find-filter';
import type { MetatagFilter } from '../../access/metatag-filter';
import type { MetatagProblem } from '../../access/metatags';

export interface Selector {
  filter: FindFilter;
  namespace: string;
}

/** Every record of a trigger has its selector. */
const MAX_CHARACTERS = 10_000;

/** Returns known fields, or a problem with its place below `path`. */
export function readSelector(
  { filter = {}, all, namespace = 'default' }: { filter?: FindFilter; all?: boolean; namespace?: string },
  path: string,
): { selector: Selector } | { problem: MetatagProblem } {
  const problem = selectionProblem({ filter, all }, `${path}.`);
  if (problem) return { problem };
  const read = readFindFilter(filter, `${path}.filter`);
  if ('problem' in read) return read;
  const selector: Selector = { filter: onlyKnown(filter), namespace };
  if (JSON.stringify(selector).length <= MAX_CHARACTERS) return { selector };
  return { problem: { path, why: `takes more than ${MAX_CHARACTERS} characters as JSON` } };
}

/** Drops unknown fields, and lists without statements. */
function onlyKnown(filter: FindFilter): FindFilter {
  const metatags = filter.metatag_statement_groups?.filter(({ length }) => length > 0) ?? [];
  const properties = filter.sensor_statement_groups?.filter(({ length }) => length > 0) ?? [];
  return {
    ...(metatags.length > 0 && {
      metatag_statement_groups: metatags.map((group) =>
        group.map(({ metatag_name, operator, value }) => ({ metatag_name, operator, value })),
      ),
    }),
    ...(properties.length > 0 && {
      sensor_statement_groups: properties.map((group) =>
        group.map(({ sensor_property, operator, value }) => ({ sensor_property, operator, value })),
      ),
    }),
  };
}

/** Older releases stored lists without a statement. */
export function parseSelector(stored: string): Selector {
  const { filter, namespace } = JSON.parse(stored) as Selector; // nothing else is stored
  return { filter: onlyKnown(filter), namespace };
}

export function selectsAll({ filter }: Selector): boolean {
  return Object.keys(filter).length === 0;
}

/** Requires a selector of `readSelector`. */
export function conditionsOf({ filter }: Selector): MetatagFilter {
  const read = readFindFilter(filter, 'filter');
  if ('problem' in read) throw new Error(`the stored selector is invalid: ${read.problem.path} ${read.problem.why}`);
  return read.filter;
}
