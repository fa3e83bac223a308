import { useMemo, useState } from 'preact/hooks';
import { DATES, STACKED, TEXT } from '../chart/layout';
import { keyOf, Legend, Values } from '../chart/legend';
import type { Threshold } from '../chart/marks';
import { panelsOf } from '../chart/panels';
import { type Shapes, shapesOfAll } from '../chart/shape';
import { StackedPlots } from '../chart/stacked-plots';
import { t } from '../language';
import { formatNumber } from '../quantity';
import { shortNames } from './short-names';
import type { TileData } from './source';
import { useRoom } from './use-room';

const LOWEST = 90;
const LOWEST_PANEL = 50;
/** Between panels. */
const MARGIN = 9;
/** Size of the text on scales, as a part of that of its place: a wall has larger text. */
const SCALE = 0.8;

/** The chart of a tile, as high as its place. */
export function TileChart({ data }: { data: TileData }) {
  const [place, room] = useRoom();
  const [height, text] = [Math.max(LOWEST, room.height), Math.round(SCALE * room.text)];
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [cursor, setCursor] = useState<number>();
  const shapes = useMemo(() => shapesIn(data), [data]);
  const thresholds = useMemo(() => thresholdsIn(data), [data]);
  const { lines, bands } = shapes;
  const short = shortNames(lines.map(({ name }) => name));
  const named = lines.map((line, at) => ({ ...line, name: short[at] ?? line.name }));
  const range = { from: data.from, to: data.to };
  const visible = { bands, lines: lines.filter((line) => !hidden.has(keyOf(line))) };
  const isEmpty = lines.length + bands.length === 0;
  return (
    <>
      <div ref={place} class="tile-plot chart">
        {isEmpty ? (
          <p class="chart-note">{t('No data in this period')}</p>
        ) : (
          <StackedPlots
            shapes={visible}
            range={range}
            height={heightFor(panelsOf(visible.lines).length, height, text)}
            lowest={LOWEST_PANEL}
            text={text}
            thresholds={thresholds}
            onCursor={setCursor}
          />
        )}
        {cursor !== undefined && visible.lines.length > 0 && (
          <div class="tip small numbers">
            <Values lines={visible.lines} date={cursor} />
          </div>
        )}
      </div>
      <Legend {...{ range, hidden }} lines={named} onHidden={setHidden} />
    </>
  );
}

/** The height to ask for, so that all panels with their dates and margins fit into the tile. */
function heightFor(panels: number, height: number, text: number): number {
  return panels > 1 ? (height - (DATES * text) / TEXT - MARGIN * (panels - 1)) / STACKED : height;
}

/** The shapes of the sensors of a tile. Public tiles have no ids, so their positions stand for them. */
export function shapesIn({ sensors, interval }: TileData): Shapes {
  const shown = sensors.map((sensor, at) => ({ ...sensor, id: String(at) })).filter(({ available }) => available);
  const pointsOf = ({ points }: (typeof shown)[number]) => ({
    dates: points.map(({ date }) => date),
    values: points.map(({ value }) => value),
    interval,
    extremes: points.map(({ min, max, count }) => ({ min, max, count })),
  });
  return shapesOfAll(shown, new Map(shown.map((sensor) => [sensor.id, pointsOf(sensor)])));
}

function thresholdsIn({ sensors }: TileData): Threshold[] {
  return sensors.flatMap(({ thresholds }, at) =>
    thresholds.map(({ field, value, ends }) => ({
      ...{ sensorId: String(at), field, value, isEnd: ends },
      label: formatNumber(value),
    })),
  );
}
