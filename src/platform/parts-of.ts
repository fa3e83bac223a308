/** Parts of `size` items, in order; the last one may have fewer. */
export function partsOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}

/** Parts in order that weigh `most` at most, or have one item. */
export function partsByWeight<T>(items: readonly T[], weightOf: (item: T) => number, most: number): T[][] {
  const parts: T[][] = [];
  let weight = 0;
  for (const item of items) {
    const more = weightOf(item);
    const part = parts.at(-1);
    if (part && weight + more <= most) {
      part.push(item);
      weight += more;
    } else {
      parts.push([item]);
      weight = more;
    }
  }
  return parts;
}
