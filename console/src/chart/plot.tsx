import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { colour, usePaintedTheme } from '../theme';
import { axes } from './axes';
import { type Area, type Bound, BoundLine } from './bound-lines';
import { dashOf, MARGIN, SERIES_COLOURS, TEXT } from './layout';
import { drawMarks, drawSpans, drawThresholds, type Mark, type Span, type Threshold } from './marks';
import type { Range } from './points';
import type { Line } from './shape';
import { reachOf } from './steps';

/** What is drawn over the lines of a chart, and what the chart reports. */
export interface Over {
  marks?: readonly Mark[];
  spans?: readonly Span[];
  /** Called with a range that the user drew with the mouse. */
  onSelect?: (range: Range) => void;
  /** Called with the date under the pointer, and undefined when it leaves. */
  onCursor?: (date: number | undefined) => void;
  /** Called with the date of a click. */
  onClick?: (date: number) => void;
}

/** Size of the text of thresholds in pixels, unless that of the scales is large. */
const LABEL = 11;

interface PlotProps extends Over {
  lines: readonly Line[];
  range: Range;
  /** Numbers drawn as lines that the user can move. */
  bounds?: readonly Bound[];
  /** Numbers drawn as lines that stay. */
  thresholds?: readonly Threshold[];
  height: number;
  /** Size of the text on the scales in pixels. */
  text?: number;
  /** A description of the chart for people who cannot see it. */
  label: string;
  /** Width of the scale of numbers in pixels; `onGutter` is called with what its texts need if that is more. */
  gutter: number;
  onGutter: (needed: number) => void;
  /** Plots of one key show the cursor at the same date. */
  syncKey: string;
  /** False if another plot below shows the dates. */
  hasDates: boolean;
}

/** A chart of lines over time with one scale of numbers, drawn by uPlot. */
export function Plot(props: PlotProps) {
  const { lines, range, bounds = [], height, text, label } = props;
  const { marks, spans, thresholds } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const theme = usePaintedTheme();
  const [area, setArea] = useState<Area>();
  const [isDragged, setDragged] = useState(false);
  // The scale does not move while a bound is dragged over it.
  const scaled = useRef<readonly number[]>([]);
  if (!isDragged) scaled.current = [...bounds, ...(thresholds ?? [])].map(({ value }) => value);
  const live = useRef<Live>({ ...props, scaled: [], onArea: setArea });
  live.current = { ...props, scaled: scaled.current, onArea: setArea };
  const shape = lines.map((line) => `${line.at}${line.name}${line.low ? '±' : ''}`).join('\n') + props.hasDates;

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const options = optionsOf(lines, { width: element.clientWidth, height }, live);
    const built = new uPlot(options, dataOf(lines), element);
    plot.current = built;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) built.setSize({ width: element.clientWidth, height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      built.destroy();
      plot.current = undefined;
    };
  }, [shape, theme, height, text]);

  useEffect(() => {
    plot.current?.batch(() => {
      plot.current?.setData(dataOf(lines), false);
      plot.current?.setScale('x', { min: range.from, max: range.to });
    });
  }, [lines, range.from, range.to, scaled.current.join()]);

  useEffect(() => plot.current?.redraw(false, true), [props.gutter]);

  useEffect(() => plot.current?.redraw(false), [marks, spans, thresholds]);

  return (
    <div class="bounded">
      <div ref={place} class="plot" role="img" aria-label={label} />
      {area && bounds.map((bound) => <BoundLine key={bound.label} {...{ bound, area }} onDrag={setDragged} />)}
    </div>
  );
}

interface Live extends PlotProps {
  /** The numbers that the scale shows in addition to the data. */
  scaled: readonly number[];
  onArea: (change: (before: Area | undefined) => Area | undefined) => void;
}

type Size = { width: number; height: number };

function optionsOf(lines: readonly Line[], size: Size, live: { readonly current: Live }): uPlot.Options {
  const { range, text = TEXT, syncKey, hasDates, gutter } = live.current;
  return {
    ...size,
    ...seriesOf(lines),
    axes: axes({ text, hasDates, unit: lines[0]?.unit ?? '', widthFor: (texts) => gutterFor(texts, live.current) }),
    legend: { show: false },
    // Without numbers there is no scale at the left, and its place is kept.
    padding: [12, MARGIN, hasDates ? 0 : 8, lines.length > 0 ? 0 : gutter],
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      bind: { dblclick: () => null }, // the page answers it
      sync: { key: syncKey, scales: ['x', null] },
    },
    scales: {
      x: { time: true, auto: false, min: range.from, max: range.to },
      y: { range: (_plot, low, high) => scaleOf(low, high, live.current.scaled) },
    },
    hooks: {
      init: [
        ({ over, posToVal }) =>
          over.addEventListener('click', ({ clientX }) =>
            live.current.onClick?.(posToVal(clientX - over.getBoundingClientRect().left, 'x')),
          ),
      ],
      drawAxes: [(plot) => drawSpans(plot, live.current.spans ?? [])],
      draw: [
        (plot) => drawThresholds(plot, live.current.thresholds ?? [], text > TEXT ? text : LABEL),
        (plot) => drawMarks(plot, live.current.marks ?? []),
        (plot) => live.current.onArea((before) => areaOf(plot, before)),
      ],
      setSelect: [(plot) => select(plot, live.current.onSelect)],
      setCursor: [
        ({ cursor: { left }, posToVal }) =>
          live.current.onCursor?.(left === undefined || left < 0 ? undefined : posToVal(left, 'x')),
      ],
    },
  };
}

/** The common width of the scales, which becomes larger if a scale needs more. */
function gutterFor(texts: number, { gutter, onGutter }: Live): number {
  const needed = Math.ceil(texts) + EDGE;
  if (needed > gutter) queueMicrotask(() => onGutter(needed));
  return Math.max(gutter, needed);
}

/** Space at the left of the longest text of a scale, in pixels. */
const EDGE = 2;

const DASHES = [undefined, [6, 4], [2, 3], [10, 3, 2, 3]];

/** A series for each line, and two transparent ones with a band between them for its lowest and highest numbers. */
function seriesOf(lines: readonly Line[]): Pick<uPlot.Options, 'series' | 'bands'> {
  const bands: uPlot.Band[] = [];
  const series: uPlot.Series[] = [{}];
  for (const line of lines) {
    const stroke = colour(`series-${(line.at % SERIES_COLOURS) + 1}`);
    const points = { size: 5, fill: stroke, show: showsPoints };
    series.push({ label: line.name, stroke, width: 1.75, points, dash: DASHES[dashOf(line.at)] });
    if (!line.low) continue;
    series.push({ stroke: 'transparent', points: { show: false } }, { stroke: 'transparent', points: { show: false } });
    bands.push({ series: [series.length - 1, series.length - 2], fill: `${stroke}4d` });
  }
  return { series, bands };
}

/** The scale of the numbers: that of uPlot, widened by the bounds near the data. */
function scaleOf(low: number | null, high: number | null, bounds: readonly number[]): uPlot.Range.MinMax {
  if (low === null || high === null) return [low, high];
  const [lowest, highest] = reachOf(low, high, bounds);
  // A line that never changes lies in the middle of a small scale.
  const margin = lowest === highest ? Math.abs(lowest) / 10 || 1 : 0;
  return uPlot.rangeNum(lowest - margin, highest + margin, 0.1, true);
}

/** Where the lines are drawn; the area before if it is the same, undefined without numbers. */
function areaOf({ bbox, scales }: uPlot, before: Area | undefined): Area | undefined {
  const { min: low, max: high } = scales.y ?? {};
  if (low === undefined || low === null || high === undefined || high === null) return undefined;
  const [left = 0, top = 0, width = 0, height = 0] = [bbox.left, bbox.top, bbox.width, bbox.height].map(
    (pixels) => pixels / devicePixelRatio,
  );
  const area = { left, top, width, height, low, high };
  return JSON.stringify(area) === JSON.stringify(before) ? before : area;
}

/** Single points are only drawn where they can be distinguished. */
function showsPoints(plot: uPlot, _series: number, from: number, to: number): boolean {
  return (to - from) * 12 < plot.bbox.width / devicePixelRatio;
}

function select(plot: uPlot, onSelect: PlotProps['onSelect']): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  onSelect?.({ from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x') });
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

/** The lines on common dates, each with its band. */
function dataOf(lines: readonly Line[]): uPlot.AlignedData {
  if (lines.length === 0) return [[]];
  return uPlot.join(
    lines.map((line) => [line.dates, line.values, ...(line.low && line.high ? [line.low, line.high] : [])]),
  );
}
