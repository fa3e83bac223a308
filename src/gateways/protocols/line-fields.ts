import { MAX_LINE } from '../../edge/longest-line';
import { FORBIDDEN_FIELDS, MAX_VALUE_BYTES } from '../../language/sensor-value';
import type { LineCursor } from './line-cursor';
import { BACKSLASH, COMMA, EQUALS, LineProblem, QUOTE, readName, SPACE, show } from './line-text';
import type { SeriesDataType } from './series';

/** Numbers in the syntax of JSON are stored as written. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+$/;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['t', 'T', 'true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['f', 'F', 'false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);

export interface LineValue {
  value: string;
  dataType: SeriesDataType;
}

/** `plain` is stored for an only field, `json` otherwise. */
interface Field {
  plain: string;
  json: string;
  dataType: SeriesDataType;
}

interface FieldName {
  name: string;
  json: string;
}

export class FieldReader {
  private readonly names = new Map<string, FieldName>();

  constructor(private readonly cursor: LineCursor) {}

  /** A single field `value` is plain, anything else JSON. Numbers keep their digits. */
  read(): LineValue {
    const { cursor } = this;
    const { name, json } = this.readFieldName();
    const first = this.readField(name);
    if (cursor.text.charCodeAt(cursor.at) !== COMMA || cursor.at >= cursor.end) {
      if (name === 'value') return sized({ value: first.plain, dataType: first.dataType });
      return sized({ value: asJson([[json, first.json]]), dataType: 'json' });
    }
    return sized({ value: this.readOthers(json, first), dataType: 'json' });
  }

  /** The last value of a name counts. */
  private readOthers(firstName: string, first: Field): string {
    const { cursor } = this;
    const fields = new Map([[firstName, first.json]]);
    let characters = 0;
    while (cursor.at < cursor.end && cursor.text.charCodeAt(cursor.at) === COMMA) {
      cursor.at += 1;
      const { name, json } = this.readFieldName();
      const field = this.readField(name);
      fields.set(json, field.json);
      characters += json.length + field.json.length + 2;
      if (characters > MAX_VALUE_BYTES) throw tooLarge();
    }
    return asJson(fields);
  }

  private readFieldName(): FieldName {
    const { cursor, names } = this;
    const { text, at: from, end } = cursor;
    let at = from;
    for (; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (code === EQUALS || code === COMMA || code === SPACE) if (text.charCodeAt(at - 1) !== BACKSLASH) break;
    }
    if (at === from || at >= end || text.charCodeAt(at) !== EQUALS) {
      throw new LineProblem(
        `has the field ${show(text.slice(from, Math.min(end, from + 100)))}, which is not name=value`,
      );
    }
    if (at - from > MAX_VALUE_BYTES) throw tooLarge();
    cursor.at = at + 1;
    const written = text.slice(from, at);
    const known = names.get(written);
    if (known) return known;
    const name = readName(written);
    if (FORBIDDEN_FIELDS.has(name)) throw new LineProblem(`has a field ${name}, which is not a possible name`);
    const read = { name, json: JSON.stringify(name) };
    names.set(written, read);
    return read;
  }

  private readField(name: string): Field {
    const { cursor } = this;
    const { text, at: from } = cursor;
    if (from < cursor.end && text.charCodeAt(from) === QUOTE) return this.readText(name);
    let at = from;
    for (; at < cursor.end; at += 1) {
      const code = text.charCodeAt(at);
      if (code === COMMA || code === SPACE) break;
    }
    cursor.at = at;
    if (at - from > MAX_VALUE_BYTES) throw tooLarge();
    return readScalar(name, text.slice(from, at));
  }

  /** Only a quote and a backslash are escaped. */
  private readText(name: string): Field {
    const { cursor } = this;
    const from = cursor.at + 1;
    const closing = cursor.endOfText(from);
    const after = cursor.text.charCodeAt(closing + 1);
    const isEnd = closing + 1 >= cursor.end || after === COMMA || after === SPACE;
    if (closing < 0) throw new LineProblem(`has a text as ${show(name)} without an end within ${MAX_LINE} characters`);
    if (!isEnd) throw new LineProblem(`has a text as ${show(name)} whose quotes do not match`);
    cursor.at = closing + 1;
    if (closing - from > 2 * MAX_VALUE_BYTES) throw tooLarge();
    const written = cursor.text.slice(from, closing);
    const plain = written.includes('\\') ? written.replace(/\\(["\\])/g, '$1') : written;
    return { plain, json: JSON.stringify(plain), dataType: 'string' };
  }
}

/** Joined: a text that is added up keeps its parts in memory while its point waits. */
function asJson(fields: Iterable<readonly [name: string, value: string]>): string {
  const parts: string[] = [];
  for (const [name, value] of fields) parts.push(parts.length === 0 ? '{' : ',', name, ':', value);
  parts.push('}');
  return parts.join('');
}

function readScalar(name: string, text: string): Field {
  const last = text.charCodeAt(text.length - 1);
  const isInteger = last === 105 || last === 117; // 42i, 42u
  const digits = isInteger ? text.slice(0, -1) : text;
  if (JSON_NUMBER.test(digits) && Number.isFinite(Number(digits)) && (!isInteger || INTEGER.test(digits))) {
    return { plain: digits, json: digits, dataType: 'float' };
  }
  const boolean = BOOLEANS.get(text);
  if (boolean !== undefined) return { plain: String(boolean), json: String(boolean), dataType: 'boolean' };
  if (isInteger ? !INTEGER.test(digits) : !FLOAT.test(digits)) {
    throw new LineProblem(`has ${show(text)} as ${show(name)}, which is no number, boolean or "text"`);
  }
  const number = String(Number(digits));
  if (!JSON_NUMBER.test(number)) throw new LineProblem(`has ${show(text)} as ${show(name)}, which is too large`);
  return { plain: number, json: number, dataType: 'float' };
}

function sized(read: LineValue): LineValue {
  const { value } = read;
  if (value.length > MAX_VALUE_BYTES / 4 && Buffer.byteLength(value) > MAX_VALUE_BYTES) throw tooLarge();
  return read;
}

function tooLarge(): LineProblem {
  return new LineProblem(`has fields of more than ${MAX_VALUE_BYTES} bytes`);
}
