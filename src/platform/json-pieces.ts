import { exactJson } from './exact-json';

const NODE_BYTES = 16;

/** Approximate memory of a body of plain data. As JSON it may be six times as long. */
export function heldBytesOf(value: unknown): number {
  if (typeof value === 'string') return NODE_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return NODE_BYTES;
  let bytes = NODE_BYTES;
  for (const part of Array.isArray(value) ? value : Object.values(value)) bytes += heldBytesOf(part);
  return bytes;
}

/** `body` is plain data. The items of lists come one by one. */
export function* jsonPieces(body: object): Generator<string> {
  if (Array.isArray(body)) return yield* listPieces(body);
  let before = '{';
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (Array.isArray(value)) yield* listPieces(value);
    else yield exactJson(value);
  }
  yield before === '{' ? '{}' : '}';
}

function* listPieces(items: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const item of items) {
    yield `${before}${exactJson(item) ?? 'null'}`;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
