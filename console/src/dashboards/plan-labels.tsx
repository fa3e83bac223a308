import { t } from '../language';
import { joined } from '../quantity';
import { State, StateLegend } from '../ui/state';
import { STATES, type StateName, stateWord } from '../ui/states';
import { arrange, type Box, DOT, isAside, type Label, type Size } from './arrange';
import { useRoom } from './use-room';

/** A sensor on a plan. */
export interface Labelled {
  key: string;
  name: string;
  value: string;
  unit: string;
  state: StateName | undefined;
  /** When its value is from, if that matters. */
  age?: string | undefined;
  /** Its place, in parts of the plan. */
  x: number;
  y: number;
  /** The address of its page, for those who may see it. */
  path?: string | undefined;
}

/** Text is not smaller than this, and grows with the plan up to three quarters of the text around it. In pixels. */
const SMALLEST = 11;
const OF_WIDTH = 0.026;
const LINE = 1.3;
/** The value is larger than the name. */
const VALUE = 1.2;
const PADDING = 1.1;
/** The border of an urgent label, in pixels. */
const BORDERS = 4;
/** Widths at which names are cut, in sizes of the text. */
const WIDEST = [13, 8] as const;
const NOTHING: readonly Box[] = [];

/**
 * Sensors with their values on a plan. None overlaps another, or what is `taken`, in parts of the plan. Those without room
 * share a count, which unfolds.
 */
export function PlanLabels({ items, taken = NOTHING }: { items: readonly Labelled[]; taken?: readonly Box[] }) {
  const [place, room] = useRoom();
  const sorted = [...items].sort((a, b) => rankOf(a) - rankOf(b));
  const text = Math.max(SMALLEST, Math.min(0.75 * room.text, OF_WIDTH * room.width));
  const labels = arranged(sorted, taken, room, text);
  return (
    <div ref={place} class="labels">
      <div style={{ fontSize: `${text}px` }}>
        {labels.filter(isAside).map(({ of: [at = 0], x, y }) => (
          <i
            key={sorted[at]?.key}
            class={`dot ${classOf(sorted[at])}`}
            style={{ left: `${x - DOT}px`, top: `${y - DOT}px` }}
          />
        ))}
        {labels.map((label) => {
          const shown = label.of.flatMap((at) => sorted[at] ?? []);
          const [first] = shown;
          if (!first) return null;
          if (shown.length > 1) return <Several key={first.key} items={shown} label={label} room={room} />;
          return <One key={first.key} item={first} {...label} />;
        })}
      </div>
    </div>
  );
}

/** The states that occur on a plan. */
export function PlanLegend({ items }: { items: readonly Labelled[] }) {
  return <StateLegend of={items.flatMap(({ state }) => state ?? [])} />;
}

function rankOf({ state }: Labelled): number {
  return state ? STATES.indexOf(state) : STATES.length;
}

function arranged(items: readonly Labelled[], taken: readonly Box[], room: Size, text: number): Label[] {
  if (room.width === 0) return [];
  const height = text * LINE;
  const spots = items.map(({ name, value, unit, state, x, y }) => {
    const wide = (one: string) => (widthOf(one) + (state ? 1 : 0)) * VALUE;
    const whole = wide(joined(value, unit));
    const named = WIDEST.map((most) => ({
      width: text * (PADDING + Math.min(most, Math.max(whole, widthOf(name)))) + BORDERS,
      height: height * (1 + VALUE) + BORDERS,
    }));
    const small = [whole, wide(value)].map((one) => ({
      width: text * (PADDING + Math.min(WIDEST[0], one)) + BORDERS,
      height: height * VALUE + BORDERS,
    }));
    const isUrgent = state === 'critical' || state === 'warning' || state === 'info';
    return { x: x * room.width, y: y * room.height, sizes: [...named, ...small], isUrgent };
  });
  const count = {
    width: text * (PADDING + 1 + widthOf(countText(items.length)) * VALUE) + BORDERS,
    height: height * VALUE + BORDERS,
  };
  const { width, height: high } = room;
  const reserved = taken.map((one) => ({
    ...{ left: one.left * width, top: one.top * high, width: one.width * width, height: one.height * high },
  }));
  return arrange(spots, room, count, reserved);
}

let pen: CanvasRenderingContext2D | null | undefined;

/** The width of a text in bold type, in sizes of the type. */
function widthOf(text: string): number {
  pen ??= document.createElement('canvas').getContext('2d');
  if (!pen) return text.length * 0.6;
  pen.font = `600 100px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width / 100;
}

function classOf(item: Labelled | undefined): string {
  return item?.state ? `is-${item.state}` : '';
}

function placeOf({ left, top, width, height }: Box) {
  return { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
}

function saidOf({ value, unit, state, age }: Labelled): string {
  return [joined(value, unit), state && stateWord(state), age].filter(Boolean).join(', ');
}

function One({ item, box, size }: { item: Labelled } & Pick<Label, 'box' | 'size'>) {
  const { name, value, unit, state, age, path } = item;
  return (
    <a class={`marker ${classOf(item)}`} style={placeOf(box)} href={path} title={`${name}: ${saidOf(item)}`}>
      <span class={size < WIDEST.length ? '' : 'only-read'}>{name}</span>
      <strong>{size <= WIDEST.length ? joined(value, unit) : value}</strong>
      <span class="only-read">{[state && stateWord(state), age].filter(Boolean).join(', ')}</span>
    </a>
  );
}

function countText(n: number): string {
  return t('{n} here', { n });
}

/** The number of sensors that have no room for labels of their own, with the worst state among them. */
function Several({ items, label: { box, x, y }, room }: { items: readonly Labelled[]; label: Label; room: Size }) {
  const sides = `${x > room.width / 2 ? 'to-left' : ''} ${y > room.height / 2 ? 'to-top' : ''}`;
  return (
    <details class={`marker several ${classOf(items[0])} ${sides}`} style={placeOf(box)} name="several">
      <summary title={items.map((one) => `${one.name}: ${saidOf(one)}`).join('\n')}>{countText(items.length)}</summary>
      <ul>
        {items.map((one) => (
          <li key={one.key}>
            <a href={one.path}>{one.name}</a> <strong class="nowrap">{joined(one.value, one.unit)}</strong>
            {one.state && <State of={one.state} />}
          </li>
        ))}
      </ul>
    </details>
  );
}
