import { useEffect, useMemo, useState } from 'preact/hooks';
import { setQuery, usePlace } from '../router';
import type { Range } from './points';

/** The range of a chart: the latest seconds, following the clock, or a fixed range. It is part of the address. */
export interface View {
  range: Range;
  /** Set while the chart follows the clock. */
  span: number | undefined;
  /** The moment that the address names; it is marked. */
  at: number | undefined;
  show(range: Range): void;
  showLatest(span: number): void;
  /** Goes back to the range with which the chart began. */
  reset(): void;
  /** Moves at once to a new point; the clock of the platform may be ahead of this one. */
  catchUp(date: number): void;
}

export const SPANS = [3_600, 6 * 3_600, 86_400, 604_800, 2_592_000, 31_536_000] as const;

/** Seconds that are shown before and after the moment that an address names. */
const AROUND = { before: 3 * 3_600, after: 3_600 };
const SHORTEST = 0.05;
const LONGEST = 100 * 31_536_000;

/** The view in the address: a range, the latest seconds, or the hours around a moment; otherwise `initial`. */
export function useView(initial: Range | { span: number }): View {
  const { query } = usePlace();
  const [span, from, to, at] = ['span', 'from', 'to', 'at'].map((name) => positive(query.get(name)));
  const chosen = from && to && to > from ? { from, to } : span ? { span } : at ? around(at) : initial;
  const { range, ...view } = useClock(chosen, (next) => {
    const text = (name: 'from' | 'to') => ('span' in next ? undefined : next[name].toFixed(3));
    setQuery({ from: text('from'), to: text('to'), span: 'span' in next ? String(next.span) : undefined }, step());
  });
  const reset = () => setQuery({ from: undefined, to: undefined, span: undefined }, step());
  return useMemo(() => ({ ...view, range, at, reset }), [range.from, range.to, view.span, at]);
}

/** Changes within this time are one step of the history: a key that is held down moves a chart many times. In ms. */
const ONE_STEP = 1_000;
let lastStep = 0;

function step(): { isStep: boolean } {
  const now = Date.now();
  const isStep = now - lastStep > ONE_STEP;
  lastStep = now;
  return { isStep };
}

/** The chosen range, following the clock if it is the latest seconds. */
function useClock(chosen: Range | { span: number }, choose: (next: Range | { span: number }) => void) {
  const [now, setNow] = useState(Date.now() / 1000);
  const span = 'span' in chosen ? chosen.span : undefined;
  useEffect(() => {
    if (span === undefined) return;
    const timer = setInterval(() => setNow(Date.now() / 1000), Math.max(1_000, Math.min(60_000, span)));
    return () => clearInterval(timer);
  }, [span]);
  return {
    range: 'span' in chosen ? { from: now - chosen.span, to: now } : chosen,
    span,
    show: (next: Range) => {
      if (next.to - next.from >= SHORTEST && next.to - next.from <= LONGEST) choose(next);
    },
    catchUp: (date: number) => setNow(Math.max(Date.now() / 1000, date)),
    showLatest: (seconds: number) => {
      setNow(Date.now() / 1000);
      choose({ span: seconds });
    },
  };
}

function around(at: number): Range {
  return { from: at - AROUND.before, to: at + AROUND.after };
}

function positive(text: string | null): number | undefined {
  const number = Number(text);
  return number > 0 && Number.isFinite(number) ? number : undefined;
}

/** Moves or zooms a range: by a part of its length, to a multiple of it around its middle. */
export function moved({ from, to }: Range, by: number): Range {
  const step = (to - from) * by;
  return { from: from + step, to: to + step };
}

export function zoomed({ from, to }: Range, factor: number): Range {
  const [middle, half] = [(from + to) / 2, ((to - from) / 2) * factor];
  return { from: middle - half, to: middle + half };
}
