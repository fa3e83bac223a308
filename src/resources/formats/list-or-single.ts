import { InvalidInput } from '../../platform/errors';

/** One of the things that a body names, and where: `sensors[0]`, or `sensor` when it is the single one. */
export interface ListedItem<T> {
  item: T;
  path: string;
}

/** The things of a body that names them as a list, as a single one, or as both; InvalidInput when it names none. */
export function readListOrSingle<T>(
  list: { name: string; items: readonly T[] | undefined },
  single: { name: string; item: T | undefined },
): ListedItem<T>[] {
  const named = (list.items ?? []).map((item, index) => ({ item, path: `${list.name}[${index}]` }));
  if (single.item !== undefined) named.push({ item: single.item, path: single.name });
  if (named.length === 0) throw InvalidInput.field(list.name, 'is required');
  return named;
}
