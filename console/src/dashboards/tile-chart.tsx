import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Bands } from '../chart/bands';
import type { Points } from '../chart/load';
import { Plot, SERIES_COLOURS } from '../chart/plot';
import { shapesOf } from '../chart/shape';
import { formatShort, formatValue } from '../format';
import { t } from '../language';
import type { TileData, TileSensor } from './source';

const LOWEST = 80;

/** The chart of a tile, as high as its place. */
export function TileChart({ data: { sensors, from, to, interval } }: { data: TileData }) {
  const place = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(LOWEST);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setHeight(Math.max(LOWEST, element.clientHeight)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const shown = sensors.filter(({ available }) => available);
  const { lines, bands } = useMemo(() => {
    const all = shown.map((sensor) => shapesOf(sensor.name, pointsOf(sensor, interval)));
    return { lines: all.flatMap((one) => one.lines), bands: all.flatMap((one) => one.bands) };
  }, [sensors]);
  const range = { from, to };
  const names = [...lines, ...bands].map(({ name }) => name).join(', ') || t('no data');
  return (
    <>
      <div ref={place} class="tile-plot chart">
        {lines.length > 0 && (
          <Plot
            lines={lines}
            range={range}
            height={height}
            label={t('{names} from {from} to {to}', { names, from: formatShort(from), to: formatShort(to) })}
          />
        )}
        <Bands bands={bands} range={range} />
        {lines.length + bands.length === 0 && <p class="chart-note">{t('No data in this period')}</p>}
      </div>
      <ul class="legend numbers">
        {lines.map((line, index) => (
          <li key={line.name} class="legend-item">
            <span class={`swatch s${(index % SERIES_COLOURS) + 1}`} />
            <span class="breakable">{line.name}</span>
          </li>
        ))}
        {shown.length === 1 && shown[0]?.last && <li class="strong">{formatValue(shown[0].last.value)}</li>}
      </ul>
    </>
  );
}

/** The points of a sensor as charts take them. */
export function pointsOf({ points }: TileSensor, interval: number): Points {
  return {
    dates: points.map(({ date }) => date),
    values: points.map(({ value }) => value),
    interval,
    extremes: points.map(({ min, max, count }) => ({ min, max, count })),
  };
}
