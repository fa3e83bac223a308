/** Without the fields that are not given: a model would take them for NULL. */
export function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T; // only unset ones go
}
