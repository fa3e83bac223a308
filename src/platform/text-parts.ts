/** Approximate characters of a sent part. */
const PART = 256 * 1024;

/** Parts have at least `PART` characters, except the last one. Never cuts a piece. */
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
