import type { Steps } from '../../platform/steps';

export interface Found {
  /** In order, without overlaps; the end is excluded. */
  ranges: [from: number, to: number][];
  /** Characters at the end that may begin a text. */
  begun: number;
}

/** Finds many texts in one pass, in linear time (A. V. Aho, M. J. Corasick, "Efficient string matching", 1975). */
export class TextFinder {
  /** By state and character. */
  private readonly next = new Map<number, number>();
  /** By state: number of characters, longest text that ends in it, and its longest other ending. */
  private readonly depth = [0];
  private readonly ending = [0];
  private readonly fallback = [0];
  private readonly steps: { from: number; code: number; state: number }[] = [];

  private constructor() {}

  /** Requires texts that are not empty. */
  static *of(texts: readonly string[]): Steps<TextFinder> {
    const finder = new TextFinder();
    for (const text of texts) {
      yield;
      finder.add(text);
    }
    yield;
    finder.link();
    return finder;
  }

  /** Joins places that overlap or touch. */
  find(text: string): Found {
    const places: [from: number, to: number][] = [];
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      state = this.after(state, text.charCodeAt(at));
      const length = this.ending[state] ?? 0;
      if (length > 0) places.push([at + 1 - length, at + 1]);
    }
    return { ranges: joined(places), begun: this.depth[state] ?? 0 };
  }

  private add(text: string): void {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const known = this.next.get(keyOf(state, code));
      state = known ?? this.grow(state, code);
    }
    this.ending[state] = text.length;
  }

  private grow(from: number, code: number): number {
    const state = this.depth.length;
    this.depth.push((this.depth[from] ?? 0) + 1);
    this.ending.push(0);
    this.fallback.push(0);
    this.next.set(keyOf(from, code), state);
    this.steps.push({ from, code, state });
    return state;
  }

  /** A fallback has fewer characters than its state, so short states come first. */
  private link(): void {
    this.steps.sort((a, b) => (this.depth[a.from] ?? 0) - (this.depth[b.from] ?? 0));
    for (const { from, code, state } of this.steps) {
      const fallback = from === 0 ? 0 : this.after(this.fallback[from] ?? 0, code);
      this.fallback[state] = fallback;
      this.ending[state] ||= this.ending[fallback] ?? 0;
    }
  }

  private after(state: number, code: number): number {
    for (let from = state; ; from = this.fallback[from] ?? 0) {
      const next = this.next.get(keyOf(from, code));
      if (next !== undefined) return next;
      if (from === 0) return 0;
    }
  }
}

function keyOf(state: number, code: number): number {
  return state * 0x10000 + code;
}

function joined(places: readonly [from: number, to: number][]): [from: number, to: number][] {
  const ranges: [from: number, to: number][] = [];
  for (const [start, to] of places) {
    let from = start;
    for (let last = ranges.at(-1); last && last[1] >= from; last = ranges.at(-1)) {
      from = Math.min(from, last[0]);
      ranges.pop();
    }
    ranges.push([from, to]);
  }
  return ranges;
}
