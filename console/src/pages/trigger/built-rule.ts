import { readNumber } from '../../search/query';

/** What makes a trigger fire and what ends its episodes. Durations are seconds, as texts; empty for none. */
export interface Condition {
  expression: string;
  inactivity: string;
  hold: string;
  resolveExpression: string;
  keepFiringFor: string;
}

/** The kinds of rules that the builder writes; `own` is any other rule. */
export type Kind =
  | 'above'
  | 'below'
  | 'outside'
  | 'changes-by'
  | 'unchanged-for'
  | 'average-over'
  | ZoneKind
  | 'no-data'
  | 'own';

type ZoneKind = 'in-zone' | 'outside-zone' | 'changes-zone';

/** The fields of the builder, as typed texts. A kind writes the fields that its template names. */
export interface Built extends Condition {
  kind: Kind;
  /** `sensor_data_value`, or one of its fields. */
  variable: string;
  /** The number to compare with, or a label in its place; the lower one of a range. */
  bound: string;
  upper: string;
  /** Seconds of a window. */
  window: string;
  /** The name of an environment. */
  zone: string;
  /** The number that ends an episode, or the lower one of a range; empty to end it as soon as the rule is false. */
  end: string;
  upperEnd: string;
}

type Blank = 'variable' | 'bound' | 'upper' | 'window' | 'zone' | 'end' | 'upperEnd';

export const PLAIN = 'sensor_data_value';

/** The expressions of each kind, with the fields of the builder in braces. */
const TEMPLATES: Readonly<Record<Exclude<Kind, 'no-data' | 'own'>, { fires: string; ends: string }>> = {
  above: { fires: '{variable} > {bound}', ends: '{variable} < {end}' },
  below: { fires: '{variable} < {bound}', ends: '{variable} > {end}' },
  outside: {
    fires: '{variable} < {bound} or {variable} > {upper}',
    ends: '{variable} > {end} and {variable} < {upperEnd}',
  },
  'changes-by': { fires: 'abs({variable} - last_{variable}) >= {bound}', ends: '' },
  'unchanged-for': {
    fires: 'changes({variable}, {window}) == 0 and count_over_time({variable}, {window}) > 1',
    ends: '',
  },
  'average-over': {
    fires: 'avg_over_time({variable}, {window}) > {bound}',
    ends: 'avg_over_time({variable}, {window}) < {end}',
  },
  'in-zone': { fires: 'in_zone("{zone}")', ends: '' },
  'outside-zone': { fires: 'not in_zone("{zone}")', ends: '' },
  'changes-zone': { fires: 'zone() != last_zone()', ends: '' },
};

const NUMBER = String.raw`-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?`;
const BOUND = String.raw`(?:${NUMBER}|label\("(?!(?:[^":\\]*:)?\s*")[^"\\]+"(?:, ${NUMBER})?\))`;
const SECONDS = String.raw`[1-9]\d*`;
const PATTERNS: Readonly<Record<Blank, string>> = {
  variable: String.raw`${PLAIN}(?:\.\w+|\["[^"\\]*"\])*`,
  bound: BOUND,
  upper: BOUND,
  window: SECONDS,
  zone: String.raw`[^"\\]+`,
  end: BOUND,
  upperEnd: BOUND,
};

export const NOTHING_BUILT: Built = {
  kind: 'above',
  variable: PLAIN,
  bound: '',
  upper: '',
  window: '',
  zone: '',
  end: '',
  upperEnd: '',
  expression: '',
  inactivity: '',
  hold: '',
  resolveExpression: '',
  keepFiringFor: '',
};

/** The condition that the fields mean. An expression of which a field is empty or no number is empty. */
export function write(built: Built): Condition {
  const { kind, expression, inactivity, hold, resolveExpression, keepFiringFor } = built;
  if (kind === 'own') return { expression, inactivity, hold, resolveExpression, keepFiringFor };
  if (kind === 'no-data') return { expression: '', inactivity, hold: '', resolveExpression: '', keepFiringFor: '' };
  const { fires, ends } = TEMPLATES[kind];
  return { expression: fill(fires, built), inactivity, hold, resolveExpression: fill(ends, built), keepFiringFor };
}

/** The fields that write exactly this condition. A condition that no kind writes is an own expression, unchanged. */
export function read(condition: Condition): Built {
  const { expression, inactivity, hold, resolveExpression, keepFiringFor } = condition;
  const start: Built = { ...NOTHING_BUILT, inactivity, hold, keepFiringFor };
  const candidates: Built[] = Object.entries(TEMPLATES).map(([kind, { fires, ends }]) => ({
    ...start,
    kind: kind as Kind, // a key of the templates
    ...fieldsIn(expression, fires),
    ...fieldsIn(resolveExpression, ends),
  }));
  const possible: Built[] = expression ? candidates : [inactivity ? { ...start, kind: 'no-data' } : start];
  return (
    possible.find((built) => isWritten(built, condition)) ?? { ...start, kind: 'own', expression, resolveExpression }
  );
}

/**
 * The same fields for another kind, without the numbers that end an episode: they mean something else there. An own
 * expression begins with what the fields have written.
 */
export function withKind(built: Built, kind: Kind): Built {
  return { ...built, ...(kind === 'own' && write(built)), kind, end: '', upperEnd: '' };
}

/** A label of each sensor in place of a number, and the number where it is missing. Both may be empty. */
export interface Label {
  name: string;
  missing: string;
}

/** Undefined for a number. */
export function readLabel(bound: string): Label | undefined {
  const [, name, missing = ''] = /^label\("([^"]*)"(?:, (.+))?\)$/.exec(bound) ?? [];
  return name === undefined ? undefined : { name, missing };
}

export function writeLabel({ name, missing }: Label): string {
  return `label("${name.replace(/["\\]/g, '')}"${missing && `, ${missing}`})`;
}

/** The first values of metatags, by the names that rules give them. */
export type Labels = Readonly<Record<string, unknown>>;

/** The number of a bound on a sensor with these labels; NaN if it has none, or its labels are not known. */
export function numberOf(bound: string, labels: Labels | undefined): number {
  const label = readLabel(bound);
  return readNumber(String(label ? labels && (labels[label.name] ?? label.missing) : bound));
}

/** True if it reads where the sensor is, and not its values. */
export function readsZone(kind: Kind): kind is ZoneKind {
  return kind.endsWith('zone');
}

/** The fields of the numbers that are drawn as lines over the values. */
export type BoundName = 'bound' | 'upper' | 'end' | 'upperEnd';

/** The lines over the values of a sensor with these labels. A number that is missing or not known has none. */
export function linesOf(built: Built, labels: Labels | undefined) {
  const field = built.variable.slice(PLAIN.length + 1);
  return boundsOf(built)
    .map((name) => {
      const isEnd = name === 'end' || name === 'upperEnd';
      return { name, field, value: numberOf(built[name], labels), isEnd };
    })
    .filter(({ value }) => !Number.isNaN(value));
}

/** An average is drawn as well: it is near the values. */
function boundsOf({ kind }: Built): readonly BoundName[] {
  if (kind === 'outside') return ['bound', 'upper', 'end', 'upperEnd'];
  return kind === 'above' || kind === 'below' || kind === 'average-over' ? ['bound', 'end'] : [];
}

/** The variable of a field of JSON values; a dot stands between nested fields. */
export function variableOf(field: string): string {
  return field ? `${PLAIN}.${field.replace(/[^\w.]/g, '_')}` : PLAIN;
}

function isWritten(built: Built, condition: Condition): boolean {
  return Object.entries(write(built)).every(([name, text]) => condition[name as keyof Condition] === text);
}

const BLANK = /\{(\w+)\}/g;

function fill(template: string, built: Built): string {
  let isWhole = true;
  const text = template.replace(BLANK, (_, name: Blank) => {
    isWhole &&= new RegExp(`^(?:${PATTERNS[name]})$`).test(built[name]);
    return built[name];
  });
  return isWhole ? text : '';
}

/** The fields in a text that was written with the template; none if it was not. */
function fieldsIn(text: string, template: string): Partial<Record<Blank, string>> {
  const seen = new Set<string>();
  const pattern = template.replace(/[()|+*.^$=?[\]\\]/g, String.raw`\$&`).replace(BLANK, (_, name: Blank) => {
    if (seen.has(name)) return String.raw`\k<${name}>`;
    seen.add(name);
    return `(?<${name}>${PATTERNS[name]})`;
  });
  return new RegExp(`^${pattern}$`).exec(text)?.groups ?? {};
}
