const INITIAL_BYTES = 1_024;
/** A byte holds seven bits of a number. */
const BASE = 0x80;

export class ByteWriter {
  private bytes = Buffer.allocUnsafe(INITIAL_BYTES);
  private length = 0;

  /** Writes 0 to 2^53 - 1 as LEB128: seven bits in each byte, the lowest first. */
  unsigned(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= BASE) {
      this.bytes[this.length++] = (rest % BASE) + BASE;
      rest = Math.floor(rest / BASE);
    }
    this.bytes[this.length++] = rest;
  }

  /** Writes at most 2^52 either way; small ones of both signs are short (ZigZag of Protocol Buffers). */
  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  text(value: string): void {
    const size = Buffer.byteLength(value);
    this.unsigned(size);
    this.reserve(size);
    this.length += this.bytes.write(value, this.length);
  }

  byteColumn(column: Uint8Array): void {
    this.reserve(column.length);
    this.bytes.set(column, this.length);
    this.length += column.length;
  }

  end(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.length + size));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

/** Throws RangeError at the end of the bytes. */
export class ByteReader {
  private at = 0;

  constructor(readonly bytes: Buffer) {}

  unsigned(): number {
    let value = 0;
    for (let factor = 1; ; factor *= BASE) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new RangeError('the bytes end too early');
      if (byte < BASE) return value + byte * factor;
      value += (byte - BASE) * factor;
    }
  }

  signed(): number {
    const value = this.unsigned();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  unsignedColumn(count: number): Float64Array {
    const column = this.column(count);
    for (let index = 0; index < count; index += 1) column[index] = this.unsigned();
    return column;
  }

  sums(count: number): Float64Array {
    const column = this.column(count);
    for (let sum = 0, index = 0; index < count; index += 1) {
      const byte = this.bytes[this.at] ?? BASE;
      // Most differences take one byte.
      if (byte < BASE) {
        sum += byte % 2 === 1 ? -(byte + 1) / 2 : byte / 2;
        this.at += 1;
      } else {
        sum += this.signed();
      }
      column[index] = sum;
    }
    return column;
  }

  byteColumn(count: number): Uint8Array {
    if (this.at + count > this.bytes.length) throw new RangeError('the bytes end too early');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** A number takes a byte at least, so that wrong bytes cannot ask for much memory. */
  private column(count: number): Float64Array {
    if (this.at + count > this.bytes.length) throw new RangeError('the bytes end too early');
    return new Float64Array(count);
  }

  text(): string {
    const [from, to] = this.skipText();
    return this.bytes.toString('utf8', from, to);
  }

  skipText(): [from: number, to: number] {
    const size = this.unsigned();
    if (this.at + size > this.bytes.length) throw new RangeError('the bytes end too early');
    this.at += size;
    return [this.at - size, this.at];
  }

  rest(): Buffer {
    return this.bytes.subarray(this.at);
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }
}
