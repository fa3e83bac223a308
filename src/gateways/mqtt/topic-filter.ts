import { isWellFormed } from '../../platform/well-formed';

/** Maximum length of a topic or a filter, in bytes: its length is a number of 16 bits. */
const MAX_TOPIC_BYTES = 65_535;
/** Maximum length of the filter of a source, in characters. */
const MAX_FILTER = 1_000;
const CONTROL = /\p{Cc}/u;

/**
 * Why a text is not a topic filter of MQTT (3.1.1, 4.7), for an error that begins with its field; null if it is one. `#`
 * may only be the last level, `+` only a whole level. `$share/…` is refused, because a source is one subscriber.
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

/** True for a name of a topic, to which messages are published: it has no wildcards. */
export function isTopic(text: string): boolean {
  const isShort = text !== '' && Buffer.byteLength(text) <= MAX_TOPIC_BYTES;
  return isShort && isWellFormed(text) && !/[+#]/.test(text) && !CONTROL.test(text);
}

/** The levels of a filter before its first wildcard; `""` if it begins with one. */
export function fixedPart(filter: string): string {
  const levels = filter.split('/');
  const wild = levels.findIndex((level) => level === '#' || level === '+');
  return (wild < 0 ? levels : levels.slice(0, wild)).join('/');
}

/** True if every topic that the other filter matches is matched by this one. */
export function covers(filter: string, other: string): boolean {
  // Wildcards of the first level do not match topics of the broker itself, such as $SYS.
  if (other.startsWith('$') && /^[+#]/.test(filter)) return false;
  const [levels, others] = [filter.split('/'), other.split('/')];
  for (const [index, level] of levels.entries()) {
    if (level === '#') return true;
    const theirs = others[index];
    if (theirs === undefined || theirs === '#' || (level !== '+' && level !== theirs)) return false;
  }
  return levels.length === others.length;
}

/**
 * The filters without those that another of them covers: a broker may deliver a message once for each filter. Only filters
 * with wildcards cover others.
 */
export function withoutCovered(filters: readonly string[]): string[] {
  const all = [...new Set(filters)];
  const wide = all.filter((filter) => /[+#]/.test(filter));
  return all.filter((filter) => !wide.some((other) => other !== filter && covers(other, filter)));
}
