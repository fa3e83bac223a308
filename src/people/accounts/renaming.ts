import { withoutUndefined } from '../../platform/without-undefined';

/** Pairs the API's names of switches with the platform's names. */
export type Renaming = Readonly<Record<string, string>>;

/** The given switches under the platform's names; absent ones are left out. */
export function toInner<N extends Renaming>(
  names: N,
  switches: { readonly [K in keyof N]?: boolean } | undefined,
): { [K in keyof N as N[K]]?: boolean } {
  const entries = Object.entries(names).map(([outer, inner]) => [inner, switches?.[outer]] as const);
  const renamed = withoutUndefined(Object.fromEntries(entries));
  return renamed as { [K in keyof N as N[K]]?: boolean }; // the names of the table and no others
}

/** All switches under the API's names. */
export function toOuter<N extends Renaming>(
  names: N,
  values: { readonly [K in keyof N as N[K]]: boolean },
): { [K in keyof N]: boolean } {
  const byName: Readonly<Record<string, boolean>> = values;
  const renamed = Object.fromEntries(Object.entries(names).map(([outer, inner]) => [outer, byName[inner]]));
  return renamed as { [K in keyof N]: boolean }; // the names of the table and no others
}
