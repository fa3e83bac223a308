import { useRef, useState } from 'preact/hooks';
import { MARGIN } from './layout';
import type { Range } from './points';

/** A finger that moved less than this many pixels taps. */
const TAP = 8;

/** The dates under the fingers when the latest one came down, and where the fingers were. */
interface Grip {
  range: Range;
  dates: number[];
  places: number[];
}

/**
 * Moves a chart with one finger, and zooms it with two: the dates stay under the fingers. `range` is what the chart
 * shows meanwhile; `show` is called when the last finger is lifted. `gutter` is the width of the scale of numbers.
 */
export function useTouch(range: Range, show: (range: Range) => void, gutter: number) {
  const [held, setHeld] = useState<Range>();
  const fingers = useRef(new Map<number, number>());
  const grip = useRef<Grip | undefined>(undefined);
  const shown = held ?? range;
  const placesOf = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return (x: number) => (x - left - gutter) / (width - gutter - MARGIN);
  };
  const take = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const places = [...fingers.current.values()].slice(0, 2).map(placesOf(event));
    const dates = places.map((place) => shown.from + place * (shown.to - shown.from));
    grip.current = { range: shown, dates, places };
  };
  const isTouch = ({ pointerType, target }: PointerEvent) =>
    pointerType === 'touch' && target instanceof Element && !target.closest('.bound, .tip');
  const end = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (!fingers.current.delete(event.pointerId)) return;
    take(event);
    if (fingers.current.size > 0 || !held) return;
    setHeld(undefined);
    show(held);
  };
  return {
    range: shown,
    handlers: {
      onPointerDown: (event: PointerEvent & { currentTarget: HTMLElement }) => {
        if (!isTouch(event)) return;
        fingers.current.set(event.pointerId, event.clientX);
        take(event);
      },
      onPointerMove: (event: PointerEvent & { currentTarget: HTMLElement }) => {
        if (!fingers.current.has(event.pointerId) || !grip.current) return;
        fingers.current.set(event.pointerId, event.clientX);
        const places = [...fingers.current.values()].slice(0, 2).map(placesOf(event));
        const pixels = Math.abs((places[0] ?? 0) - (grip.current.places[0] ?? 0)) * event.currentTarget.clientWidth;
        if (held || places.length > 1 || pixels > TAP) setHeld(rangeUnder(grip.current, places));
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}

/** The range in which the gripped dates are at the places of the fingers, from 0 at the left edge to 1 at the right. */
export function rangeUnder({ range, dates: [first = 0, second] }: Grip, places: readonly number[]): Range {
  const [place = 0, other] = places;
  const isPinch = second !== undefined && other !== undefined && Math.abs(other - place) > 0.01;
  const span = isPinch ? Math.abs((second - first) / (other - place)) : range.to - range.from;
  const from = first - place * span;
  return { from, to: from + span };
}
