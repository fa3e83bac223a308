/**
 * Other names of the date of a point, as other platforms write them, in small letters: they are read without regard to
 * case where a point has no `date`. `date` itself is here for its other spellings, `Date` for instance.
 */
const DATE_NAMES: ReadonlySet<string> = new Set(
  'date datetime date_time timestamp time ts created_at createdat'.split(' '),
);
const LONGEST_NAME = Math.max(...[...DATE_NAMES].map(({ length }) => length));

/** Whether a point may have its date under this name. */
export function isDateName(name: string): boolean {
  return name.length <= LONGEST_NAME && DATE_NAMES.has(name.toLowerCase());
}
