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
  const before = text.slice(0, token?.start) + (token?.minus ?? '');
  const typed = unquoted(token?.value ?? '').toLowerCase();
  const fits = (candidate: string) => candidate.toLowerCase().includes(typed);
  if (token?.name === undefined) {
    const names = [...tags.keys()].map((name) => tagText(name, '').replace(/""$/, ''));
    return [...names, ...(token?.minus ? [] : ['state:', 'silent:'])]
      .filter(fits)
      .slice(0, MOST)
      .map((name) => ({ text: name, result: before + name }));
  }
  const name = token.name;
  return [...valuesOf(name, tags)]
    .filter(([value]) => fits(value))
    .slice(0, MOST)
    .map(([value, count]) => ({
      text: value,
      result: `${before}${name}:${valueText(value)} `,
      ...(count !== undefined && { count }),
    }));
}

function valuesOf(name: string, tags: Tags): Iterable<readonly [string, number | undefined]> {
  const keyword = name.toLowerCase();
  if (keyword === 'state') return STATES.map((state) => [state, undefined] as const);
  if (keyword === 'silent') return TIMES.map((time) => [time, undefined] as const);
  return tags.get(unquoted(name)) ?? [];
}
