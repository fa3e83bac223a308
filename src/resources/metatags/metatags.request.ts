import { InvalidInput } from '../../platform/errors';
import type { MetatagFilter, SensorProperty, Statement } from '../../rules/metatag-filter';
import { isValue, type Metatags, type MetatagValue, readMetatags, valueKey } from '../../rules/metatags';
import type { Details, PageQuery } from '../formats/paging';

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
}

/** The distinct values of a metatag, of one namespace, in pages. */
export interface DistinctValuesQuery extends NamespaceQuery, PageQuery {}

/** Read by `readMetatags`; documented in src/api/openapi/free-schemas.ts. */
export type MetatagsInput = unknown;

/** The value that a statement compares with; documented in src/api/openapi/free-schemas.ts. */
export type StatementValue = unknown;

/** Metatags of a sensor: for each name a list of strings, numbers or booleans. */
export interface MetatagsRequest {
  /**
   * At most 30 names of at most 32 ASCII characters, and 1,000 values of at most 100 characters over all names. A name
   * with an empty list is removed. A namespace that already has more values may be reduced step by step.
   * @example {"room": ["kitchen"], "floor": [1, 2]}
   */
  metatags: MetatagsInput;
}

export type Operator = 'equal' | 'in' | 'is_set';

/** A statement about a metatag. */
export interface MetatagStatement {
  /**
   * @maxLength 255
   * @example "room"
   */
  metatag_name: string;
  /** @example "equal" */
  operator: Operator;
  /**
   * A string, number or boolean; for `in` a list, or strings separated by commas; nothing for `is_set`.
   * @example "kitchen"
   */
  value?: StatementValue;
}

/** A statement about a property of the sensor. */
export interface SensorStatement {
  /** @example "type" */
  sensor_property: SensorProperty;
  /** @example "in" */
  operator: Operator;
  /**
   * A string, number or boolean; for `in` a list, or strings separated by commas; nothing for `is_set`.
   * @example "0,1,2"
   */
  value?: StatementValue;
}

/** Lists of statements: in each list at least one must hold. At most 30 lists and 1,000 values altogether. */
export interface FindFilter {
  metatag_statement_groups?: MetatagStatement[][];
  sensor_statement_groups?: SensorStatement[][];
}

/** The sensors to find. */
export interface FindRequest {
  filter: FindFilter;
}

/** Each list is looked up for each sensor that the other lists match: many lists would keep the database busy. */
const MAX_LISTS = 30;
/** Maximum in all lists together; a statement without a value counts as one. */
const MAX_VALUES = 1_000;

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
  const { metatag_statement_groups: metatags = [], sensor_statement_groups: properties = [] } = filter;
  const read = {
    metatags: readGroups(metatags, 'filter.metatag_statement_groups', ({ metatag_name }) => metatag_name, valueKey),
    properties: readGroups(
      properties,
      'filter.sensor_statement_groups',
      ({ sensor_property }) => sensor_property,
      String,
    ),
  };
  const lists = [...read.metatags, ...read.properties];
  if (lists.length > MAX_LISTS) throw InvalidInput.field('filter', `has more than ${MAX_LISTS} lists of statements`);
  const values = lists.flat().reduce((sum, { keys }) => sum + (keys === 'any' ? 1 : keys.length), 0);
  if (values > MAX_VALUES) throw InvalidInput.field('filter', `has more than ${MAX_VALUES} values in all`);
  return read;
}

function readGroups<S extends { operator: Operator; value?: unknown }, Name extends string>(
  groups: readonly S[][],
  path: string,
  nameOf: (statement: S) => Name,
  keyOf: (value: MetatagValue) => string,
): Statement<Name>[][] {
  return groups.flatMap((group, at) => {
    const statements = group.map((statement, index): Statement<Name> => {
      const values = readValues(statement, `${path}[${at}][${index}].value`);
      return { name: nameOf(statement), keys: values?.map(keyOf) ?? 'any' };
    });
    return statements.length > 0 ? [statements] : [];
  });
}

/** The allowed values; empty if it is enough that the metatag is set. */
function readValues(
  { operator, value }: { operator: Operator; value?: unknown },
  path: string,
): MetatagValue[] | undefined {
  if (operator === 'is_set') return undefined;
  if (operator === 'equal') {
    if (!isValue(value)) throw InvalidInput.field(path, 'must be a string, a number or a boolean');
    return [value];
  }
  const listed: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];
  if (!listed.every(isValue)) throw InvalidInput.field(path, 'must be a list, or a string with commas');
  return listed.map((item) => (typeof item === 'string' ? item.trim() : item));
}
