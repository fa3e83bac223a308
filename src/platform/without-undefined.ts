/** Removes fields that are undefined: a model would store them as NULL. */
export function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T; // removes only undefined fields
}
