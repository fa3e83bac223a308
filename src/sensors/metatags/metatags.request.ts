import { type FindFilter, readFindFilter } from '../../access/find-filter';
import type { MetatagFilter } from '../../access/metatag-filter';
import { type Metatags, readMetatags } from '../../access/metatags';
import type { Details, PageQuery } from '../../edge/paging';
import type { PresentFilter, PresentState } from '../../edge/present-filter';
import { InvalidInput } from '../../platform/errors';

/** The namespace of metatags. */
export interface NamespaceQuery {
  /**
   * The namespace; `default` if not given.
   * @maxLength 255
   * @example "default"
   */
  namespace?: string;
}

/** The details of a search for sensors of a group. */
export interface MetatagListQuery extends NamespaceQuery, PageQuery {
  /**
   * `full`: the whole record; `no`: only the ids; otherwise id, name and metatags.
   * @example "full"
   */
  details?: Details;
}

/** The scope and details of a search for sensors. */
export interface OwnedMetatagListQuery extends MetatagListQuery {
  /**
   * Your own sensors (the default), the sensors of others that you can see, or both.
   * @example "me"
   */
  sensor_owner?: 'me' | 'shared' | 'all';
  /**
   * If true, each sensor has the metatags of the other namespaces as well, in `other_metatags`; not with `details=no`.
   * @example true
   */
  all_namespaces?: boolean;
}

/** The distinct values of a metatag, of one namespace, in pages. */
export interface DistinctValuesQuery extends NamespaceQuery, PageQuery {}

/** Read by `readMetatags`; documented in src/api/openapi/free-schemas.ts. */
export type MetatagsInput = unknown;

/** Metatags of a sensor: for each name a list of strings, numbers or booleans. */
export interface MetatagsRequest {
  /**
   * At most 30 names of at most 32 ASCII characters, and 1,000 values of at most 100 characters over all names. A name
   * with an empty list is removed. A namespace that already has more values may be reduced step by step.
   * @example {"room": ["kitchen"], "floor": [1, 2]}
   */
  metatags: MetatagsInput;
}

/** What sensors are doing now. */
export interface PresentInput {
  /**
   * Only sensors on which one of your triggers fires (`firing`); of the others those without data for longer than
   * expected (`silent`, see `expected_interval`); of the others those with a trigger that is true but does not fire yet
   * (`pending`), or with triggers that are not (`ok`).
   * @example "firing"
   */
  state?: PresentState;
  /**
   * Only sensors without a stored point in so many seconds.
   * @minimum 1
   * @maximum 315576000
   * @example 86400
   */
  silent_for?: number;
}

/** The sensors to find. */
export interface FindRequest extends PresentInput {
  filter: FindFilter;
}

/** What a search asks about the present. */
export function readPresent({ state, silent_for }: PresentInput): PresentFilter {
  return { ...(state && { state }), ...(silent_for !== undefined && { inactiveForMs: silent_for * 1000 }) };
}

export function readNamespace({ namespace }: NamespaceQuery): string {
  return namespace ?? 'default';
}

/** The metatags of a body, with all limits checked. */
export function readMetatagsOf({ metatags }: MetatagsRequest): Metatags {
  const read = readMetatags(metatags);
  if ('problem' in read) throw InvalidInput.field(read.problem.path, read.problem.why);
  return read.metatags;
}

export function readFilter({ filter }: FindRequest): MetatagFilter {
  const read = readFindFilter(filter, 'filter');
  if ('problem' in read) throw InvalidInput.field(read.problem.path, read.problem.why);
  return read.filter;
}
