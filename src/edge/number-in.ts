/**
 * Numbers to MySQL and MariaDB as well, short enough that no sum of them overflows. These are the sources of the
 * patterns, for SQL and JavaScript.
 */
export const PLAIN_NUMBER = '^-?[0-9]{1,20}([.][0-9]{1,20})?$';
export const ANY_NUMBER =
  '^[[:space:]]*[-+]?([0-9]{1,40}([.][0-9]*)?|[.][0-9]+)([eE]([+]?[0-9]{1,2}|-[0-9]{1,3}))?[[:space:]]*$';

const ANY = new RegExp(ANY_NUMBER.replaceAll('[[:space:]]', '[ \\t\\n\\v\\f\\r]'));

/** The number that a stored value is; undefined if it is none. Aggregates of intervals are of these numbers. */
export function numberIn(value: string): number | undefined {
  return ANY.test(value) ? Number(value) : undefined;
}
