import { withoutUndefined } from '../../platform/without-undefined';

export type Renaming = Readonly<Record<string, string>>;

/** Absent switches are left out. */
export function toInner<N extends Renaming>(
  names: N,
  switches: { readonly [K in keyof N]?: boolean } | undefined,
): { [K in keyof N as N[K]]?: boolean } {
  const entries = Object.entries(names).map(([outer, inner]) => [inner, switches?.[outer]] as const);
  const renamed = withoutUndefined(Object.fromEntries(entries));
  return renamed as { [K in keyof N as N[K]]?: boolean };
}

/** All switches under the API's names. */
export function toOuter<N extends Renaming>(
  names: N,
  values: { readonly [K in keyof N as N[K]]: boolean },
): { [K in keyof N]: boolean } {
  const byName: Readonly<Record<string, boolean>> = values;
  const renamed = Object.fromEntries(Object.entries(names).map(([outer, inner]) => [outer, byName[inner]]));
  return renamed as { [K in keyof N]: boolean };
}
