import type { CompiledExpression, Variables } from '../compiled-expression';
import { fingerprintOf } from './text-fingerprint';

/**
 * The values of one `x` at the points of a sensor. A text, a list or an object is kept as a fingerprint of 52 bits,
 * because window functions only count these and compare them.
 */
export class WindowColumn {
  /** NaN where `x` is no number. */
  readonly numbers: number[] = [];
  /** The fingerprints of texts, 0 where `x` is none. Absent as long as there is no text. */
  texts: number[] | undefined;

  constructor(private readonly x: CompiledExpression) {}

  /** Size of one point in memory, in bytes. */
  get pointBytes(): number {
    return this.texts ? 16 : 8;
  }

  /** Computes `x` and inserts it at this index, or replaces the one before it. */
  put(variables: Variables, at: number, replaces: boolean): void {
    const result = this.x.evaluateToComparable(variables);
    const value = result.ok ? result.value : undefined;
    const isText = typeof value === 'string';
    if (isText) this.texts ??= this.numbers.map(() => 0);
    // `true` counts as 1, `false` as 0.
    putAt(this.numbers, at, replaces, value === undefined || isText ? Number.NaN : Number(value));
    if (this.texts) putAt(this.texts, at, replaces, isText ? fingerprintOf(value) : 0);
  }

  /** Drops the first points. */
  drop(count: number): void {
    this.numbers.splice(0, count);
    this.texts?.splice(0, count);
  }
}

/** Inserts the item at this index, or replaces the item before it. */
export function putAt<T>(list: T[], at: number, replaces: boolean, item: T): void {
  if (replaces) list[at - 1] = item;
  else if (at === list.length) list.push(item);
  else list.splice(at, 0, item);
}
