import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { colour, usePaintedTheme } from '../theme';
import { axes } from './axes';
import { type Area, type Bound, BoundLine } from './bound-lines';
import type { Range } from './load';
import { drawMarks, type Mark, type Span } from './marks';
import type { Line } from './shape';
import { reachOf } from './steps';

export const SERIES_COLOURS = 6;
/** Space for the scale at the left, and for half a date at the right. Bands below a chart use the same. */
export const GUTTER = 56;
export const MARGIN = 32;

interface PlotProps {
  lines: readonly Line[];
  range: Range;
  marks?: readonly Mark[];
  spans?: readonly Span[];
  /** Numbers drawn as lines that the user can move. */
  bounds?: readonly Bound[];
  height?: number;
  /** A description of the chart for people who cannot see it. */
  label: string;
  /** Called with a range that the user drew with the mouse. */
  onSelect?: (range: Range) => void;
  /** Called with the date under the pointer, and undefined when it leaves. */
  onCursor?: (date: number | undefined) => void;
}

/** A chart of lines over time, drawn by uPlot. */
export function Plot(props: PlotProps) {
  const { lines, range, marks = [], spans = [], bounds = [], height = 320, label, onSelect, onCursor } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const theme = usePaintedTheme();
  const [area, setArea] = useState<Area>();
  const [isDragged, setDragged] = useState(false);
  // The scale does not move while a bound is dragged over it.
  const scaled = useRef<readonly number[]>([]);
  if (!isDragged) scaled.current = bounds.map(({ value }) => value);
  const live = useRef<Live['current']>({ marks, spans, onSelect, onCursor, range, scaled: [], onArea: setArea });
  live.current = { marks, spans, onSelect, onCursor, range, scaled: scaled.current, onArea: setArea };
  const shape = lines.map((line) => `${line.name}${line.low ? '±' : ''}`).join('\n');

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
  }, [shape, theme, height]);

  useEffect(() => {
    plot.current?.batch(() => {
      plot.current?.setData(dataOf(lines), false);
      plot.current?.setScale('x', { min: range.from, max: range.to });
    });
  }, [lines, range.from, range.to, scaled.current.join()]);

  useEffect(() => plot.current?.redraw(false), [marks, spans]);

  return (
    <div class="bounded">
      <div ref={place} class="plot" role="img" aria-label={label} />
      {area && bounds.map((bound) => <BoundLine key={bound.label} {...{ bound, area }} onDrag={setDragged} />)}
    </div>
  );
}

type Live = {
  current: Required<Pick<PlotProps, 'marks' | 'spans' | 'range'>> &
    Pick<PlotProps, 'onSelect' | 'onCursor'> & {
      /** The bounds that the scale of the numbers shows. */
      scaled: readonly number[];
      onArea: (change: (before: Area | undefined) => Area | undefined) => void;
    };
};

function optionsOf(lines: readonly Line[], size: { width: number; height: number }, live: Live): uPlot.Options {
  const bands: uPlot.Band[] = [];
  const series: uPlot.Series[] = [{}];
  lines.forEach((line, index) => {
    const stroke = colour(`series-${(index % SERIES_COLOURS) + 1}`);
    series.push({ label: line.name, stroke, width: 1.75, points: { size: 5, fill: stroke, show: showsPoints } });
    if (!line.low) return;
    series.push({ stroke: 'transparent', points: { show: false } }, { stroke: 'transparent', points: { show: false } });
    bands.push({ series: [series.length - 1, series.length - 2], fill: `${stroke}2e` });
  });
  return {
    ...size,
    series,
    bands,
    axes: axes(GUTTER),
    legend: { show: false },
    padding: [12, MARGIN, 0, 0],
    cursor: { y: false, drag: { x: true, y: false, setScale: false } },
    scales: {
      x: { time: true, auto: false, min: live.current.range.from, max: live.current.range.to },
      y: { range: (_plot, low, high) => scaleOf(low, high, live.current.scaled) },
    },
    hooks: {
      draw: [
        (plot) => drawMarks(plot, live.current.marks, live.current.spans),
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

/** The scale of the numbers: that of uPlot, widened by the bounds near the data. */
function scaleOf(low: number | null, high: number | null, bounds: readonly number[]): uPlot.Range.MinMax {
  if (low === null || high === null) return [low, high];
  return uPlot.rangeNum(...reachOf(low, high, bounds), 0.1, true);
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
