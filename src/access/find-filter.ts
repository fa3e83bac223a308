import { isRecord } from '../platform/is-record';
import { parseRecord } from '../platform/parse-record';
import { type MetatagFilter, SENSOR_PROPERTIES, type SensorProperty, type Statement } from './metatag-filter';
import { isValue, type MetatagProblem, type MetatagValue, valueKey } from './metatags';

/** The value that a statement compares with; documented in src/api/openapi/free-schemas.ts. */
export type StatementValue = unknown;

const OPERATORS = ['equal', 'in', 'is_set'] as const;

export type Operator = (typeof OPERATORS)[number];

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

/** A list is looked up for each sensor that the others match: many would keep the database busy. */
const MAX_LISTS = 30;
/** Maximum number of values in all lists together; a statement without a value counts as one. */
const MAX_VALUES = 1_000;

export const SAY_ALL = '"all": true selects everything';

/** A problem names its place, below `path`. */
export function readFindFilter(
  { metatag_statement_groups: metatags = [], sensor_statement_groups: properties = [] }: FindFilter,
  path: string,
): { filter: MetatagFilter } | { problem: MetatagProblem } {
  const problem =
    problemOf(metatags, `${path}.metatag_statement_groups`) ?? problemOf(properties, `${path}.sensor_statement_groups`);
  if (problem) return { problem };
  const filter = {
    metatags: readGroups(metatags, ({ metatag_name }) => metatag_name, valueKey),
    properties: readGroups(properties, ({ sensor_property }) => sensor_property, String),
  };
  const lists = [...filter.metatags, ...filter.properties];
  if (lists.length > MAX_LISTS) return { problem: { path, why: `has more than ${MAX_LISTS} lists of statements` } };
  const values = lists.flat().reduce((sum, { keys }) => sum + (keys === 'any' ? 1 : keys.length), 0);
  if (values > MAX_VALUES) return { problem: { path, why: `has more than ${MAX_VALUES} values in all` } };
  return { filter };
}

/** Reads a filter that a query has as JSON text. */
export function parseFindFilter(text: string, path: string): { filter: MetatagFilter } | { problem: MetatagProblem } {
  const given = parseRecord(text);
  if (!given) return { problem: { path, why: 'must be a filter in JSON' } };
  const { metatag_statement_groups: metatags = [], sensor_statement_groups: properties = [] } = given;
  const problem =
    shapeProblem(metatags, `${path}.metatag_statement_groups`, ({ metatag_name: name }) =>
      typeof name === 'string' ? undefined : 'must have a metatag_name',
    ) ??
    shapeProblem(properties, `${path}.sensor_statement_groups`, ({ sensor_property: name }) =>
      SENSOR_PROPERTIES.some((one) => one === name)
        ? undefined
        : `must have a sensor_property of ${SENSOR_PROPERTIES.join(', ')}`,
    );
  return problem ? { problem } : readFindFilter(given as FindFilter, path); // checked above
}

/** Checks lists of lists of statements. */
function shapeProblem(
  groups: unknown,
  path: string,
  whyNot: (statement: Record<string, unknown>) => string | undefined,
): MetatagProblem | undefined {
  if (!Array.isArray(groups) || !groups.every(Array.isArray)) {
    return { path, why: 'must be a list of lists of statements' };
  }
  for (const [at, group] of groups.entries()) {
    for (const [index, statement] of group.entries()) {
      const isStatement = isRecord(statement) && OPERATORS.some((one) => one === statement.operator);
      const why = isStatement ? whyNot(statement) : `must have an operator of ${OPERATORS.join(', ')}`;
      if (why) return { path: `${path}[${at}][${index}]`, why };
    }
  }
  return undefined;
}

/**
 * Checks a filter for work that acts on all that is found: only `all` selects everything. `path` is the object with
 * both.
 */
export function selectionProblem(
  { filter = {}, all = false }: { filter?: FindFilter; all?: boolean },
  path: string,
): MetatagProblem | undefined {
  const lists = Object.entries({
    metatag_statement_groups: filter.metatag_statement_groups ?? [],
    sensor_statement_groups: filter.sensor_statement_groups ?? [],
  });
  for (const [name, groups] of lists) {
    const empty = groups.findIndex((group) => group.length === 0);
    if (empty >= 0) return { path: `${path}filter.${name}[${empty}]`, why: 'must have at least one statement' };
  }
  const isEmpty = lists.every(([, groups]) => groups.length === 0);
  if (isEmpty && !all) return { path: `${path}filter`, why: `has no statement; ${SAY_ALL}` };
  if (!isEmpty && all) return { path: `${path}all`, why: 'must not be given together with a filter' };
  return undefined;
}

type AnyStatement = Pick<MetatagStatement, 'operator' | 'value'>;

function problemOf(groups: readonly AnyStatement[][], path: string): MetatagProblem | undefined {
  for (const [at, group] of groups.entries()) {
    for (const [index, { operator, value }] of group.entries()) {
      const where = `${path}[${at}][${index}].value`;
      if (operator === 'equal' && !isValue(value)) {
        return { path: where, why: 'must be a string, a number or a boolean' };
      }
      if (operator === 'in' && !listed(value).every(isValue)) {
        return { path: where, why: 'must be a list, or a string with commas' };
      }
    }
  }
  return undefined;
}

function readGroups<S extends AnyStatement, Name extends string>(
  groups: readonly S[][],
  nameOf: (statement: S) => Name,
  keyOf: (value: MetatagValue) => string,
): Statement<Name>[][] {
  const lists = groups.map((group) =>
    group.map((statement): Statement<Name> => ({ name: nameOf(statement), keys: keysOf(statement, keyOf) })),
  );
  return lists.filter((statements) => statements.length > 0);
}

function keysOf({ operator, value }: AnyStatement, keyOf: (value: MetatagValue) => string): string[] | 'any' {
  if (operator === 'is_set') return 'any';
  const values =
    operator === 'equal' ? [value] : listed(value).map((item) => (typeof item === 'string' ? item.trim() : item));
  return values.filter(isValue).map(keyOf);
}

function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];
}
