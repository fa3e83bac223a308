/** Numbers in MySQL and MariaDB as well, too short for a sum to overflow. */
export const PLAIN_NUMBER = '^-?[0-9]{1,20}([.][0-9]{1,20})?$';
export const ANY_NUMBER =
  '^[[:space:]]*[-+]?([0-9]{1,40}([.][0-9]*)?|[.][0-9]+)([eE]([+]?[0-9]{1,2}|-[0-9]{1,3}))?[[:space:]]*$';

const ANY = new RegExp(ANY_NUMBER.replaceAll('[[:space:]]', '[ \\t\\n\\v\\f\\r]'));

/** Undefined if the value is no number. Aggregates use these numbers. */
export function numberIn(value: string): number | undefined {
  return ANY.test(value) ? Number(value) : undefined;
}
