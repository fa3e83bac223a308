import { useMemo, useRef, useState } from 'preact/hooks';
import { formatDate } from '../format';
import { t } from '../language';
import { setQuery, usePlace } from '../router';
import { Choices } from '../ui/form';
import { Problem } from '../ui/page';
import { Downloads } from './downloads';
import { HeatMap } from './heat-map';
import { Legend } from './legend';
import { type AreaProps, PlotArea } from './plot-area';
import type { Range } from './points';
import { type Charted, type Shapes, shapesOfAll } from './shape';
import { Freshness, Toolbar } from './toolbar';
import { type Loaded, usePoints } from './use-points';
import { ValueTable } from './value-table';
import { useOwnView, type View } from './view';

/** Height of a chart in pixels, in proportion to the window. */
const heightOfWindow = () => Math.round(Math.max(280, Math.min(560, window.innerHeight * 0.4)));

interface ChartProps extends AreaProps {
  sensors: readonly Charted[];
  height?: number;
  /** True for the chart of a page of its own: with a heat map, downloads and a table of its values. */
  isWhole?: boolean;
}

/**
 * The chart of one or more sensors, with its buttons, legend and figures. Lines of one unit share a panel. The keyboard
 * moves it: arrows, plus and minus; touch as well.
 */
export function SensorChart({ sensors, height, isWhole = false, ...area }: ChartProps) {
  const { view, extent } = area;
  const { loaded, shapes, isBare } = useChart(sensors, view);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(NONE);
  const [tall] = useState(heightOfWindow);
  const place = useRef<HTMLDivElement>(null);
  const { query } = usePlace();
  const isHeat = isWhole && query.get('as') === 'heat';
  const { range } = view;
  return (
    <div ref={place} class="stack chart">
      <div class="line spread">
        <Toolbar view={view} extent={extent} />
        <Freshness {...{ view, loaded, shapes }} />
      </div>
      {loaded.error !== undefined && <Problem error={loaded.error} />}
      {isHeat ? (
        <HeatMap {...{ sensors, view }} lines={shapes.lines} />
      ) : (
        <PlotArea {...area} {...{ shapes, hidden, isBare }} height={height ?? tall} />
      )}
      <div class="stack tight">
        <div class="line spread">
          <span class="small quiet numbers">
            {formatDate(range.from)} – {formatDate(range.to)}
          </span>
          {isWhole && (
            <div class="line">
              <Choices<'lines' | 'heat'>
                label={t('Shown as')}
                value={isHeat ? 'heat' : 'lines'}
                options={[
                  ['lines', t('Chart')],
                  ['heat', t('Heat map')],
                ]}
                onValue={(as) => setQuery({ as: as === 'heat' ? as : undefined })}
              />
              <Downloads {...{ sensors, range, place }} />
            </div>
          )}
        </div>
        {!isHeat && <Legend lines={shapes.lines} {...{ range, hidden }} onHidden={setHidden} />}
        {isWhole && <ValueTable {...{ shapes, range }} />}
      </div>
    </div>
  );
}

interface SmallProps {
  /** Sensors as the API shows them, with the names that people read; units choose the panels. */
  sensors: readonly Charted[];
  /** The latest seconds, following the clock, or a fixed range in unix seconds. */
  range: Range | { span: number };
  /** In pixels, without the legend. The chart is as wide as its place. */
  height: number;
  /** Shows only these fields of JSON values. */
  fields?: readonly string[];
}

/**
 * A chart for a tile of a page with several: it loads, listens for new points and draws by itself, and keeps nothing in
 * the address. Drawing over it zooms, and so do two fingers; `range` resets that when it changes. It shows its errors.
 *
 * @public
 */
export function SmallChart({ sensors, range, height, fields }: SmallProps) {
  const view = useOwnView(range);
  const { loaded, shapes, isBare } = useChart(sensors, view, fields);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(NONE);
  return (
    <div class="stack tight chart">
      {loaded.error !== undefined && <Problem error={loaded.error} />}
      <PlotArea {...{ view, shapes, hidden, isBare, height }} />
      <Legend lines={shapes.lines} range={view.range} hidden={hidden} onHidden={setHidden} />
    </div>
  );
}

const NONE: ReadonlySet<string> = new Set();

/** The loaded shapes of a chart; `isBare` once it is known that there are none. */
function useChart(sensors: readonly Charted[], view: View, fields?: readonly string[]) {
  const loaded: Loaded = usePoints(sensors, view);
  const wanted = fields?.join();
  const shapes: Shapes = useMemo(
    () => withFields(shapesOfAll(sensors, loaded.points), fields),
    [sensors, loaded.points, wanted],
  );
  const isEmpty = shapes.lines.length === 0 && shapes.bands.length === 0;
  return { loaded, shapes, isBare: isEmpty && !loaded.loading && loaded.error === undefined };
}

function withFields(shapes: Shapes, fields: readonly string[] | undefined): Shapes {
  if (!fields || fields.length === 0) return shapes;
  const isWanted = ({ field }: { field: string }) => field === '' || fields.includes(field);
  return { lines: shapes.lines.filter(isWanted), bands: shapes.bands.filter(isWanted) };
}
