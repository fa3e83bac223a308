/** Shown to the trigger's owner. */
export class CannotEvaluate extends Error {}

/** Maximum number of elements, fields and hundreds of characters that one evaluation visits: some milliseconds. */
const MAX_VISITED_ITEMS = 100_000;
const CHARACTERS_PER_ITEM = 100;

// Evaluation is synchronous and never nested: one counter is enough.
let visited = 0;

export function resetVisits(): void {
  visited = 0;
}

export function visitedItems(): number {
  return visited;
}

/** Call before visiting the items. Throws CannotEvaluate beyond the limit. */
export function countVisits(items: number): void {
  visited += items;
  if (visited > MAX_VISITED_ITEMS) {
    throw new CannotEvaluate(`the expression is too expensive: more than ${MAX_VISITED_ITEMS} items to compare`);
  }
}

export function countCharacters(text: string): void {
  if (text.length > CHARACTERS_PER_ITEM) countVisits(Math.ceil(text.length / CHARACTERS_PER_ITEM));
}
