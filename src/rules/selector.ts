import { type FindFilter, readFindFilter } from './find-filter';
import type { MetatagFilter } from './metatag-filter';
import type { MetatagProblem } from './metatags';

/** Selects the sensors of a trigger's owner that the trigger is connected to. */
export interface Selector {
  filter: FindFilter;
  /** The namespace of the metatags. */
  namespace: string;
}

/** A selector is part of every record of its trigger. */
const MAX_CHARACTERS = 10_000;

const NOTHING =
  'must have metatag_statement_groups or sensor_statement_groups; {} without anything else selects every sensor';

/** The selector with only the fields that it has, or a problem, which names its place below `path`. */
export function readSelector(
  { filter, namespace = 'default' }: { filter: FindFilter; namespace?: string },
  path: string,
): { selector: Selector } | { problem: MetatagProblem } {
  const read = readFindFilter(filter, `${path}.filter`);
  if ('problem' in read) return read;
  const { metatag_statement_groups: metatags, sensor_statement_groups: properties } = filter;
  // A mistake must not connect the trigger to every sensor.
  if (!metatags && !properties && Object.keys(filter).length > 0)
    return { problem: { path: `${path}.filter`, why: NOTHING } };
  const selector: Selector = {
    filter: {
      ...(metatags && {
        metatag_statement_groups: metatags.map((group) =>
          group.map(({ metatag_name, operator, value }) => ({ metatag_name, operator, value })),
        ),
      }),
      ...(properties && {
        sensor_statement_groups: properties.map((group) =>
          group.map(({ sensor_property, operator, value }) => ({ sensor_property, operator, value })),
        ),
      }),
    },
    namespace,
  };
  if (JSON.stringify(selector).length <= MAX_CHARACTERS) return { selector };
  return { problem: { path, why: `takes more than ${MAX_CHARACTERS} characters as JSON` } };
}

/** A selector as its trigger stores it: JSON that `readSelector` has accepted. */
export function parseSelector(stored: string): Selector {
  return JSON.parse(stored) as Selector; // nothing else is stored
}

/** The conditions of a selector that `readSelector` has accepted. */
export function conditionsOf({ filter }: Selector): MetatagFilter {
  const read = readFindFilter(filter, 'filter');
  if ('problem' in read) throw new Error(`the stored selector is invalid: ${read.problem.path} ${read.problem.why}`);
  return read.filter;
}
