import { useRef } from 'preact/hooks';
import { t } from '../language';
import { formatNumber } from '../quantity';
import { roundTo, stepOf } from './steps';

/** A number that is drawn over a chart as a line, and can be moved. */
export interface Bound {
  label: string;
  value: number;
  /** The field of JSON values that it is compared with; empty or absent for the value itself. */
  field?: string;
  /** True for a number that ends an alert: its text and handle are at the left. */
  isEnd?: boolean;
  onValue: (value: number) => void;
}

/** The place of a chart's lines in pixels, and the numbers at its lower and upper edge. */
export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
  low: number;
  high: number;
}

interface LineProps {
  bound: Bound;
  area: Area;
  /** Called with true when a drag begins, and with false when it ends. */
  onDrag: (isDragged: boolean) => void;
}

/** Number of steps from the lower to the upper edge, at least. */
const STEPS = 100;
/** A line this close to the upper edge has its text below it, in pixels. */
const TEXT_HEIGHT = 20;

/** A line that is moved by mouse, touch or keyboard. A bound outside of the scale is drawn at its edge. */
export function BoundLine({ bound: { label, value, isEnd, onValue }, area, onDrag }: LineProps) {
  /** Distance of the pointer from the line; undefined while it is not dragged. */
  const grip = useRef<number | undefined>(undefined);
  const { low, high, height, left, top, width } = area;
  const step = stepOf((high - low) / STEPS);
  const y = ((high - Math.min(high, Math.max(low, value))) / (high - low)) * height;
  const drag = (event: PointerEvent) => {
    if (grip.current === undefined) return;
    const to = Math.min(height, Math.max(0, event.clientY - grip.current));
    onValue(roundTo(high - (to / height) * (high - low), step));
  };
  const begin = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = event.clientY - y;
    onDrag(true);
  };
  const end = () => {
    grip.current = undefined;
    onDrag(false);
  };
  return (
    <div
      class={`bound ${isEnd ? 'ending' : ''} ${y < TEXT_HEIGHT ? 'upmost' : ''}`}
      style={{ left: `${left}px`, top: `${top + y}px`, width: `${width}px` }}
      role="slider"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('{label}, on the chart', { label })}
      aria-valuenow={value}
      aria-valuemin={Math.min(low, value)}
      aria-valuemax={Math.max(high, value)}
      aria-valuetext={formatNumber(value)}
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={byKey((steps) => onValue(roundTo(value + steps * step, step)))}
    >
      <span class="bound-text numbers" aria-hidden="true">
        {label.toLowerCase()} {formatNumber(value)}
      </span>
    </div>
  );
}

const KEYS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: 10,
  PageDown: -10,
};

/** Moves a line by a number of steps, and keeps the key from the chart. */
function byKey(move: (steps: number) => void) {
  return (event: KeyboardEvent) => {
    const steps = KEYS[event.key];
    if (steps === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    move(steps);
  };
}
