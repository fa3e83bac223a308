/** Reading is recursive. */
const MAX_DEPTH = 32;
/** Parsing cannot pause: so many values take up to 30 ms. */
const MAX_VALUES = 100_000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPEN: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSE: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** The reason follows the message; null for a text that may be parsed. */
export function whyTooLarge(text: string): string | null {
  let [depth, values] = [0, 1];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values += 1;
    else if (OPEN.has(code)) [depth, values] = [depth + 1, values + 1];
    else if (CLOSE.has(code)) depth -= 1;
    if (depth > MAX_DEPTH) return `has more than ${MAX_DEPTH} levels`;
    if (values > MAX_VALUES) return `has more than ${MAX_VALUES} values`;
  }
  return null;
}

/** Position of the quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}
