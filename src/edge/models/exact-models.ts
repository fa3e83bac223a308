const NONE: ReadonlySet<string> = new Set();
const OF_MUTES: ReadonlySet<string> = new Set(['id', 'created', 'created_by']);

/**
 * Requests that act on many things: an unknown key is a mistake, because a misspelled condition would select
 * everything. With the keys that they may have nevertheless.
 */
export const EXACT_MODELS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['BulkRequest', NONE],
  ['BulkFiringsRequest', NONE],
  ['SelectorInput', NONE],
  ['DataRangeQuery', NONE],
  ['NewMuteFields', OF_MUTES],
  ['MuteFields', OF_MUTES],
]);

/** Name the credential or the method, not the operation. */
const ABOUT_REQUEST = /^(?:API_KEY|_METHOD|oauth_\w+)$/;

export function unknownKeyOf(
  value: object,
  known: readonly string[],
  allowed: ReadonlySet<string>,
): { key: string; why: string } | undefined {
  const key = Object.keys(value).find((one) => !known.includes(one) && !allowed.has(one) && !ABOUT_REQUEST.test(one));
  if (key === undefined) return undefined;
  return {
    key,
    why: known.length === 0 ? 'is unknown: no field is taken here' : `is unknown: one of ${known.join(', ')}`,
  };
}
