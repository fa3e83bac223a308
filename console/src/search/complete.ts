import type { Tags } from './find';
import { STATES, tagText, tokensOf, unquoted, valueText } from './query';

/** A text that may be typed next. */
export interface Completion {
  /** As shown. */
  text: string;
  /** The whole search with it. */
  result: string;
  /** The number of sensors that have this value. */
  count?: number;
}

const MOST = 8;
const TIMES = ['1h', '1d', '7d'];

/** Names of metatags, or their values after a colon, that contain what stands before the end of the text. */
export function completionsOf(text: string, tags: Tags): Completion[] {
  const last = tokensOf(text).at(-1);
  const token = last?.end === text.length ? last : undefined;
  if (token?.comparison) return [];
  const before = text.slice(0, token?.start) + (token?.minus ?? '');
  const typed = unquoted(token?.value ?? '').toLowerCase();
  const fits = (candidate: string) => candidate.toLowerCase().includes(typed);
  if (token?.name === undefined) {
    const names = [...tags.keys()].map((name) => nameText(name, tags));
    return [...names, ...(token?.minus ? [] : ['state:', 'silent:'])]
      .filter(fits)
      .slice(0, MOST)
      .map((name) => ({ text: name, result: before + name }));
  }
  const names = namesIn(token.name, tags);
  const name = names.find((one) => `${token.name}:${token.value}`.startsWith(`${one}:`)) ?? token.name;
  if (name === token.name && names.length > 0) {
    return names
      .filter((one) => one.toLowerCase().includes(typed))
      .slice(0, MOST)
      .map((one) => ({ text: `${one}:`, result: `${before}${one}:` }));
  }
  const begun = name === token.name ? typed : typed.slice(name.length - token.name.length);
  return [...valuesOf(name, tags)]
    .filter(([value]) => value.toLowerCase().includes(begun))
    .slice(0, MOST)
    .map(([value, count]) => ({
      text: value,
      result: `${before}${name !== token.name && /[\s"]/.test(value) ? tagText(name, value) : `${name}:${valueText(value)}`} `,
      ...(count !== undefined && { count }),
    }));
}

/** How a name is typed. A name of another namespace has no quotes if the search reads it without them. */
function nameText(name: string, tags: Tags): string {
  const namespace = tags.namespaces.get(name);
  const isPlain = namespace !== undefined && namesIn(namespace, tags).includes(name);
  return isPlain ? `${name}:` : tagText(name, '').replace(/""$/, '');
}

/** The names of a namespace that can be typed without quotes. */
function namesIn(namespace: string, tags: Tags): string[] {
  if (tags.has(namespace)) return []; // it is a name of the default namespace
  return [...tags.namespaces]
    .filter(([name, of]) => of === namespace && /^[^\s:"-][^\s:"]*:[^\s:"]+$/.test(name))
    .map(([name]) => name);
}

function valuesOf(name: string, tags: Tags): Iterable<readonly [string, number | undefined]> {
  const keyword = name.toLowerCase();
  if (keyword === 'state') return STATES.map((state) => [state, undefined] as const);
  if (keyword === 'silent') return TIMES.map((time) => [time, undefined] as const);
  const own = unquoted(name);
  const [only, ...others] = [...tags.namespaces].filter(([key, of]) => key === `${of}:${own}`);
  return tags.get(own) ?? (only && others.length === 0 ? tags.get(only[0]) : undefined) ?? [];
}
