import { formatList } from '../../format';
import { t } from '../../language';
import type { Comparison } from '../../search/query';
import { isComparison, valuesOf } from '../../search/selectors';

type Operator = 'equal' | 'in' | 'is_set';
type Scalar = string | number | boolean;

interface MetatagStatement {
  metatag_name: string;
  operator: Operator | Comparison;
  value?: Scalar | Scalar[];
}

interface SensorStatement<Property extends string> {
  sensor_property: Property;
  operator: Operator;
  value?: Scalar | Scalar[];
}

/** The selector of a trigger, as the API has it. */
interface Selector<Property extends string> {
  filter: { metatag_statement_groups?: MetatagStatement[][]; sensor_statement_groups?: SensorStatement<Property>[][] };
  /** True if it selects all sensors. */
  all?: boolean;
  namespace: string;
}

/** A metatag that sensors must have, with one of the values if some are given; they are separated by commas. */
export interface TagCondition {
  name: string;
  values: string;
}

/** A condition that the console shows and keeps, but cannot edit: its text and its statements. */
export interface FixedCondition<Property extends string> {
  text: string;
  metatags?: MetatagStatement[];
  properties?: SensorStatement<Property>[];
}

/** The sensors that a trigger follows: none, all of its owner, or those that meet all conditions. */
export interface Follows<Property extends string = string> {
  kind: 'none' | 'conditions' | 'all';
  namespace: string;
  conditions: readonly (TagCondition | FixedCondition<Property>)[];
}

/** Which sensors a trigger follows, in words. */
export const FOLLOWED: readonly (readonly [Follows['kind'], string])[] = [
  ['none', t('No other sensors')],
  ['conditions', t('My sensors with certain metatags')],
  ['all', t('All my sensors')],
];

export const EMPTY_CONDITION: TagCondition = { name: '', values: '' };

/** Converts a stored selector for editing. */
export function followsOf<P extends string>(selector: Selector<P> | null): Follows<P> {
  if (!selector) return { kind: 'none', namespace: 'default', conditions: [] };
  const { metatag_statement_groups: metatags = [], sensor_statement_groups: properties = [] } = selector.filter;
  const conditions = [
    ...metatags.filter(isFilled).map(conditionOf),
    ...properties
      .filter(isFilled)
      .map((group) => ({ text: formatList(group.map(propertyText), 'disjunction'), properties: group })),
  ];
  return { kind: conditions.length > 0 ? 'conditions' : 'all', namespace: selector.namespace, conditions };
}

/** The selector in the API's form; null for none, undefined if a condition is missing or incomplete. */
export function selectorOf<P extends string>(follows: Follows<P>): Selector<P> | null | undefined {
  const { kind, conditions } = follows;
  const namespace = follows.namespace.trim() || 'default';
  if (kind === 'none') return null;
  if (kind === 'all') return { filter: {}, all: true, namespace };
  const isIncomplete = conditions.some((one) => isTag(one) && one.name.trim() === '');
  if (conditions.length === 0 || isIncomplete) return undefined;
  const metatags = conditions.flatMap((one) => {
    if (isTag(one)) return [[statementOf(one)]];
    return one.metatags ? [one.metatags] : [];
  });
  const properties = conditions.flatMap((one) => (!isTag(one) && one.properties ? [one.properties] : []));
  const filter = {
    ...(metatags.length > 0 && { metatag_statement_groups: metatags }),
    ...(properties.length > 0 && { sensor_statement_groups: properties }),
  };
  return { filter, namespace };
}

/** True for a condition that can be edited. */
export function isTag(condition: TagCondition | FixedCondition<string>): condition is TagCondition {
  return 'name' in condition;
}

/** A condition in words. */
export function conditionText(condition: TagCondition | FixedCondition<string>): string {
  return isTag(condition) ? textOf(condition.name, statementOf(condition)) : condition.text;
}

function isFilled(group: readonly unknown[]): boolean {
  return group.length > 0;
}

/** An editable condition for one statement with values that a field can show. */
function conditionOf(group: MetatagStatement[]): TagCondition | FixedCondition<never> {
  const [first, ...others] = group;
  const values = first ? valuesOf(first) : [];
  const isPlain = values.every((value) => value !== '' && value === value.trim() && !value.includes(','));
  const isEmptyList = first?.operator !== 'is_set' && values.length === 0;
  if (first && others.length === 0 && isPlain && !isEmptyList && !isComparison(first)) {
    return { name: first.metatag_name, values: values.join(', ') };
  }
  return {
    text: formatList(
      group.map((one) => textOf(one.metatag_name, one)),
      'disjunction',
    ),
    metatags: group,
  };
}

function statementOf({ name, values }: TagCondition): MetatagStatement {
  const list = values
    .split(',')
    .map((value) => value.trim())
    .filter(Boolean);
  const [first, ...others] = list;
  if (first === undefined) return { metatag_name: name.trim(), operator: 'is_set' };
  if (others.length === 0) return { metatag_name: name.trim(), operator: 'equal', value: first };
  return { metatag_name: name.trim(), operator: 'in', value: list };
}

type Values = Pick<MetatagStatement, 'operator' | 'value'>;

function propertyText<P extends string>(statement: SensorStatement<P>): string {
  return textOf(statement.sensor_property.replaceAll('_', ' '), statement);
}

function textOf(name: string, statement: Values): string {
  if (isComparison(statement)) return `${name} ${statement.operator} ${statement.value}`;
  const values = valuesOf(statement);
  return values.length > 0
    ? t('{name} is {values}', { name, values: formatList(values, 'disjunction') })
    : t('{name} is set', { name });
}
