/** Begins with the thing itself. `parents` maps things to parents. */
export function ancestorsOf(id: number, parents: ReadonlyMap<number, number | null>): number[] {
  const way = new Set<number>();
  for (let at: number | null = id; at !== null && !way.has(at); at = parents.get(at) ?? null) way.add(at);
  return [...way];
}
