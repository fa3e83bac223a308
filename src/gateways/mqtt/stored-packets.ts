import { createHash } from 'node:crypto';

const HASH_BYTES = 8;
const ENTRY_BYTES = 2 + HASH_BYTES;
/** Stands in for an unknown hash. */
export const NO_HASH = '0'.repeat(2 * HASH_BYTES);
/** Brokers keep far fewer messages in flight; one without a limit could make the list long. */
const MAX_ENTRIES = 5_000;

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
 * Stored messages whose acknowledgements the broker may lack. The next connection delivers them again with the same
 * identifiers (MQTT 3.1.1, 4.4): they are only acknowledged. Stored in the transaction of the messages.
 */
export class StoredPackets {
  /** Packets in the order of their acknowledgements. */
  private acknowledged: StoredPacket[] = [];
  /** Acknowledgements before the first of `acknowledged`. */
  private offset = 0;

  private constructor(
    private readonly earlier: Map<number, string>,
    private readonly maxEntries: number,
  ) {}

  /** Reads `toText`; null for an empty list. The broker has at most `maxEntries` messages in flight. */
  static fromText(text: string | null, maxEntries = MAX_ENTRIES): StoredPackets {
    const bytes = Buffer.from(text ?? '', 'base64');
    const earlier = new Map<number, string>();
    for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
      earlier.set(bytes.readUInt16BE(at), bytes.toString('hex', at + 2, at + ENTRY_BYTES));
    }
    return new StoredPackets(earlier, maxEntries);
  }

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
   * A new message, or other content, shows that the identifier is used again: the broker has the earlier
   * acknowledgement.
   */
  includes({ packetId, hash }: StoredPacket, isRepeated: boolean): boolean {
    const isStored = isRepeated && this.earlier.get(packetId) === hash;
    if (!isStored) this.earlier.delete(packetId);
    return isStored;
  }

  forgetEarlier(): void {
    this.earlier.clear();
  }

  onAcknowledged(packets: readonly StoredPacket[]): void {
    for (const { packetId } of packets) this.earlier.delete(packetId);
    this.acknowledged.push(...packets);
    if (this.open > this.maxEntries) this.onConfirmed(this.offset + this.open - this.maxEntries);
  }

  onConfirmed(count: number): void {
    const confirmed = count - this.offset;
    if (confirmed <= 0) return;
    this.acknowledged.splice(0, confirmed);
    this.offset = count;
  }

  /** Unconfirmed acknowledgements. */
  get open(): number {
    return this.acknowledged.length;
  }
}
