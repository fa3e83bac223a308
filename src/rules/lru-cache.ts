/**
 * A map of bounded weight that drops what was not used lately. By default each entry weighs 1; where keys are of a user's choice, `weigh`
 * has to say what an entry takes. It has two halves, and forgets the older one whenever the newer is full; so a look-up changes nothing,
 * unlike in a map that is kept in the order of use.
 */
export class LruCache<K, V> {
  private newer = new Map<K, V>();
  private older: ReadonlyMap<K, V> = new Map();
  /** Of the newer half. */
  private weight = 0;

  constructor(
    private readonly capacity: number,
    private readonly weigh: (key: K, value: V) => number = () => 1,
  ) {}

  /** The value of the key; made when there is none, and kept unless it alone is too heavy for a half. */
  get(key: K, make: () => V): V {
    const known = this.newer.get(key);
    if (known !== undefined) return known;
    const value = this.older.get(key) ?? make();
    const weight = this.weigh(key, value);
    if (!(weight <= this.capacity / 2)) return value; // nor what has no weight, which would end all counting
    if (this.weight + weight > this.capacity / 2) [this.older, this.newer, this.weight] = [this.newer, new Map(), 0];
    this.newer.set(key, value);
    this.weight += weight;
    return value;
  }
}

/** What an entry weighs that is made from the text which is its key: its characters, and as much again for a short one. */
export function weightOfText(text: string): number {
  return text.length + 16;
}
