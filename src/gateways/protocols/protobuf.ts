import { isUtf8 } from 'node:buffer';
import { UnreadableMessage } from './unreadable';

/** Maximum bytes of a varint, and bytes of its lower half here. */
const [VARINT_BYTES, LOW_BYTES] = [10, 4];
const MAX_TAG = 2 ** 32 - 1;

/** Reads fields one after another. Throws UnreadableMessage where the bytes are none. */
export class ProtobufReader {
  private readonly bytes: Buffer;
  private readonly end: number;

  constructor(
    bytes: Uint8Array,
    private at = 0,
    end = bytes.length,
  ) {
    this.bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.end = end;
  }

  get isAtEnd(): boolean {
    return this.at >= this.end;
  }

  /** Encoded: `number << 3 | type`. */
  tag(): number {
    const tag = this.varint();
    if (tag < 8 || tag > MAX_TAG) throw new UnreadableMessage('the protobuf message has a field without a number');
    return tag;
  }

  /** Signed, 64 bits; rounded beyond 53. */
  varint(): number {
    let low = 0;
    let high = 0;
    let scale = 1;
    for (let index = 0; index < VARINT_BYTES; index += 1) {
      const byte = this.bytes[this.advance(1)] ?? 0;
      if (index === LOW_BYTES) scale = 1;
      if (index < LOW_BYTES) low += (byte & 0x7f) * scale;
      else high += (byte & 0x7f) * scale;
      scale *= 0x80;
      if (byte < 0x80) return joined(low, high);
    }
    throw new UnreadableMessage('the protobuf message has an integer of more than 64 bits');
  }

  double(): number {
    return this.bytes.readDoubleLE(this.advance(8));
  }

  text(): string {
    const length = this.varint();
    const from = this.advance(length);
    const text = this.bytes.toString('utf8', from, from + length);
    // The decoder replaces what is no UTF-8 by this character.
    if (text.includes('\ufffd') && !isUtf8(this.bytes.subarray(from, from + length))) {
      throw new UnreadableMessage('the protobuf message has a text that is not UTF-8');
    }
    return text;
  }

  /** Reads the contained message. */
  message(): ProtobufReader {
    const length = this.varint();
    const from = this.advance(length);
    return new ProtobufReader(this.bytes, from, from + length);
  }

  /** Refuses groups, which no current protocol uses. */
  skip(tag: number): void {
    const type = tag & 7;
    if (type === 0) this.varint();
    else if (type === 1) this.advance(8);
    else if (type === 2) this.advance(this.varint());
    else if (type === 5) this.advance(4);
    else throw new UnreadableMessage(`the protobuf message has a field of the unknown type ${type}`);
  }

  /** Returns the position before the step. */
  private advance(length: number): number {
    if (length < 0 || length > this.end - this.at) throw new UnreadableMessage('the protobuf message is cut off');
    const from = this.at;
    this.at += length;
    return from;
  }
}

function joined(low: number, high: number): number {
  if (high >= 2 ** 36) throw new UnreadableMessage('the protobuf message has an integer of more than 64 bits');
  return (high < 2 ** 35 ? high : high - 2 ** 36) * 2 ** 28 + low;
}
