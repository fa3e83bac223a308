import { withoutUndefined } from '../platform/without-undefined';

/** `owner_id` → `ownerId`. */
type ColumnName<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<ColumnName<Rest>>}`
  : Name;

/** `ownerId` → `owner_id`. */
type FieldName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${FieldName<Rest>}`
  : Name;

/** The named columns of a request. A request may have other fields than it declares, so each is named. */
export function toColumns<Fields extends object, Column extends ColumnName<keyof Fields & string>>(
  fields: Fields,
  columns: readonly Column[],
): { [Name in Column]: Fields[FieldName<Name> & keyof Fields] } {
  const renamed = columns.map((column) => [column, Reflect.get(fields, fieldName(column))]);
  const given = withoutUndefined(Object.fromEntries(renamed));
  return given as { [Name in Column]: Fields[FieldName<Name> & keyof Fields] }; // one entry for each given field
}

/** The fields of an answer that hold the values of these columns unchanged. */
export function toFields<Values extends object, Name extends keyof Values & string>(
  values: Values,
  columns: readonly Name[],
): { [Key in Name as FieldName<Key>]: Values[Key] } {
  const renamed = columns.map((column) => [fieldName(column), values[column]]);
  return Object.fromEntries(renamed) as { [Key in Name as FieldName<Key>]: Values[Key] }; // one entry for each column
}

/** `ownerId` → `owner_id`. */
export function fieldName(column: string): string {
  return column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
