/** Approximate number of characters that are made and sent at a time. */
const PART = 256 * 1024;

/** Joins pieces of a text to parts of at least `PART` characters each, except the last one. A piece is never cut. */
export function* partsOfText(pieces: Iterable<string>): Generator<string> {
  let some: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    some.push(piece);
    length += piece.length;
    if (length < PART) continue;
    yield some.join('');
    some = [];
    length = 0;
  }
  if (some.length > 0) yield some.join('');
}
