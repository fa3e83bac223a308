import { formatDate } from '../format';
import { t } from '../language';
import { joined, writerFor } from '../quantity';
import { dashOf, SERIES_COLOURS } from './layout';
import type { Range } from './points';
import { type Charted, type Line, statisticsOf } from './shape';

interface LegendProps {
  lines: readonly Line[];
  /** Sensors without data in the range. */
  empty?: readonly Charted[];
  range: Range;
  /** Keys of the lines that are switched off. */
  hidden: ReadonlySet<string>;
  onHidden: (hidden: ReadonlySet<string>) => void;
}

const FEW = 4;

/** Identifies a line of a chart. */
export function keyOf({ sensorId, field }: Line): string {
  return `${sensorId} ${field}`;
}

/** The lines of a chart with their lowest, mean and highest; if there are several, each can be switched off. */
export function Legend({ lines, empty = [], range, hidden, onHidden }: LegendProps) {
  const toggle = (key: string) => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    onHidden(next);
  };
  // The fields of one sensor need not repeat its name.
  const isOfFields =
    lines.length > FEW && lines.every(({ sensorId, field }) => field && sensorId === lines[0]?.sensorId);
  return (
    <ul class="legend numbers">
      {lines.map((line) => {
        const key = keyOf(line);
        const name = <LineName line={isOfFields ? { ...line, name: line.field } : line} />;
        return (
          <li key={key} class="legend-item">
            {lines.length === 1 ? (
              name
            ) : (
              <button type="button" class="legend-button" aria-pressed={!hidden.has(key)} onClick={() => toggle(key)}>
                {name}
              </button>
            )}
            {!hidden.has(key) && <Figures line={line} range={range} />}
          </li>
        );
      })}
      {empty.map(({ id, name }) => (
        <li key={id} class="legend-item quiet">
          {t('{name}: no data in this range', { name })}
        </li>
      ))}
    </ul>
  );
}

function LineName({ line: { name, at } }: { line: Line }) {
  return (
    <span class="legend-item">
      <span class={`swatch s${(at % SERIES_COLOURS) + 1} ${dashOf(at) > 0 ? 'dashed' : ''}`} />
      <span class="breakable">{name}</span>
    </span>
  );
}

function Figures({ line, range }: { line: Line; range: Range }) {
  const found = statisticsOf(line, range);
  if (!found) return null;
  const { unit, stored, within } = writerFor(line.unit, found);
  const [low, mean, high] = [stored(found.low), within(found.mean), joined(stored(found.high), unit)];
  return <span class="quiet">{t('min {low} · mean {mean} · max {high}', { low, mean, high })}</span>;
}

/** The values of lines at a date, each with its lowest and highest if it is the mean of several. */
export function Values({ lines, date }: { lines: readonly Line[]; date: number }) {
  return (
    <>
      <div class="quiet">{formatDate(date)}</div>
      {lines.map((line) => (
        <div key={keyOf(line)} class="legend-item">
          <LineName line={line} />
          <ValueAt line={line} date={date} />
        </div>
      ))}
    </>
  );
}

function ValueAt({ line, date }: { line: Line; date: number }) {
  const at = nearest(line.dates, date);
  const [value, low, high] = [line.values[at], line.low?.[at], line.high?.[at]];
  if (typeof value !== 'number') return <strong>–</strong>;
  return <Mean value={value} low={low ?? value} high={high ?? value} unit={line.unit} />;
}

interface MeanProps {
  value: number;
  low: number;
  high: number;
  unit: string;
}

/** A value, with the lowest and the highest number if it is the mean of different ones. */
export function Mean({ value, low, high, unit }: MeanProps) {
  const isSpread = low < high;
  const { unit: shown, stored, within } = writerFor(unit, { low, high });
  return (
    <span>
      <strong>{joined(isSpread ? within(value) : stored(value), shown)}</strong>
      {isSpread && (
        <span class="quiet">
          {' '}
          {stored(low)} – {stored(high)}
        </span>
      )}
    </span>
  );
}

/** Position of the date that is nearest to another one; the dates are in order. */
function nearest(dates: readonly number[], date: number): number {
  const after = dates.findIndex((one) => one >= date);
  if (after <= 0) return after === 0 ? 0 : dates.length - 1;
  const [before, next] = [dates[after - 1] ?? 0, dates[after] ?? 0];
  return date - before <= next - date ? after - 1 : after;
}
