import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatDate } from '../format';
import { t } from '../language';
import type { Bound } from './bound-lines';
import { GUTTER, MARGIN } from './layout';
import { keyOf, Values } from './legend';
import type { Mark, Span, Threshold } from './marks';
import type { Range } from './points';
import type { Shapes } from './shape';
import { StackedPlots } from './stacked-plots';
import { keys } from './toolbar';
import { useTouch } from './touch';
import type { View } from './view';

export interface AreaProps {
  view: View;
  /** The range of all data, for the key Home. */
  extent?: Range;
  marks?: readonly Mark[];
  spans?: readonly Span[];
  bounds?: readonly Bound[];
  thresholds?: readonly Threshold[];
  /** Called with a range drawn with the mouse; zooms if absent. */
  onSelect?: (range: Range) => void;
  /** What a click on a date, or Enter, offers there; without it a click does nothing. */
  menu?: (date: number, close: () => void) => ComponentChildren;
  /** Draws what stands below the lines, for the dates of the range; `gutter` is the width of the scale in pixels. */
  under?: ((range: Range, gutter: number) => ComponentChildren) | undefined;
}

interface PlotAreaProps extends AreaProps {
  shapes: Shapes;
  hidden: ReadonlySet<string>;
  height: number;
  isBare: boolean;
}

const WITH_MENU = 'Chart; arrows move it, plus and minus zoom, Enter opens its menu';
const WITHOUT_MENU = 'Chart; arrows move it, plus and minus zoom';
const NO_MARKS: readonly Mark[] = [];
/** Part of the range by which an arrow key moves an open menu. */
const STEP = 0.02;

/** The panels of a chart, with the values under the pointer. It moves by keyboard and by touch. */
export function PlotArea({
  shapes,
  hidden,
  height,
  isBare,
  menu,
  under,
  view,
  extent,
  marks = NO_MARKS,
  ...over
}: PlotAreaProps) {
  const [cursor, setCursor] = useState<number>();
  const [chosen, setChosen] = useState<number>();
  const [gutter, setGutter] = useState(GUTTER);
  const { range, handlers } = useTouch(view.range, view.show, gutter);
  const visible = useMemo(
    () => ({ ...shapes, lines: shapes.lines.filter((line) => !hidden.has(keyOf(line))) }),
    [shapes, hidden],
  );
  const date = chosen ?? cursor;
  const byKey = menuKeys({ view, extent, hasMenu: menu !== undefined, chosen, setChosen });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and no keys
    <div
      class="chart-plot"
      style={shapes.lines.length > 0 || shapes.bands.length === 0 ? { minHeight: `${height}px` } : {}}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the keys that move it
      tabIndex={0}
      role="group"
      aria-label={t(menu ? WITH_MENU : WITHOUT_MENU)}
      onKeyDown={byKey}
      onDblClick={onLines(() => {
        setChosen(undefined);
        view.reset();
      })}
      {...handlers}
    >
      <StackedPlots
        {...over}
        shapes={visible}
        {...{ range, height }}
        marks={chosen === undefined ? marks : [...marks, { date: chosen, kind: 'named' }]}
        onSelect={over.onSelect ?? view.show}
        onCursor={setCursor}
        onClick={menu && setChosen}
        onGutter={setGutter}
      />
      {under?.(range, gutter)}
      {isBare && (
        <p class="chart-note">
          {t('No data between {from} and {to}', { from: formatDate(range.from), to: formatDate(range.to) })}
        </p>
      )}
      {date !== undefined && (chosen !== undefined || visible.lines.length > 0) && (
        <Tip {...{ date, range, gutter }} isOpen={chosen !== undefined}>
          <Values lines={visible.lines} date={date} />
          {textsAt(marks, date, (range.to - range.from) * NEAR).map((text) => (
            <div key={text} class="note-text breakable">
              {text}
            </div>
          ))}
          {chosen !== undefined && menu?.(chosen, () => setChosen(undefined))}
        </Tip>
      )}
    </div>
  );
}

/** Acts for events on the lines, and not on what is over them. */
function onLines(act: () => void) {
  return ({ target }: Event) => {
    if (target instanceof Element && target.matches('.u-over')) act();
  };
}

interface MenuKeys {
  view: View;
  extent: Range | undefined;
  hasMenu: boolean;
  chosen: number | undefined;
  setChosen: (date: number | undefined) => void;
}

/** Enter opens the menu in the middle, arrows move it, and Escape closes it. Other keys move the chart. */
function menuKeys({ view, extent, hasMenu, chosen, setChosen }: MenuKeys) {
  return (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest('dialog')) return;
    const { from, to } = view.range;
    const step = chosen !== undefined && STEPS[event.key];
    if (step) setChosen(chosen + step * STEP * (to - from));
    else if (hasMenu && event.key === 'Enter' && event.target === event.currentTarget) setChosen((from + to) / 2);
    else if (event.key === 'Escape') setChosen(undefined);
    else return keys(view, extent)(event);
    event.preventDefault();
  };
}

/** Part of the range within which a note is near the pointer. */
const NEAR = 0.008;

/** The texts of the notes at a date, or near it. */
function textsAt(marks: readonly Mark[], date: number, near: number): string[] {
  return marks.flatMap(({ text, date: from, until = from }) =>
    text !== undefined && date >= from - near && date <= until + near ? [text] : [],
  );
}

/** The values at a date, next to it: on the side with more space. An open one has buttons. */
function Tip({ date, range, gutter, isOpen, children }: TipProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) place.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [isOpen]);
  const share = Math.min(1, Math.max(0, (date - range.from) / (range.to - range.from)));
  const x = `${gutter}px + (100% - ${gutter + MARGIN}px) * ${share}`;
  const side = share > 0.5 ? { right: `calc(100% - (${x}) + 10px)` } : { left: `calc(${x} + 10px)` };
  return (
    <div
      ref={place}
      class={`tip small numbers ${isOpen ? 'open' : ''}`}
      style={side}
      aria-live={isOpen ? 'polite' : 'off'}
    >
      {children}
    </div>
  );
}

interface TipProps {
  date: number;
  range: Range;
  /** Width of the scale of numbers, in pixels. */
  gutter: number;
  isOpen: boolean;
  children: ComponentChildren;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
