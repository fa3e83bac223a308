import type { CompiledExpression, Surroundings, Variables } from '../compiled-expression';
import { fingerprintOf } from './text-fingerprint';

/** Only numbers are kept; other values are fingerprints: window functions only count and compare them. */
export class WindowColumn {
  /** NaN where `x` is no number. */
  readonly numbers: number[] = [];
  /** Fingerprints, 0 where `x` is no text. Absent while there is none. */
  texts: number[] | undefined;

  constructor(private readonly x: CompiledExpression) {}

  get pointBytes(): number {
    return this.texts ? 16 : 8;
  }

  put(variables: Variables, surroundings: Surroundings, at: number, replaces: boolean): void {
    const result = this.x.evaluateToComparable(variables, surroundings);
    const value = result.ok ? result.value : undefined;
    const isText = typeof value === 'string';
    if (isText) this.texts ??= this.numbers.map(() => 0);
    // `true` counts as 1, `false` as 0.
    putAt(this.numbers, at, replaces, value === undefined || isText ? Number.NaN : Number(value));
    if (this.texts) putAt(this.texts, at, replaces, isText ? fingerprintOf(value) : 0);
  }

  drop(count: number): void {
    this.numbers.splice(0, count);
    this.texts?.splice(0, count);
  }
}

/** `replaces` the item before the index. */
export function putAt<T>(list: T[], at: number, replaces: boolean, item: T): void {
  if (replaces) list[at - 1] = item;
  else if (at === list.length) list.push(item);
  else list.splice(at, 0, item);
}
