/** Why an expression has no result with these values. The message is shown to the trigger's owner. */
export class CannotEvaluate extends Error {}

/**
 * Maximum number of items (elements of lists, fields of objects, hundreds of characters of strings) that one evaluation
 * may visit: some milliseconds of work. A value has at most 65,535 bytes, so a few passes over the largest one are
 * possible.
 */
const MAX_VISITED_ITEMS = 100_000;
const CHARACTERS_PER_ITEM = 100;

// Evaluation is synchronous and never nested: one counter is enough.
let visited = 0;

/** Resets the counter for a new evaluation. */
export function resetVisits(): void {
  visited = 0;
}

/** The number of items that the latest evaluation has visited. */
export function visitedItems(): number {
  return visited;
}

/** Counts items before they are visited; throws CannotEvaluate beyond the limit. */
export function countVisits(items: number): void {
  visited += items;
  if (visited > MAX_VISITED_ITEMS) {
    throw new CannotEvaluate(`the expression is too expensive: more than ${MAX_VISITED_ITEMS} items to compare`);
  }
}

/** Counts the characters of a string before they are read. */
export function countCharacters(text: string): void {
  if (text.length > CHARACTERS_PER_ITEM) countVisits(Math.ceil(text.length / CHARACTERS_PER_ITEM));
}
