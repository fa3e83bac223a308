import { selectorFilter, type Tags } from './find';
import { type Query, readQuery, type Term, tagText } from './query';

type TagTerm = Term & { kind: 'tag' };

/**
 * Finds the namespaces of the metatags of a search: `influx:device:x` and, if no other namespace has it, `device:x`.
 * A name of the default namespace comes first. A name of several other namespaces is left out, and named.
 */
export function withNamespaces({ terms, mistakes }: Query, tags: Tags): Query {
  const query: Query = { terms: [], mistakes: [...mistakes] };
  for (const term of terms) {
    const found = term.kind === 'tag' ? placesOf(term, tags) : [term];
    if (found.length > 1) query.mistakes.push({ why: 'namespaces', text: found.map(nameOf).join(', ') });
    else query.terms.push(found[0] ?? term);
  }
  return query;
}

function nameOf(term: Term): string {
  return term.kind === 'tag' ? term.name : '';
}

function placesOf(term: TagTerm, tags: Tags): TagTerm[] {
  const placed = (name: string, value: string): TagTerm => {
    const namespace = tags.namespaces.get(name);
    return { ...term, name, value, ...(namespace !== undefined && { namespace }) };
  };
  if (tags.has(term.name)) return [placed(term.name, term.value)];
  const [first = '', ...rest] = term.value.split(':');
  const qualified = `${term.name}:${first}`;
  if (tags.has(qualified)) return [placed(qualified, rest.join(':'))];
  return elsewhere(term.name, tags).map((key) => placed(key, term.value));
}

/** A name that the default namespace shares with others, of which the search finds only the former; and their names. */
export function sharedName({ terms }: Query, tags: Tags): { name: string; others: string[] } | undefined {
  for (const term of terms) {
    if (term.kind !== 'tag' || term.namespace !== undefined || !tags.has(term.name)) continue;
    const others = elsewhere(term.name, tags);
    if (others.length > 0) return { name: term.name, others };
  }
  return undefined;
}

/** The names of the other namespaces that are this name with a namespace before it. */
function elsewhere(name: string, { namespaces }: Tags): string[] {
  return [...namespaces].filter(([key, namespace]) => key === `${namespace}:${name}`).map(([key]) => key);
}

/** What a new trigger follows instead of the sensors that a search found; undefined if no selector can say it. */
export function followedBy(query: Query, text: string): { follow: string; namespace?: string } | undefined {
  if (selectorFilter(query)) return { follow: text };
  const spaces = new Set(query.terms.map((term) => (term.kind === 'tag' ? term.namespace : undefined)));
  const [namespace] = spaces;
  if (spaces.size !== 1 || namespace === undefined) return undefined;
  const terms = query.terms.flatMap((term): TagTerm[] => {
    if (term.kind !== 'tag') return [];
    const { namespace: _, ...rest } = term;
    return [{ ...rest, name: term.name.slice(namespace.length + 1) }];
  });
  if (!selectorFilter({ terms, mistakes: query.mistakes })) return undefined;
  return { follow: terms.map(({ name, value, comparison }) => tagText(name, value, comparison)).join(' '), namespace };
}

/** A search as a selector; undefined if a selector cannot say all of it. An empty search selects all sensors. */
export function selectorOf(query: Query, text: string) {
  if (text.trim() === '') return { filter: {}, all: true, namespace: 'default' };
  const { follow, namespace = 'default' } = followedBy(query, text) ?? {};
  const filter = follow === undefined ? undefined : selectorFilter(readQuery(follow));
  return filter && { filter, namespace };
}
