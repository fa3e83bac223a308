/** A bounded map: beyond `capacity` entries the least recently used one is dropped. */
export class LruCache<K, V> {
  // In order of use: a Map keeps the order of insertion.
  private readonly entries = new Map<K, V>();

  constructor(private readonly capacity: number) {}

  /** The value of the key; made and kept when there is none. */
  get(key: K, make: () => V): V {
    const known = this.entries.get(key);
    const value = known === undefined ? make() : known;
    if (known !== undefined) this.entries.delete(key);
    this.entries.set(key, value);
    const [oldest] = this.entries.keys();
    if (this.entries.size > this.capacity && oldest !== undefined) this.entries.delete(oldest);
    return value;
  }
}
