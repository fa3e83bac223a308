import { randomUUID } from 'node:crypto';

/** A number in JSON that JavaScript cannot hold, with the digits that were sent. */
export class LongNumber {
  readonly #digits: string;
  static serialized = 0;

  constructor(digits: string) {
    this.#digits = digits;
  }

  toString(): string {
    return this.#digits;
  }

  /** The nearest number, for readers without long numbers. `exactJson` writes the digits. */
  toJSON(): number {
    LongNumber.serialized += 1;
    return Number(this.#digits);
  }
}

const MAY_BE_LONG = /\d[\d.]{15}/;
const STRING_OR_LONG = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]{15,}(?:[eE][+-]?\d+)?/gs;
const MOST_SURE_DIGITS = 15;

/** Marks texts that stand for long numbers. No client knows it. */
const MARK = `long ${randomUUID()} `;
const MARKED = new RegExp(`"${MARK}([^"]*)"`, 'g');

/** True if a number of JavaScript cannot hold all digits. */
export function isLong(digits: string): boolean {
  const number = Number(digits);
  if (!Number.isFinite(number) || String(number) === digits) return false;
  const [mantissa = ''] = digits.split(/[eE]/);
  const decimals = mantissa.includes('.') ? mantissa.replace(/0+$/, '') : mantissa;
  const significant = decimals.replace(/[-.]/g, '').replace(/^0+/, '');
  return significant.length > MOST_SURE_DIGITS && String(number) !== decimals;
}

/** The nearest number of JavaScript in place of a LongNumber; any other value stays as it is. */
export function nearestNumber(value: unknown): unknown {
  return value instanceof LongNumber ? Number(value) : value;
}

/** `JSON.parse`, with a LongNumber where digits would be lost. */
export function parseExactJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!MAY_BE_LONG.test(text)) return parsed;
  let count = 0;
  const marked = text.replace(STRING_OR_LONG, (token) => {
    if (token.startsWith('"') || !isLong(token)) return token;
    count += 1;
    return `"${MARK}${token}"`;
  });
  return count === 0 ? parsed : restored(JSON.parse(marked));
}

/** `JSON.stringify` with all digits of each LongNumber. Undefined for a value that JSON does not have. */
export function exactJson(value: unknown): string {
  const before = LongNumber.serialized;
  const text = JSON.stringify(value);
  if (LongNumber.serialized === before) return text;
  const marked = JSON.stringify(value, function (this: unknown, key: string, given: unknown) {
    const own: unknown = Reflect.get(Object(this), key);
    return own instanceof LongNumber ? `${MARK}${own}` : given;
  });
  return marked.replace(MARKED, '$1');
}

function restored(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? new LongNumber(value.slice(MARK.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  for (const [key, inner] of Object.entries(value)) {
    // Defined, not assigned: a key may be named __proto__.
    if (typeof inner === 'string' || typeof inner === 'object') {
      Object.defineProperty(value, key, {
        value: restored(inner),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  }
  return value;
}
