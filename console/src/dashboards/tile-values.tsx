import { statisticsOf } from '../chart/shape';
import { columnOf, formatAge, formatDate, readFields, type Units, valueParts } from '../format';
import { many, t } from '../language';
import { joined, writerFor } from '../quantity';
import { NoData } from '../ui/no-data';
import { Sparkline } from '../ui/sparkline';
import { State } from '../ui/state';
import { isStale } from './age';
import type { TileData, TileSensor, ViewProps } from './source';
import { shapesIn, TileChart } from './tile-chart';

/** Lines over a range, with a remark about what is late or missing. */
export function ChartView({ data, now, title }: ViewProps) {
  const names = data.sensors.filter(({ available }) => available).map(({ name }) => name);
  const stale = data.sensors.filter((sensor) => isOld(sensor, data, now));
  const hidden = data.sensors.length - names.length;
  const { sensor_count: count } = data;
  return (
    <>
      {!title && <h2>{names.join(', ') || t('Chart')}</h2>}
      {names.length > 0 && <TileChart data={data} />}
      {count > data.sensors.length && (
        <p class="small quiet">{t('{n} of {total} sensors', { n: data.sensors.length, total: count })}</p>
      )}
      {hidden > 0 && (
        <span class="quiet">{many(hidden, '{n} sensor is not available', '{n} sensors are not available')}</span>
      )}
      <div class="line">
        {stale.map((sensor) => (
          <State key={sensor.id ?? sensor.name} of="inactive">
            {staleText(sensor, now)}
          </State>
        ))}
      </div>
    </>
  );
}

function staleText(sensor: TileSensor, now: number): string {
  const { name, last } = sensor;
  if (!last) return name;
  const { value: number, unit } = shownValue(sensor, last.value);
  const value = joined(number, unit);
  return t('{name}: {value}, {age}', { name, value, age: formatAge(last.date, now * 1_000) });
}

function isOld({ last, points }: TileSensor, { from, to }: TileData, now: number): boolean {
  return (
    last !== null &&
    isStale(
      last.date,
      points.map(({ date }) => date),
      to - from,
      now,
    )
  );
}

/** The latest value in large letters, with its age, and the lowest and highest of the range. */
export function ValueView({ data, now, title }: ViewProps) {
  const [sensor] = data.sensors;
  if (!sensor?.available) return <span class="quiet">{t('The sensor is not available')}</span>;
  const { last, name } = sensor;
  const [line] = shapesIn(data).lines;
  const found = line && statisticsOf(line, { from: data.from, to: Math.max(data.to, now) });
  const old = isOld(sensor, data, now);
  // As many decimals as the values of the range have.
  const values = [...(last ? [last.value] : []), ...sensor.points.flatMap(({ min, max }) => [min, max])];
  const shown = last && columnOf(values.map((text) => onlyValue(sensor, text)))(...onlyValue(sensor, last.value));
  const points = (line?.dates ?? []).flatMap((date, at) => {
    const value = line?.values[at];
    return value === null || value === undefined ? [] : [{ date, value }];
  });
  return (
    <>
      {!title && <h2>{name}</h2>}
      <Alarm sensor={sensor} now={now} />
      {last && (
        <p class={`big-value ${old ? 'quiet' : ''}`}>
          {shown?.value} <small>{shown?.unit}</small>
        </p>
      )}
      {found && (
        <>
          <Sparkline points={points} from={data.from} to={data.to} />
          <p class="small quiet numbers">
            {t('min {low} · max {high}', {
              low: writerFor(line.unit, found).within(found.low),
              high: writerFor(line.unit, found).within(found.high),
            })}
          </p>
        </>
      )}
      {last && !old ? <Age date={last.date} now={now} /> : <NoData since={last?.date} />}
    </>
  );
}

/** Says that a trigger fires: its severity, and since when. The tile has its colour. */
function Alarm({ sensor: { state, severity, since }, now }: { sensor: TileSensor; now: number }) {
  if (state !== 'firing' || !severity) return null;
  return (
    <p class={`alarm is-${severity}`}>
      <State of={severity}>
        {t(severity)}
        {since !== null && <span class="numbers"> · {formatAge(since, now * 1_000)}</span>}
      </State>
    </p>
  );
}

function Age({ date, now }: { date: number; now: number }) {
  return (
    <p class="small quiet">
      <time title={formatDate(date)}>{formatAge(Math.min(date, now), now * 1_000)}</time>
    </p>
  );
}

/** A value, or that of its only field, with its units. */
export function onlyValue(sensor: TileSensor, text: string): [text: string, units: Units] {
  const [only, ...others] = Object.entries(readFields(text) ?? {});
  if (only === undefined || others.length > 0) return [text, sensor];
  const [name, field] = only;
  return [String(field), { unit: sensor.field_units[name] ?? '' }];
}

function shownValue(sensor: TileSensor, text: string): { value: string; unit: string } {
  return valueParts(...onlyValue(sensor, text));
}
