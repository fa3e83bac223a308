/** A model would store undefined fields as NULL. */
export function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T; // removes only undefined fields
}
