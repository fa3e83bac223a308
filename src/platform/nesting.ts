/** From the thing itself to its outermost parent. `parents` maps each thing to its parent. */
export function ancestorsOf(id: number, parents: ReadonlyMap<number, number | null>): number[] {
  const way = new Set<number>();
  for (let at: number | null = id; at !== null && !way.has(at); at = parents.get(at) ?? null) way.add(at);
  return [...way];
}
