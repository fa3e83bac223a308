import { InvalidInput } from '../../platform/errors';
import type { Steps } from '../../platform/steps';

/** Nesting of lists and objects. */
export const MAX_DEPTH = 100;
/** Values, names and separators. A point with its date has about six. */
const MAX_TOKENS = 1_000_000;
/** Commas and colons in one list or object: ten thousand points, or the fields of the largest value. */
export const MAX_TOKENS_OF_ONE = 100_000;

const BYTES_PER_STEP = 1_048_576;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses what would be expensive to parse, in steps of 1 MB: kilobytes of compressed brackets can become millions of
 * objects.
 */
export function* checkJsonLimits(bytes: Buffer): Steps<void> {
  let pauseAt = BYTES_PER_STEP;
  const counts: number[] = [];
  let tokens = 0;
  let ofOne = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        counts.push(ofOne);
        ofOne = 0;
        tokens += 1;
        if (counts.length > MAX_DEPTH) throw refused(`is nested more than ${MAX_DEPTH} deep`);
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        ofOne = counts.pop() ?? 0;
        break;
      case COMMA:
      case COLON:
        tokens += 1;
        ofOne += 1;
        if (ofOne > MAX_TOKENS_OF_ONE) throw refused(`has a list or object of more than ${MAX_TOKENS_OF_ONE} parts`);
        break;
      default:
    }
    if (tokens > MAX_TOKENS) throw refused(`has more than ${MAX_TOKENS} values and names`);
    if (at < pauseAt) continue;
    pauseAt = at + BYTES_PER_STEP;
    yield;
  }
}

function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function refused(why: string): InvalidInput {
  return new InvalidInput(`the body ${why}`, undefined, 'too_complex');
}
