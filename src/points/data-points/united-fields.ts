import { MAX_VALUE_BYTES } from '../../language/sensor-value';
import { isRecord } from '../../platform/is-record';

export class FieldsTooLarge extends Error {
  constructor() {
    super(`the fields of one time are larger than ${MAX_VALUE_BYTES} bytes together: send them as several series`);
  }
}

/** JSON reads this as a number, true or false. Any other plain value is a text. */
const JSON_SCALAR = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false)$/;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/**
 * The last value of a field wins. A plain value is the field `value`. Fields keep their texts, so that no digit is
 * lost.
 */
export class UnitedFields {
  private readonly fields = new Map<string, string>();
  private plain: string | undefined;

  constructor(value: string) {
    this.add(value);
  }

  add(value: string): void {
    const members = membersOf(value);
    this.plain = members || (this.plain === undefined && this.fields.size > 0) ? undefined : value;
    for (const [name, text] of members ?? [['"value"', plainAsJson(value)] as const]) this.fields.set(name, text);
  }

  get value(): string {
    const { fields, plain } = this;
    if (plain !== undefined) return plain;
    const text = `{${Array.from(fields, ([name, field]) => `${name}:${field}`).join(',')}}`;
    if (text.length > MAX_VALUE_BYTES / 4 && Buffer.byteLength(text) > MAX_VALUE_BYTES) throw new FieldsTooLarge();
    return text;
  }
}

function plainAsJson(value: string): string {
  return JSON_SCALAR.test(value) ? value : JSON.stringify(value);
}

/** Undefined unless the value is a JSON object. */
function membersOf(value: string): Map<string, string> | undefined {
  if (!isObjectText(value)) return undefined;
  const members = new Map<string, string>();
  let [name, from] = ['', 0];
  for (const { token, index } of topTokens(value)) {
    if (token === ':') from = index + 1;
    else if (token === ',' || token === '}') {
      if (name !== '') members.set(name, value.slice(from, index).trim());
      [name, from] = ['', 0];
    } else if (from === 0) name = JSON.stringify(JSON.parse(token)); // names may be escaped in several ways
  }
  return members;
}

/** Skips what is nested. Strings that are values are included. */
function* topTokens(object: string): Generator<{ token: string; index: number }> {
  let depth = 0;
  for (const { 0: token, index } of object.matchAll(TOKEN)) {
    if (depth === 1 && token !== '{' && token !== '[') yield { token, index };
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
  }
}

function isObjectText(value: string): boolean {
  if (!/^\s*\{/.test(value)) return false;
  try {
    return isRecord(JSON.parse(value));
  } catch {
    return false;
  }
}
