import { createHash } from 'node:crypto';

const HASH_BYTES = 8;
const ENTRY_BYTES = 2 + HASH_BYTES;
/** In the place of the hash of a message whose content is not known. */
export const NO_HASH = '0'.repeat(2 * HASH_BYTES);
/** Brokers keep far fewer messages in flight; one without a limit could make the list long. */
const MAX_ENTRIES = 5_000;

/** A message with QoS 1, as far as it can be recognized when the broker delivers it again. */
export interface StoredPacket {
  packetId: number;
  hash: string;
}

/** Identifies the content of a message. */
export function hashOf({ topic, payload }: { topic: string; payload: Buffer }): string {
  const hash = createHash('sha256').update(topic).update('\0').update(payload).digest();
  return hash.subarray(0, HASH_BYTES).toString('hex');
}

/**
 * The messages of a session that are stored, and whose acknowledgements the broker may not have. The broker delivers
 * these again after the connection has ended, with the same identifiers (MQTT 3.1.1, 4.4): they are acknowledged and not
 * stored again. The list is stored in the transaction of the messages.
 */
export class StoredPackets {
  /** In the order of their acknowledgements on this connection. */
  private acknowledged: StoredPacket[] = [];
  /** Number of acknowledgements of this connection before the first of `acknowledged`. */
  private offset = 0;

  private constructor(
    private earlier: StoredPacket[],
    private readonly maxEntries: number,
  ) {}

  /**
   * The list as `toText` has written it; null for an empty one. The broker never has more than `maxEntries` messages in
   * flight.
   */
  static fromText(text: string | null, maxEntries = MAX_ENTRIES): StoredPackets {
    const bytes = Buffer.from(text ?? '', 'base64');
    const count = Math.floor(bytes.length / ENTRY_BYTES);
    const packets = Array.from({ length: count }, (_, index) => ({
      packetId: bytes.readUInt16BE(index * ENTRY_BYTES),
      hash: bytes.toString('hex', index * ENTRY_BYTES + 2, (index + 1) * ENTRY_BYTES),
    }));
    return new StoredPackets(packets, maxEntries);
  }

  /** The list together with these messages, which are about to be stored. */
  toText(more: readonly StoredPacket[]): string {
    const all = [...this.earlier, ...this.acknowledged, ...more];
    const entries = all.map(({ packetId, hash }) => {
      const id = Buffer.alloc(2);
      id.writeUInt16BE(packetId);
      return Buffer.concat([id, Buffer.from(hash, 'hex')]);
    });
    return Buffer.concat(entries).toString('base64');
  }

  /** True if this message was stored on an earlier connection. */
  includes({ packetId, hash }: StoredPacket): boolean {
    return this.earlier.some((packet) => packet.packetId === packetId && packet.hash === hash);
  }

  /**
   * A message has arrived for the first time. A broker delivers everything again that it must before it delivers the next
   * message, so it has the acknowledgements of all others of earlier connections.
   */
  forgetEarlier(): void {
    this.earlier = [];
  }

  /** Messages were acknowledged on this connection. */
  onAcknowledged(packets: readonly StoredPacket[]): void {
    this.acknowledged.push(...packets);
    if (this.open > this.maxEntries) this.onConfirmed(this.offset + this.open - this.maxEntries);
  }

  /** The broker has this number of acknowledgements of this connection. */
  onConfirmed(count: number): void {
    const confirmed = count - this.offset;
    if (confirmed <= 0) return;
    this.acknowledged.splice(0, confirmed);
    this.offset = count;
  }

  /** The number of messages whose acknowledgements of this connection are not confirmed. */
  get open(): number {
    return this.acknowledged.length;
  }
}
