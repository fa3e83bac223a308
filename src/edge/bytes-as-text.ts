import { isAscii, isUtf8 } from 'node:buffer';

type Charset = 'utf-8' | 'us-ascii' | 'windows-1252';

/** Names in WHATWG's Encoding Standard. All are supersets of ASCII: the limits see the structure that is parsed. */
const CHARSETS: ReadonlyMap<string, Charset> = new Map([
  ...['utf-8', 'utf8', 'unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'x-unicode20utf8'].map(
    (name) => [name, 'utf-8'] as const,
  ),
  ...['us-ascii', 'ascii', 'ansi_x3.4-1968', 'iso-ir-6', 'iso646-us', 'us', 'csascii'].map(
    (name) => [name, 'us-ascii'] as const,
  ),
  ...['iso-8859-1', 'iso8859-1', 'iso88591', 'iso_8859-1', 'iso_8859-1:1987', 'iso-ir-100', 'latin1', 'latin-1'].map(
    (name) => [name, 'windows-1252'] as const,
  ),
  ...['l1', 'csisolatin1', 'ibm819', 'cp819', 'windows-1252', 'cp1252', 'x-cp1252'].map(
    (name) => [name, 'windows-1252'] as const,
  ),
]);
const WINDOWS_1252 = new TextDecoder('windows-1252');
const LINE_BREAK = 0x0a;

/** The charset is not one that is read. */
export class UnknownCharset extends Error {
  constructor() {
    super('the charset must be utf-8, us-ascii, iso-8859-1 or windows-1252');
  }
}

/** The message names the first line that does not fit. */
export class BrokenText extends Error {}

export interface TextInLines {
  text: string;
  /** Why broken lines are refused, by their numbers from 1. */
  broken: ReadonlyMap<number, string>;
}

/** Returns lower case; UTF-8 if the content type names none. */
export function charsetIn(contentType: string | undefined): string {
  return /charset *= *["']?([^"';\s]+)/.exec(contentType?.toLowerCase() ?? '')?.[1] ?? 'utf-8';
}

/** Strict: no byte becomes a replacement character. Drops a byte order mark. Throws UnknownCharset or BrokenText. */
export function readText(bytes: Buffer, charset: string): string {
  const known = knownCharset(charset);
  if (known === 'windows-1252') return WINDOWS_1252.decode(bytes);
  if (isValid(bytes, known)) return withoutMark(bytes);
  const [line = 1] = brokenLines(bytes, known);
  throw new BrokenText(`is not valid ${known} in line ${line}`);
}

/** Refuses lines one by one. Throws UnknownCharset. */
export function readTextInLines(bytes: Buffer, charset: string): TextInLines {
  const known = knownCharset(charset);
  if (known === 'windows-1252') return { text: WINDOWS_1252.decode(bytes), broken: new Map() };
  const broken = isValid(bytes, known) ? [] : [...brokenLines(bytes, known)];
  return { text: withoutMark(bytes), broken: new Map(broken.map((line) => [line, `is not valid ${known}`])) };
}

function knownCharset(charset: string): Charset {
  const known = CHARSETS.get(charset);
  if (known === undefined) throw new UnknownCharset();
  return known;
}

function isValid(bytes: Buffer, charset: Exclude<Charset, 'windows-1252'>): boolean {
  return charset === 'utf-8' ? isUtf8(bytes) : isAscii(bytes);
}

function withoutMark(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function* brokenLines(bytes: Buffer, charset: Exclude<Charset, 'windows-1252'>): Generator<number> {
  for (let from = 0, line = 1; from < bytes.length; line += 1) {
    const found = bytes.indexOf(LINE_BREAK, from);
    const end = found < 0 ? bytes.length : found;
    if (!isValid(bytes.subarray(from, end), charset)) yield line;
    from = end + 1;
  }
}
