/** What a line of the line protocol says. */
export interface ReadLine {
  /** Measurement and tags, as written. */
  key: string;
  fields: readonly ReadField[];
  /** As written; empty if there is none. */
  time: string;
}

export interface ReadField {
  name: string;
  value: string;
  dataType: 'float' | 'boolean' | 'string';
}

/** The reason why a line cannot be read. */
export class LineProblem extends Error {}

/** A text has no end in this line: it may continue in the next one. */
export class OpenText extends LineProblem {
  constructor() {
    super('has a text without an end');
  }
}

const [SPACE, QUOTE, COMMA, EQUALS, BACKSLASH] = [32, 34, 44, 61, 92];
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+$/;
const BOOLEANS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['t', 'T', 'true', 'True', 'TRUE'].map((word) => [word, 'true'])),
  ...Object.fromEntries(['f', 'F', 'false', 'False', 'FALSE'].map((word) => [word, 'false'])),
};

/**
 * Reads a line by https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/. Undefined for empty lines and
 * comments. Throws LineProblem.
 */
export function readLine(text: string): ReadLine | undefined {
  const line = text.trim();
  if (line === '' || line.startsWith('#')) return undefined;
  const keyEnd = unescaped(line, 0, SPACE);
  if (keyEnd < 0) throw new LineProblem('has no fields');
  const fields: ReadField[] = [];
  let at = behindSpaces(line, keyEnd);
  for (;;) {
    const { field, end } = readField(line, at);
    fields.push(field);
    if (line.charCodeAt(end) !== COMMA) {
      return { key: line.slice(0, keyEnd), fields, time: line.slice(behindSpaces(line, end)) };
    }
    at = end + 1;
  }
}

/** The measurement and the tags of a key, without escapes. Throws LineProblem. */
export function readKey(key: string): { measurement: string; tags: Record<string, string> } {
  const [measurement = '', ...parts] = splitUnescaped(key, COMMA);
  if (measurement === '') throw new LineProblem('has no measurement');
  const tags: [string, string][] = parts.map((part) => {
    const at = unescaped(part, 0, EQUALS);
    if (at <= 0 || at === part.length - 1) throw new LineProblem(`has the tag ${part}, which is not name=value`);
    return [plain(part.slice(0, at)), plain(part.slice(at + 1))];
  });
  return { measurement: plain(measurement), tags: Object.fromEntries(tags.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

function readField(line: string, from: number): { field: ReadField; end: number } {
  const equals = unescaped(line, from, EQUALS);
  if (equals <= from) throw new LineProblem('has a field that is not name=value');
  const name = plain(line.slice(from, equals));
  if (line.charCodeAt(equals + 1) === QUOTE) return readText(line, name, equals + 2);
  let end = equals + 1;
  while (end < line.length && line.charCodeAt(end) !== COMMA && line.charCodeAt(end) !== SPACE) end += 1;
  return { field: { name, ...readScalar(line.slice(equals + 1, end), name) }, end };
}

function readText(line: string, name: string, from: number): { field: ReadField; end: number } {
  let at = from;
  while (at < line.length && line.charCodeAt(at) !== QUOTE) at += line.charCodeAt(at) === BACKSLASH ? 2 : 1;
  if (at >= line.length) throw new OpenText();
  const next = line.charCodeAt(at + 1);
  if (at + 1 < line.length && next !== COMMA && next !== SPACE) {
    throw new LineProblem(`has a text as ${name} whose quotes do not match`);
  }
  const value = line.slice(from, at).replace(/\\(["\\])/g, '$1');
  return { field: { name, value, dataType: 'string' }, end: at + 1 };
}

function readScalar(text: string, name: string): Omit<ReadField, 'name'> {
  const isInteger = /[iu]$/.test(text);
  const digits = isInteger ? text.slice(0, -1) : text;
  if (isInteger ? INTEGER.test(digits) : JSON_NUMBER.test(digits) && Number.isFinite(Number(digits))) {
    return { value: digits, dataType: 'float' };
  }
  const word = Object.hasOwn(BOOLEANS, text) ? BOOLEANS[text] : undefined;
  if (word !== undefined) return { value: word, dataType: 'boolean' };
  const number = FLOAT.test(digits) && !isInteger ? Number(digits) : Number.NaN;
  if (Number.isFinite(number)) return { value: String(number), dataType: 'float' };
  throw new LineProblem(
    `has ${text === '' ? 'nothing' : text} as ${name}, which is no finite number, boolean or "text"`,
  );
}

function unescaped(text: string, from: number, wanted: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === wanted) return at;
  }
  return -1;
}

function splitUnescaped(text: string, separator: number): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = unescaped(text, 0, separator); at >= 0; at = unescaped(text, from, separator)) {
    parts.push(text.slice(from, at));
    from = at + 1;
  }
  return [...parts, text.slice(from)];
}

function plain(text: string): string {
  return text.includes('\\') ? text.replace(/\\([,= ])/g, '$1') : text;
}

function behindSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE) at += 1;
  return at;
}
