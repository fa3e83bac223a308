/**
 * The cache of a process: a map of bounded weight that drops entries that were not used lately. By default each entry
 * weighs 1. If users choose the keys, `weigh` must return the memory of an entry, in characters. What makes an entry
 * stale is kept in its value: an epoch, or the time of the read.
 *
 * The map has two halves, and drops the older one when the newer is full. So the entries that were used last, up to half
 * of the capacity, are never dropped, and a look-up in the newer half changes nothing.
 */
export class LruCache<K, V> {
  private newer = new Map<K, V>();
  private older = new Map<K, V>();
  /** Weight of the newer half. */
  private weight = 0;

  constructor(
    private readonly capacity: number,
    private readonly weigh: (key: K, value: V) => number = () => 1,
  ) {}

  /** The cached value of the key. */
  find(key: K): V | undefined {
    const known = this.newer.get(key);
    if (known !== undefined) return known;
    const value = this.older.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  /** The cached value of the key, or else the value that `make` returns, which is cached. */
  get(key: K, make: () => V): V {
    const known = this.find(key);
    if (known !== undefined) return known;
    const value = make();
    this.set(key, value);
    return value;
  }

  /** Caches the value, unless it alone is heavier than half of the capacity. */
  set(key: K, value: V): void {
    this.delete(key);
    const weight = this.weigh(key, value);
    // An entry without a weight would end all counting.
    if (!(weight <= this.capacity / 2)) return;
    if (this.weight + weight > this.capacity / 2) [this.older, this.newer, this.weight] = [this.newer, new Map(), 0];
    this.newer.set(key, value);
    this.weight += weight;
  }

  private delete(key: K): void {
    this.older.delete(key);
    const known = this.newer.get(key);
    if (known === undefined) return;
    this.newer.delete(key);
    this.weight -= this.weigh(key, known);
  }
}

/** Weight of an entry that is made from the text of its key: its characters, and a constant for a short text. */
export function weightOfText(text: string): number {
  return text.length + 16;
}
