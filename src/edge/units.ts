/** Field → unit. */
export interface UnitsByField {
  [field: string]: string;
}
