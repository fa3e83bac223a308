import { InvalidInput } from '../platform/errors';

/** `sensors[0]`, or `sensor` if it is the single one. */
export interface ListedItem<T> {
  item: T;
  path: string;
}

/** Reads a list, a single thing, or both. Throws InvalidInput if there is none. */
export function readListOrSingle<T>(
  list: { name: string; items: readonly T[] | undefined },
  single: { name: string; item: T | undefined },
): ListedItem<T>[] {
  const named = (list.items ?? []).map((item, index) => ({ item, path: `${list.name}[${index}]` }));
  if (single.item !== undefined) named.push({ item: single.item, path: single.name });
  if (named.length === 0) throw InvalidInput.field(list.name, 'is required');
  return named;
}
