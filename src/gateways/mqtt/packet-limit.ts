import { Transform, type TransformCallback } from 'node:stream';

const PUBLISH = 3;
/** CONNACK, PUBLISH, SUBACK, UNSUBACK, PINGRESP and DISCONNECT. MQTT.js fails with some others at the wrong moment. */
const TYPES: ReadonlySet<number> = new Set([2, PUBLISH, 9, 11, 13, 14]);
const MAX_LENGTH_BYTES = 4;
/** Topic with length, and packet identifier. */
const MAX_HEAD = 2 + 65_535 + 2;

/** The payload is gone. */
export interface LargeMessage {
  topic: string;
  /** Undefined for QoS 0. */
  packetId: number | undefined;
}

/**
 * Takes larger packets out of the stream, without holding them in memory. Reports topic and identifier of a message, so
 * that it is acknowledged: otherwise the broker would send it again permanently. Any other such packet ends the stream.
 */
export class PacketLimit extends Transform {
  private header: number[] = [];
  /** Missing bytes of the packet. */
  private left = 0;
  /** The beginning of a large message; undefined for packets that pass. */
  private head: Buffer[] | undefined;

  constructor(
    private readonly limit: number,
    private readonly onLarge: (message: LargeMessage) => void,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let problem: Error | undefined;
    for (let at = 0; at < chunk.length && !problem; ) {
      if (this.left === 0) {
        problem = this.readHeader(chunk[at] ?? 0);
        at += 1;
      } else {
        const part = chunk.subarray(at, at + this.left);
        at += part.length;
        problem = this.takePart(part);
      }
    }
    done(problem);
  }

  private readHeader(byte: number): Error | undefined {
    this.header.push(byte);
    const lengthBytes = this.header.length - 1;
    const isContinued = lengthBytes === 0 || (byte & 0x80) !== 0;
    if (isContinued) return lengthBytes >= MAX_LENGTH_BYTES ? new Error('the broker sends no MQTT') : undefined;
    const [first = 0, ...digits] = this.header;
    const length = digits.reduce((sum, digit, index) => sum + (digit & 0x7f) * 128 ** index, 0);
    const header = Buffer.from(this.header);
    this.header = [];
    this.left = length;
    if (!TYPES.has(first >> 4)) return new Error('the broker sends a packet that is not for subscribers');
    if (first >> 4 === PUBLISH && ((first >> 1) & 3) === 2) return new Error('the broker sends QoS 2, unasked');
    if (header.length + length <= this.limit) {
      this.head = undefined;
      this.push(header);
      return undefined;
    }
    if (first >> 4 !== PUBLISH) return new Error('the broker sends a packet that is too large');
    this.head = [header.subarray(0, 1)];
    return undefined;
  }

  private takePart(part: Buffer): Error | undefined {
    this.left -= part.length;
    if (!this.head) {
      this.push(part);
      return undefined;
    }
    const kept = this.head.reduce((sum, { length }) => sum + length, 0) - 1;
    if (kept < MAX_HEAD) this.head.push(Buffer.from(part.subarray(0, MAX_HEAD - kept)));
    if (this.left > 0) return undefined;
    const message = readHead(Buffer.concat(this.head));
    this.head = undefined;
    if (message) this.onLarge(message);
    return message ? undefined : new Error('the broker sends no MQTT');
  }
}

function readHead(head: Buffer): LargeMessage | undefined {
  const hasId = ((head.readUInt8(0) >> 1) & 3) === 1;
  const topicEnd = 3 + head.readUInt16BE(1);
  if (head.length < topicEnd + (hasId ? 2 : 0)) return undefined;
  const packetId = hasId ? head.readUInt16BE(topicEnd) : undefined;
  return { topic: head.toString('utf8', 3, topicEnd), packetId };
}
