/**
 * A bounded map: with `capacity` entries, it drops those that were not used lately. It has two halves, and forgets the older one
 * whenever the newer is full; so a look-up changes nothing, unlike in a map that is kept in the order of use.
 */
export class LruCache<K, V> {
  private newer = new Map<K, V>();
  private older: ReadonlyMap<K, V> = new Map();

  constructor(private readonly capacity: number) {}

  /** The value of the key; made and kept when there is none. */
  get(key: K, make: () => V): V {
    const known = this.newer.get(key);
    if (known !== undefined) return known;
    const value = this.older.get(key) ?? make();
    if (this.newer.size >= this.capacity / 2) [this.older, this.newer] = [this.newer, new Map()];
    this.newer.set(key, value);
    return value;
  }
}
