/**
 * A map of bounded weight that drops the least recently used entries. By default each entry weighs 1. If users choose
 * the keys, `weigh` must return the size of an entry. It has two halves, and drops the older one when the newer is
 * full, so a look-up changes nothing, unlike in a map in order of use.
 */
export class LruCache<K, V> {
  private newer = new Map<K, V>();
  private older: ReadonlyMap<K, V> = new Map();
  /** Weight of the newer half. */
  private weight = 0;

  constructor(
    private readonly capacity: number,
    private readonly weigh: (key: K, value: V) => number = () => 1,
  ) {}

  /** The value of the key, made on a miss, and kept unless it alone is too heavy for a half. */
  get(key: K, make: () => V): V {
    const known = this.newer.get(key);
    if (known !== undefined) return known;
    const value = this.older.get(key) ?? make();
    const weight = this.weigh(key, value);
    if (!(weight <= this.capacity / 2)) return value; // also true for NaN, which would break the count
    if (this.weight + weight > this.capacity / 2) [this.older, this.newer, this.weight] = [this.newer, new Map(), 0];
    this.newer.set(key, value);
    this.weight += weight;
    return value;
  }
}

/** Weight of an entry that is made from its key: the characters of the text, and a constant for a short one. */
export function weightOfText(text: string): number {
  return text.length + 16;
}
