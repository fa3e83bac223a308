/**
 * A cache of bounded weight. By default an entry weighs 1; if users choose the keys, `weigh` must return the memory of
 * an entry, in characters. The map has two halves, and drops the older one when the newer is full: the entries used
 * last, up to half of the capacity, stay.
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

  find(key: K): V | undefined {
    const known = this.newer.get(key);
    if (known !== undefined) return known;
    const value = this.older.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  /** The cached value, or else what `make` returns, which is cached. */
  get(key: K, make: () => V): V {
    const known = this.find(key);
    if (known !== undefined) return known;
    const value = make();
    this.set(key, value);
    return value;
  }

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

/** The characters of the key, and a constant for a short one. */
export function weightOfText(text: string): number {
  return text.length + 16;
}
