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

  /** `earlier` has the hashes of the messages of earlier connections by their identifiers. */
  private constructor(
    private readonly earlier: Map<number, string>,
    private readonly maxEntries: number,
  ) {}

  /**
   * The list as `toText` has written it; null for an empty one. The broker never has more than `maxEntries` messages in
   * flight.
   */
  static fromText(text: string | null, maxEntries = MAX_ENTRIES): StoredPackets {
    const bytes = Buffer.from(text ?? '', 'base64');
    const earlier = new Map<number, string>();
    for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
      earlier.set(bytes.readUInt16BE(at), bytes.toString('hex', at + 2, at + ENTRY_BYTES));
    }
    return new StoredPackets(earlier, maxEntries);
  }

  /** The list together with these messages, which are about to be stored. */
  toText(more: readonly StoredPacket[]): string {
    const earlier = [...this.earlier].map(([packetId, hash]) => ({ packetId, hash }));
    const entries = [...earlier, ...this.acknowledged, ...more].slice(-MAX_ENTRIES).map(({ packetId, hash }) => {
      const id = Buffer.alloc(2);
      id.writeUInt16BE(packetId);
      return Buffer.concat([id, Buffer.from(hash, 'hex')]);
    });
    return Buffer.concat(entries).toString('base64');
  }

  /**
   * True if this message was stored on an earlier connection. A new message, or a repeated one with other content, shows
   * that the broker uses the identifier again: it has the earlier acknowledgement.
   */
  includes({ packetId, hash }: StoredPacket, isRepeated: boolean): boolean {
    const isStored = isRepeated && this.earlier.get(packetId) === hash;
    if (!isStored) this.earlier.delete(packetId);
    return isStored;
  }

  /** The broker repeats nothing of earlier connections any more. */
  forgetEarlier(): void {
    this.earlier.clear();
  }

  /** Messages were acknowledged on this connection. */
  onAcknowledged(packets: readonly StoredPacket[]): void {
    for (const { packetId } of packets) this.earlier.delete(packetId);
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
