/** Codes of the characters that mean something in a line. */
export const [COMMA, SPACE, EQUALS, QUOTE, BACKSLASH] = [44, 32, 61, 34, 92] as const;

/** The first such character that no backslash escapes, from there on; -1 if there is none. */
export function findUnescaped(text: string, from: number, code: number): number {
  const at = text.indexOf(String.fromCharCode(code), from);
  if (at < 0 || text.charCodeAt(at - 1) !== BACKSLASH) return at;
  for (let index = from; index < text.length; index += 1) {
    const one = text.charCodeAt(index);
    if (one === BACKSLASH) index += 1;
    else if (one === code) return index;
  }
  return -1;
}

/** The same outside of quoted texts. */
export function findUnquoted(text: string, from: number, code: number): number {
  const at = text.indexOf(String.fromCharCode(code), from);
  const quote = text.indexOf('"', from);
  if (quote < 0 || (at >= 0 && at < quote)) return findUnescaped(text, from, code);
  let isQuoted = false;
  for (let index = from; index < text.length; index += 1) {
    const one = text.charCodeAt(index);
    if (one === BACKSLASH) index += 1;
    else if (one === QUOTE) isQuoted = !isQuoted;
    else if (one === code && !isQuoted) return index;
  }
  return -1;
}

export function splitUnescaped(text: string, code: number): string[] {
  const parts: string[] = [];
  for (let from = 0; ; ) {
    const at = findUnescaped(text, from, code);
    if (at < 0) return [...parts, text.slice(from)];
    parts.push(text.slice(from, at));
    from = at + 1;
  }
}

export function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE) at += 1;
  return at;
}

export function withoutEscapes(text: string): string {
  return text.includes('\\') ? text.replace(/\\([,= \\])/g, '$1') : text;
}

export function withEscapes(text: string): string {
  return text.replace(/[,= ]/g, '\\$&');
}

export function countLineBreaks(text: string, from: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
