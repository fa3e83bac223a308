import { useMemo, useRef, useState } from 'preact/hooks';
import { formatDate } from '../format';
import { t } from '../language';
import { setQuery, usePlace } from '../router';
import { Choices } from '../ui/form';
import { Problem } from '../ui/page';
import { Downloads } from './downloads';
import { FieldPicker } from './field-picker';
import { HeatMap } from './heat-map';
import { Legend } from './legend';
import { type AreaProps, PlotArea } from './plot-area';
import { type Charted, type Shapes, shapesOfAll } from './shape';
import { Freshness, Toolbar } from './toolbar';
import { type Loaded, usePoints } from './use-points';
import { ValueTable } from './value-table';
import type { View } from './view';

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
  const { loaded, shapes, empty, isBare } = useChart(sensors, view);
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
              <FieldPicker all={shapes.fields} shown={shownFields(shapes)} />
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
        {!isHeat && <Legend lines={shapes.lines} {...{ empty, range, hidden }} onHidden={setHidden} />}
        {isWhole && <ValueTable {...{ shapes, range }} />}
      </div>
    </div>
  );
}

const NONE: ReadonlySet<string> = new Set();

/** The number of fields of the first sensor that are drawn. */
function shownFields({ lines, bands, fields }: Shapes): number {
  const drawn = new Set([...lines, ...bands].map(({ field }) => field));
  return fields.filter((field) => drawn.has(field)).length;
}

/** The loaded shapes of a chart, and which of several sensors have none; `isBare` once it is known that there are none at all. */
function useChart(sensors: readonly Charted[], view: View) {
  const loaded: Loaded = usePoints(sensors, view);
  const shapes = useMemo(() => shapesOfAll(sensors, loaded.points), [sensors, loaded.points]);
  const empty = sensors.length > 1 ? sensors.filter(({ id }) => loaded.points.get(id)?.dates.length === 0) : [];
  const isEmpty = shapes.lines.length === 0 && shapes.bands.length === 0;
  return { loaded, shapes, empty, isBare: isEmpty && !loaded.loading && loaded.error === undefined };
}
