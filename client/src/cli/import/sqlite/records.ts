export type SqlValue = number | bigint | string | null | Buffer;

/** A number of variable length, and where it ends. */
export function readVarint(buffer: Buffer, from: number): { value: number; end: number } {
  let value = 0;
  for (let at = from; at < from + 8; at += 1) {
    const byte = buffer[at] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return { value: value * 256 + (buffer[from + 8] ?? 0), end: from + 9 };
}

/** The values of a record, in the order of the columns. Later columns may be missing. */
export function readRecord(record: Buffer): SqlValue[] {
  const header = readVarint(record, 0);
  const values: SqlValue[] = [];
  let [at, body] = [header.end, header.value];
  while (at < header.value) {
    const type = readVarint(record, at);
    at = type.end;
    const { value, length } = readValue(record, body, type.value);
    values.push(value);
    body += length;
  }
  return values;
}

const LENGTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function readValue(record: Buffer, at: number, type: number): { value: SqlValue; length: number } {
  const length = type < 12 ? (LENGTHS[type] ?? 0) : Math.floor((type - 12) / 2);
  if (type >= 12) {
    const bytes = record.subarray(at, at + length);
    return { value: type % 2 === 0 ? bytes : bytes.toString('utf8'), length };
  }
  if (type === 0) return { value: null, length };
  if (type === 7) return { value: record.readDoubleBE(at), length };
  if (type === 8 || type === 9) return { value: type - 8, length };
  if (type === 6) return { value: safe(record.readBigInt64BE(at)), length };
  return { value: record.readIntBE(at, length), length };
}

function safe(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
