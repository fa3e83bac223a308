import { isWellFormed } from '../../platform/well-formed';

/** The length is a number of 16 bits. */
const MAX_TOPIC_BYTES = 65_535;
/** In characters. */
const MAX_FILTER = 1_000;
const CONTROL = /\p{Cc}/u;

/**
 * The reason follows the field; null for a filter (MQTT 3.1.1, 4.7). `$share/…` is refused, because a source is one
 * subscriber.
 */
export function whyNoFilter(filter: string): string | null {
  if (filter === '' || filter.length > MAX_FILTER) return `must have 1 to ${MAX_FILTER} characters`;
  if (!isWellFormed(filter) || CONTROL.test(filter)) return 'must not hold control characters';
  if (filter.startsWith('$share/')) return 'must not be a shared subscription';
  const levels = filter.split('/');
  const hash = levels.findIndex((level) => level.includes('#'));
  if (hash >= 0 && (levels[hash] !== '#' || hash < levels.length - 1)) return 'may have # only as its last level';
  return levels.some((level) => level.includes('+') && level !== '+') ? 'may have + only as a whole level' : null;
}

/** A topic without wildcards. */
export function isTopic(text: string): boolean {
  const isShort = text !== '' && Buffer.byteLength(text) <= MAX_TOPIC_BYTES;
  return isShort && isWellFormed(text) && !/[+#]/.test(text) && !CONTROL.test(text);
}

/** The levels before the first wildcard; `""` if there are none. */
export function fixedPart(filter: string): string {
  const levels = filter.split('/');
  const wild = levels.findIndex((level) => level === '#' || level === '+');
  return (wild < 0 ? levels : levels.slice(0, wild)).join('/');
}

/** `filter` matches every topic that `other` matches. */
export function covers(filter: string, other: string): boolean {
  return coversLevels(levelsOf(filter), levelsOf(other));
}

/** Texts that are compared with many are split once: a topic may have 30,000 levels. */
export function levelsOf(filter: string): readonly string[] {
  return filter.split('/');
}

/** `covers`, by the levels. */
export function coversLevels(levels: readonly string[], others: readonly string[]): boolean {
  // Wildcards of the first level do not match topics of the broker itself, such as $SYS.
  if (others[0]?.startsWith('$') && (levels[0] === '+' || levels[0] === '#')) return false;
  const isOpen = levels.at(-1) === '#';
  if (isOpen ? levels.length - 1 > others.length : levels.length !== others.length) return false;
  for (let index = isOpen ? levels.length - 2 : levels.length - 1; index >= 0; index -= 1) {
    const level = levels[index];
    const theirs = others[index];
    if (theirs === '#' || (level !== '+' && level !== theirs)) return false;
  }
  return true;
}

export function isWild(filter: string): boolean {
  return /[+#]/.test(filter);
}

/** A broker may deliver a message once for each filter. */
export function withoutCovered(filters: readonly string[]): string[] {
  const all = [...new Set(filters)].map((filter) => ({ filter, levels: levelsOf(filter) }));
  const wide = all.filter(({ filter }) => isWild(filter));
  const isCovered = (one: (typeof all)[number]) =>
    wide.some((other) => other !== one && coversLevels(other.levels, one.levels));
  return all.filter((one) => !isCovered(one)).map(({ filter }) => filter);
}
