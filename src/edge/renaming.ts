import { withoutUndefined } from '../platform/without-undefined';

/** `owner_id` → `ownerId`. */
type ColumnName<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<ColumnName<Rest>>}`
  : Name;

/** `ownerId` → `owner_id`. */
type FieldName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${FieldName<Rest>}`
  : Name;

/** The fields of a request under the names of the columns. */
export type Columns<Fields> = {
  [Name in keyof Fields as Name extends string ? ColumnName<Name> : never]: Fields[Name];
};

/** Renames the fields of a request, which has no others than it declares, to columns. Absent fields are left out. */
export function toColumns<Fields extends object>(fields: Fields): Columns<Fields> {
  const renamed = Object.entries(fields).map(([name, value]) => [columnName(name), value]);
  return withoutUndefined(Object.fromEntries(renamed)) as Columns<Fields>; // one entry for each field
}

/** The columns that an answer shows as they are, under the names of its fields. */
export function toFields<Values extends object, Name extends keyof Values & string>(
  values: Values,
  columns: readonly Name[],
): { [Key in Name as FieldName<Key>]: Values[Key] } {
  const renamed = columns.map((column) => [fieldName(column), values[column]]);
  return Object.fromEntries(renamed) as { [Key in Name as FieldName<Key>]: Values[Key] }; // one entry for each column
}

function columnName(field: string): string {
  return field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function fieldName(column: string): string {
  return column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
