import { type Comparison, type Query, readNumber, type State, type Term } from './query';

interface TagStatement {
  metatag_name: string;
  operator: 'equal' | 'in' | 'is_set' | Comparison;
  value?: string | string[] | number;
}

/** The body of `POST /sensors/find`. */
export interface FindBody {
  filter: { metatag_statement_groups?: TagStatement[][] };
  state?: State;
  silent_for?: number;
}

type TagTerm = Term & { kind: 'tag' };

/** The part of a search that the platform answers. */
export function findBody({ terms }: Query): FindBody {
  const groups = [...byName(terms).values()].map((alternatives) => [statementOf(alternatives)]);
  const state = terms.find((term) => term.kind === 'state')?.state;
  const inactive = Math.max(0, ...terms.map((term) => (term.kind === 'silent' ? term.seconds : 0)));
  return {
    filter: groups.length > 0 ? { metatag_statement_groups: groups } : {},
    ...(state && { state }),
    ...(inactive > 0 && { silent_for: inactive }),
  };
}

/** The conditions of a search as the selector of a trigger; undefined if a selector cannot say all of it. */
export function selectorFilter(query: Query): FindBody['filter'] | undefined {
  const isOfTags = query.terms.every((term) => term.kind === 'tag' && !term.not && term.namespace === undefined);
  return isOfTags && query.terms.length > 0 && query.mistakes.length === 0 ? findBody(query).filter : undefined;
}

/** The terms of the default namespace, by name. */
function byName(terms: readonly Term[]): Map<unknown, TagTerm[]> {
  return grouped(terms.filter((term) => term.kind === 'tag' && !term.not && term.namespace === undefined));
}

/** Values of one name are alternatives; each comparison is a group of its own. */
function grouped(terms: readonly Term[]): Map<unknown, TagTerm[]> {
  const found = new Map<unknown, TagTerm[]>();
  for (const term of terms) {
    if (term.kind !== 'tag') continue;
    const key = term.comparison ? term : term.name;
    found.set(key, [...(found.get(key) ?? []), term]);
  }
  return found;
}

function statementOf(alternatives: readonly TagTerm[]): TagStatement {
  const [first] = alternatives;
  const metatag_name = first?.name ?? '';
  if (first?.comparison) return { metatag_name, operator: first.comparison, value: Number(first.value) };
  const values = alternatives.map(({ value }) => value);
  if (values.includes('')) return { metatag_name, operator: 'is_set' };
  const [value = '', ...others] = values;
  return others.length > 0
    ? { metatag_name, operator: 'in', value: values }
    : { metatag_name, operator: 'equal', value };
}

/** A sensor as a search sees it. */
export interface Searched {
  name: string;
  display_name?: string;
  device_type?: string;
  /** The outside names of its series. */
  outside?: string;
  metatags?: Metatags;
  /** Its metatags in the other namespaces. */
  other_metatags?: Readonly<Record<string, Metatags>>;
}

type Metatags = Readonly<Record<string, readonly unknown[]>>;

/**
 * True for sensors that meet the rest of a search: its words, the metatags of other namespaces, and those that they
 * must not have.
 */
export function restOf({ terms }: Query): (sensor: Searched) => boolean {
  const tests = terms.flatMap((term): ((sensor: Searched) => boolean)[] => {
    if (term.kind === 'word') return [(sensor) => hasWord(sensor, term.text.toLowerCase()) !== term.not];
    return term.kind === 'tag' && term.not ? [(sensor) => !hasTag(sensor, term)] : [];
  });
  const wanted = terms.filter((term) => term.kind === 'tag' && !term.not && term.namespace !== undefined);
  for (const alternatives of grouped(wanted).values()) {
    tests.push((sensor) => alternatives.some((term) => hasTag(sensor, term)));
  }
  return (sensor) => tests.every((test) => test(sensor));
}

function hasWord({ name, display_name = '', device_type = '', outside = '' }: Searched, word: string): boolean {
  return `${name} ${display_name} ${device_type} ${outside}`.toLowerCase().includes(word);
}

function hasTag(sensor: Searched, term: TagTerm): boolean {
  const { name, value, namespace } = term;
  const values = valuesIn(sensor, namespace === undefined ? name : name.slice(namespace.length + 1), namespace);
  return value === '' ? values.length > 0 : values.some((each) => fits(String(each), term));
}

/** Letter case matters in the names of metatags, and not in their values. */
function fits(text: string, { value, comparison }: TagTerm): boolean {
  if (!comparison) return text.toLowerCase() === value.toLowerCase();
  const number = readNumber(text);
  if (comparison.endsWith('=') && number === Number(value)) return true;
  return comparison.startsWith('<') ? number < Number(value) : number > Number(value);
}

/** The values of a metatag, by its name in a namespace. */
export function valuesIn({ metatags = {}, other_metatags: others = {} }: Searched, name: string, namespace?: string) {
  const tags = namespace === undefined ? metatags : Object.hasOwn(others, namespace) ? (others[namespace] ?? {}) : {};
  return Object.hasOwn(tags, name) ? (tags[name] ?? []) : [];
}

/**
 * The metatags of some sensors: how many sensors have each value. The names of other namespaces begin with the
 * namespace and a colon.
 */
export interface Tags extends ReadonlyMap<string, ReadonlyMap<string, number>> {
  /** The namespaces of such names. */
  namespaces: ReadonlyMap<string, string>;
}

const order = new Intl.Collator(undefined, { numeric: true });

/** The metatags of these sensors, by their names and values in order. */
export function tagsOf(sensors: readonly Searched[]): Tags {
  const tags = new Map<string, Map<string, number>>();
  const namespaces = new Map<string, string>();
  const add = (name: string, values: readonly unknown[]) => {
    const counts = tags.get(name) ?? new Map<string, number>();
    tags.set(name, counts);
    for (const value of new Set(values.map(String))) counts.set(value, (counts.get(value) ?? 0) + 1);
  };
  for (const { metatags = {} } of sensors) {
    for (const [name, values] of Object.entries(metatags)) add(name, values);
  }
  const plain = new Set(tags.keys());
  for (const { other_metatags: others = {} } of sensors) {
    for (const [namespace, metatags] of Object.entries(others)) {
      for (const [name, values] of Object.entries(metatags)) {
        const key = `${namespace}:${name}`;
        if (plain.has(key)) continue;
        namespaces.set(key, namespace);
        add(key, values);
      }
    }
  }
  const ordered = inOrder(tags).map(([name, counts]) => [name, new Map(inOrder(counts))] as const);
  return Object.assign(new Map(ordered), { namespaces });
}

/** The values that a sensor has of a metatag, named as in `tags`. */
export function tagValues(sensor: Searched, name: string, tags: Pick<Tags, 'namespaces'>): string[] {
  const { namespace, tag } = tagOf(name, tags);
  return valuesIn(sensor, tag, namespace).map(String);
}

/** The namespace of a metatag, unless it is the default one, and its name there. */
export function tagOf(name: string, { namespaces }: Pick<Tags, 'namespaces'>): { namespace?: string; tag: string } {
  const namespace = namespaces.get(name);
  return namespace === undefined ? { tag: name } : { namespace, tag: name.slice(namespace.length + 1) };
}

function inOrder<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => order.compare(a, b));
}

/** A name or a value of a search that no sensor has; undefined if there is none. */
export function unknownIn({ terms }: Query, tags: Tags): { name: string; value?: string } | undefined {
  for (const term of terms) {
    if (term.kind !== 'tag') continue;
    const counts = tags.get(term.name);
    if (!counts) return { name: term.name };
    const { name, value, comparison = '' } = term;
    if (value !== '' && ![...counts.keys()].some((one) => fits(one, term))) return { name, value: comparison + value };
  }
  return undefined;
}
