/**
 * Other platforms' names of the date of a point, in lower case. They are matched without regard to case, and only where
 * a point has no `date`. `date` is included for its other spellings, such as `Date`.
 */
const DATE_NAMES: ReadonlySet<string> = new Set(
  'date datetime date_time timestamp time ts created_at createdat'.split(' '),
);
const LONGEST_NAME = Math.max(...[...DATE_NAMES].map(({ length }) => length));

/** Whether a point may have its date under this name. */
export function isDateName(name: string): boolean {
  return name.length <= LONGEST_NAME && DATE_NAMES.has(name.toLowerCase());
}
