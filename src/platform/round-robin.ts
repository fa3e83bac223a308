/** The first item of each owner, then the second ones. */
export function roundRobin<T>(items: readonly T[], ownerOf: (item: T) => number): T[] {
  const rounds: T[][] = [];
  const taken = new Map<number, number>();
  for (const item of items) {
    const round = taken.get(ownerOf(item)) ?? 0;
    taken.set(ownerOf(item), round + 1);
    const others = rounds[round];
    if (others) others.push(item);
    else rounds.push([item]);
  }
  return rounds.flat();
}
