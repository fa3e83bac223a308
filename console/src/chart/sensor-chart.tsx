import { useMemo, useState } from 'preact/hooks';
import { formatDate, formatMany, formatNumber, formatShort, formatWithin } from '../format';
import { formatStored } from '../stored-number';
import { Problem } from '../ui/page';
import { Bands } from './bands';
import type { Bound } from './bound-lines';
import type { Range } from './load';
import type { Mark, Span } from './marks';
import { Plot, SERIES_COLOURS } from './plot';
import { type Line, type Shapes, shapesOf, statisticsOf } from './shape';
import { keys, Toolbar } from './toolbar';
import { type Loaded, usePoints } from './use-points';
import type { View } from './view';

/** Height of a chart in pixels, in proportion to the window. */
const heightOfWindow = () => Math.round(Math.max(280, Math.min(560, window.innerHeight * 0.4)));

/** Height of a chart that shows only dates. */
const AXIS_ONLY = 52;

export interface Charted {
  id: string;
  name: string;
}

interface ChartProps {
  sensors: readonly Charted[];
  view: View;
  /** The range of all data of the sensors, for "All". */
  extent?: Range;
  marks?: readonly Mark[];
  spans?: readonly Span[];
  bounds?: readonly Bound[];
  height?: number;
  /** Called with a range drawn with the mouse; zooms if absent. */
  onSelect?: (range: Range) => void;
}

/**
 * The chart of one or more sensors, with its buttons and figures. The keyboard moves it as well: arrows, plus and
 * minus.
 */
export function SensorChart({ sensors, view, extent, marks, spans, bounds, height, onSelect }: ChartProps) {
  const loaded = usePoints(sensors, view);
  const shapes = useMemo(() => merge(sensors, loaded), [sensors, loaded.points]);
  const [cursor, setCursor] = useState<number>();
  const [tall] = useState(heightOfWindow);
  const { range } = view;
  const hasLines = shapes.lines.length > 0;
  const isEmpty = !hasLines && shapes.bands.length === 0;
  const isBare = isEmpty && !loaded.loading && loaded.error === undefined;
  return (
    <div class="stack chart">
      <Toolbar view={view} extent={extent} loaded={loaded} shapes={shapes} />
      {loaded.error !== undefined && <Problem error={loaded.error} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and no keys */}
      <div
        class="chart-plot"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the keys that move it
        tabIndex={0}
        role="group"
        aria-label="Chart; arrows move it, plus and minus zoom"
        onKeyDown={keys(view, extent)}
      >
        {!hasLines && <Bands bands={shapes.bands} range={range} />}
        <Plot
          lines={shapes.lines}
          range={range}
          marks={marks}
          spans={spans}
          bounds={hasLines ? bounds : undefined}
          height={hasLines || isEmpty ? (height ?? tall) : AXIS_ONLY}
          label={describe(shapes, range, marks ?? [])}
          onSelect={onSelect ?? view.show}
          onCursor={setCursor}
        />
        {isBare && <NoData range={range} />}
        {hasLines && <Bands bands={shapes.bands} range={range} />}
      </div>
      <Figures shapes={shapes} range={range} cursor={cursor} />
    </div>
  );
}

function NoData({ range: { from, to } }: { range: Range }) {
  return (
    <p class="chart-note">
      No data between {formatDate(from)} and {formatDate(to)}
    </p>
  );
}

function merge(sensors: readonly Charted[], { points }: Loaded): Shapes {
  const all = sensors.map(({ id, name }) => {
    const found = points.get(id);
    return found ? shapesOf(name, found) : { lines: [], bands: [] };
  });
  return { lines: all.flatMap(({ lines }) => lines), bands: all.flatMap(({ bands }) => bands) };
}

function describe({ lines, bands }: Shapes, range: Range, marks: readonly Mark[]): string {
  const names = [...lines, ...bands].map(({ name }) => name).join(', ') || 'no data';
  const named = marks.filter(({ kind }) => kind === 'named').map(({ date }) => `, ${formatDate(date)} marked`);
  const firings = marks.length - named.length;
  const fired = firings > 0 ? `, ${formatMany(firings, 'firing')} marked` : '';
  return `${names} from ${formatShort(range.from)} to ${formatShort(range.to)}${fired}${named.join('')}`;
}

/** For each line its value under the pointer, otherwise its lowest, mean and highest. */
function Figures({ shapes, range, cursor }: { shapes: Shapes; range: Range; cursor: number | undefined }) {
  return (
    <div class="stack tight">
      <p class="small quiet numbers">
        {cursor === undefined ? `${formatDate(range.from)} – ${formatDate(range.to)}` : formatDate(cursor)}
      </p>
      <ul class="legend numbers">
        {shapes.lines.map((line, index) => (
          <li key={line.name} class="legend-item">
            <span class={`swatch s${(index % SERIES_COLOURS) + 1}`} />
            <span class="breakable">{line.name}</span>
            <Figure line={line} range={range} cursor={cursor} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Figure({ line, range, cursor }: { line: Line; range: Range; cursor: number | undefined }) {
  if (cursor !== undefined) {
    const at = line.dates.findLastIndex((date) => date <= cursor);
    const value = line.values[at] ?? undefined;
    return <strong>{value === undefined ? '–' : formatNumber(value)}</strong>;
  }
  const found = statisticsOf(line, range);
  if (!found) return null;
  return (
    <span class="quiet">
      min {formatStored(found.low)} · mean {formatWithin(found.mean, found)} · max {formatStored(found.high)}
    </span>
  );
}
