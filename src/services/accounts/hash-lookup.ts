import { partsOf } from '../../domain/parts-of';

const MAX_BATCH = 500;

interface Waiting<T> {
  found: (value: T | null) => void;
  failed: (error: unknown) => void;
}

/** Reads what belongs to some hashes of secrets, by one statement; a hash that belongs to nothing is left out. */
export type ReadByHashes<T> = (hashes: readonly string[]) => Promise<Map<string, T>>;

/**
 * Finds what belongs to the hash of a secret. Requests that arrive together share one indexed query, so that a look-up costs little
 * without a cache: what has ended is gone at once, in every process. Secrets are compared by their hashes, in the index of the
 * database, so that the time of an answer says nothing about them.
 */
export class HashLookup<T> {
  private waiting = new Map<string, Waiting<T>[]>();

  constructor(private readonly read: ReadByHashes<T>) {}

  /** What belongs to this hash; null when nothing does. */
  find(hash: string): Promise<T | null> {
    return new Promise((found, failed) => {
      // setImmediate runs once everything was read that the sockets received in this turn of the event loop.
      if (this.waiting.size === 0) setImmediate(() => void this.flush());
      const same = this.waiting.get(hash);
      if (same) same.push({ found, failed });
      else this.waiting.set(hash, [{ found, failed }]);
    });
  }

  private async flush(): Promise<void> {
    const batch = [...this.waiting];
    this.waiting = new Map();
    await Promise.all(partsOf(batch, MAX_BATCH).map((part) => this.findSlice(part)));
  }

  private async findSlice(slice: [string, Waiting<T>[]][]): Promise<void> {
    try {
      const found = await this.read(slice.map(([hash]) => hash));
      for (const [hash, waiting] of slice) for (const one of waiting) one.found(found.get(hash) ?? null);
    } catch (error) {
      for (const [, waiting] of slice) for (const one of waiting) one.failed(error);
    }
  }
}
