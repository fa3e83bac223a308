import { partsOf } from '../../rules/parts-of';
import { hashSecret } from '../../rules/session-id';

const MAX_BATCH = 500;

/** A secret that is being looked up, and all requests that sent it. */
class Waiting<T> {
  found: (value: T | null) => void = () => undefined;
  failed: (error: unknown) => void = () => undefined;
  readonly answer = new Promise<T | null>((found, failed) => {
    this.found = found;
    this.failed = failed;
  });

  constructor(readonly hash: string) {}
}

/** Reads the entries of some hashes of secrets with one statement. A hash without an entry is left out. */
export type ReadByHashes<T> = (hashes: readonly string[]) => Promise<Map<string, T>>;

/**
 * Finds the entry of a secret by its hash. Requests that arrive together share one indexed query, so a look-up is cheap
 * without a cache, and an ended secret is refused at once in every process. Requests with the same secret, for example
 * of a gateway, share its hash and the answer, which saves 2 of 50 µs. The index of the database compares hashes, so
 * the duration of an answer reveals nothing about a secret.
 */
export class HashLookup<T> {
  /** Key: the secret. */
  private waiting = new Map<string, Waiting<T>>();

  constructor(private readonly read: ReadByHashes<T>) {}

  /** The entry of this secret; null if there is none. */
  find(secret: string): Promise<T | null> {
    const same = this.waiting.get(secret);
    if (same) return same.answer;
    // setImmediate runs after all requests were read that the sockets received in this iteration of the event loop.
    if (this.waiting.size === 0) setImmediate(() => void this.flush());
    const one = new Waiting<T>(hashSecret(secret));
    this.waiting.set(secret, one);
    return one.answer;
  }

  private async flush(): Promise<void> {
    const batch = [...this.waiting.values()];
    this.waiting = new Map();
    await Promise.all(partsOf(batch, MAX_BATCH).map((part) => this.findSlice(part)));
  }

  private async findSlice(slice: Waiting<T>[]): Promise<void> {
    try {
      const found = await this.read(slice.map(({ hash }) => hash));
      for (const one of slice) one.found(found.get(one.hash) ?? null);
    } catch (error) {
      for (const one of slice) one.failed(error);
    }
  }
}
