import { readNumber } from '../language/sensor-value';
import { isRecord } from '../platform/is-record';
import { parseRecord } from '../platform/parse-record';
import {
  COMPARISONS,
  type MetatagFilter,
  type NumberStatement,
  SENSOR_PROPERTIES,
  type SensorProperty,
  type Statement,
} from './metatag-filter';
import { isValue, type MetatagProblem, type MetatagValue, valueKey } from './metatags';

/** The value that a statement compares with; documented in src/api/openapi/free-schemas.ts. */
export type StatementValue = unknown;

const OPERATORS = ['equal', 'in', 'is_set'] as const;
const METATAG_OPERATORS = [...OPERATORS, ...COMPARISONS] as const;

export type Operator = (typeof OPERATORS)[number];
export type MetatagOperator = (typeof METATAG_OPERATORS)[number];

/** A statement about a metatag. */
export interface MetatagStatement {
  /**
   * @maxLength 255
   * @example "room"
   */
  metatag_name: string;
  /**
   * `<`, `<=`, `>` and `>=` compare values that are numbers, or strings that spell one; they find no others.
   * @example "equal"
   */
  operator: MetatagOperator;
  /**
   * A string, number or boolean; for `in` a list, or strings separated by commas; nothing for `is_set`; a number, or a
   * string that spells one, for comparisons.
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

/**
 * Lists of statements: in each list at least one must hold. At most 30 lists, 1,000 values and 30 comparisons altogether.
 */
export interface FindFilter {
  metatag_statement_groups?: MetatagStatement[][];
  sensor_statement_groups?: SensorStatement[][];
}

/** Looked up for each sensor that the others match. */
const MAX_LISTS = 30;
/** A statement without a value counts as one. */
const MAX_VALUES = 1_000;
/** No index answers a comparison. */
const MAX_COMPARISONS = 30;

export const SAY_ALL = '"all": true selects everything';

export function readFindFilter(
  { metatag_statement_groups: metatags = [], sensor_statement_groups: properties = [] }: FindFilter,
  path: string,
): { filter: MetatagFilter } | { problem: MetatagProblem } {
  const problem =
    problemOf(metatags, `${path}.metatag_statement_groups`) ?? problemOf(properties, `${path}.sensor_statement_groups`);
  if (problem) return { problem };
  const filter = {
    metatags: readGroups(metatags, readMetatagStatement),
    properties: readGroups(properties, (statement) => ({
      name: statement.sensor_property,
      keys: keysOf(statement, String),
    })),
  };
  const lists = [...filter.metatags, ...filter.properties];
  if (lists.length > MAX_LISTS) return { problem: { path, why: `has more than ${MAX_LISTS} lists of statements` } };
  const statements = lists.flat();
  const values = statements.reduce((sum, one) => sum + ('keys' in one && one.keys !== 'any' ? one.keys.length : 1), 0);
  if (values > MAX_VALUES) return { problem: { path, why: `has more than ${MAX_VALUES} values in all` } };
  const comparisons = statements.filter((one) => 'comparison' in one).length;
  if (comparisons <= MAX_COMPARISONS) return { filter };
  return { problem: { path, why: `has more than ${MAX_COMPARISONS} comparisons with numbers in all` } };
}

function readMetatagStatement(statement: MetatagStatement): Statement | NumberStatement {
  const { metatag_name: name, operator, value } = statement;
  const comparison = COMPARISONS.find((one) => one === operator);
  if (comparison) return { name, comparison, number: numberIn(value) ?? Number.NaN }; // checked before
  return { name, keys: keysOf(statement, valueKey) };
}

/** Null if it is no finite number. */
function numberIn(value: unknown): number | null {
  if (typeof value === 'string') return readNumber(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function parseFindFilter(text: string, path: string): { filter: MetatagFilter } | { problem: MetatagProblem } {
  const given = parseRecord(text);
  if (!given) return { problem: { path, why: 'must be a filter in JSON' } };
  const { metatag_statement_groups: metatags = [], sensor_statement_groups: properties = [] } = given;
  const problem =
    shapeProblem(metatags, `${path}.metatag_statement_groups`, METATAG_OPERATORS, ({ metatag_name: name }) =>
      typeof name === 'string' ? undefined : 'must have a metatag_name',
    ) ??
    shapeProblem(properties, `${path}.sensor_statement_groups`, OPERATORS, ({ sensor_property: name }) =>
      SENSOR_PROPERTIES.some((one) => one === name)
        ? undefined
        : `must have a sensor_property of ${SENSOR_PROPERTIES.join(', ')}`,
    );
  return problem ? { problem } : readFindFilter(given as FindFilter, path); // checked above
}

function shapeProblem(
  groups: unknown,
  path: string,
  operators: readonly string[],
  whyNot: (statement: Record<string, unknown>) => string | undefined,
): MetatagProblem | undefined {
  if (!Array.isArray(groups) || !groups.every(Array.isArray)) {
    return { path, why: 'must be a list of lists of statements' };
  }
  for (const [at, group] of groups.entries()) {
    for (const [index, statement] of group.entries()) {
      const isStatement = isRecord(statement) && operators.some((one) => one === statement.operator);
      const why = isStatement ? whyNot(statement) : `must have an operator of ${operators.join(', ')}`;
      if (why) return { path: `${path}[${at}][${index}]`, why };
    }
  }
  return undefined;
}

/** For work that acts on all that is found: only `all` selects everything. `path` has both. */
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
      if (COMPARISONS.some((one) => one === operator) && numberIn(value) === null) {
        return { path: where, why: 'must be a number' };
      }
    }
  }
  return undefined;
}

function readGroups<Given, Read>(groups: readonly Given[][], read: (statement: Given) => Read): Read[][] {
  return groups.filter(({ length }) => length > 0).map((group) => group.map(read));
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
