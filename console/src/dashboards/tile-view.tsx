import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, Unreachable } from '../api';
import { statisticsOf } from '../chart/shape';
import { formatAge, formatDate, formatShort, readFields, valueParts } from '../format';
import { many, type PlainText, t } from '../language';
import { joined, writerFor } from '../quantity';
import { NoData } from '../ui/no-data';
import { Loaded, Status } from '../ui/page';
import { Sparkline } from '../ui/sparkline';
import { useOnline } from '../use-online';
import { useResource } from '../use-resource';
import { isStale } from './age';
import type { Kind, Source, Tile, TileData, TileSensor } from './source';
import { shapesIn, TileChart } from './tile-chart';

/**
 * How often a tile is read again, and how soon after news: the longer its range, the more it costs and the less it
 * changes. The latest value must not wait for that. In ms.
 */
const SHORTEST = { poll: 15_000, news: 1_500 };
const LONGEST = { poll: 300_000, news: 60_000 };
const LONGEST_OF_VALUE = { poll: 60_000, news: 10_000 };

function pausesOf({ kind, range }: Tile): typeof SHORTEST {
  const longest = kind === 'value' ? LONGEST_OF_VALUE : LONGEST;
  const share = kind === 'value' ? 6 : 1.5;
  const within = (ms: number, name: keyof typeof SHORTEST) => Math.min(longest[name], Math.max(SHORTEST[name], ms));
  return { poll: within((range ?? 0) / share, 'poll'), news: within((range ?? 0) / share / 8, 'news') };
}

const TICK_MS = 10_000;

/** A tile of a board with its present data; without data for its place it says so. */
export function TileView({ at, title, ...shown }: TileProps & { at: number | undefined; title: string | undefined }) {
  const { kind, text } = shown.tile;
  if (kind === 'note') return <p class="note-text">{text}</p>;
  if (at === undefined) {
    return (
      <>
        {title && <h2>{title}</h2>}
        <p class="quiet">{t('{kind}: shown once you save', { kind: t(KINDS[kind]) })}</p>
      </>
    );
  }
  return <WithData {...shown} at={at} />;
}

interface TileProps {
  tile: Tile;
  /** The version of its board. */
  version: number;
  source: Source;
}

export const KINDS: Readonly<Record<Kind, PlainText>> = {
  chart: 'Chart',
  value: 'Value',
  state: 'State',
  alerts: 'Alerts',
  note: 'Note',
};

function WithData({ tile, version, source, at }: TileProps & { at: number }) {
  const { kind, text, sensors } = tile;
  const { poll: everyMs, news } = pausesOf(tile);
  const resource = useResource(`${source.key} ${version} ${at}`, (signal) => source.read(at, signal), { everyMs });
  const { data, error, reload } = resource;
  useNews(source.listen, kind === 'chart' || kind === 'value' ? (sensors ?? []) : [], news, reload);
  useEffect(() => {
    const isGone = error instanceof ApiError && error.status === 404;
    if (isGone || (data && data.version !== version)) source.onChanged();
  }, [data, error]);
  const isOffline = !useOnline() || error instanceof Unreachable;
  const now = useNow();
  const View = VIEWS[kind as keyof typeof VIEWS];
  return (
    <>
      {text && <h2>{text}</h2>}
      <Loaded resource={isOffline && data ? { ...resource, error: undefined } : resource}>
        {(loaded) => (
          <>
            <View data={loaded} now={now} title={text} linkTo={source.linkTo} />
            {isOffline && <Status kind="warn">{t('as of {date}', { date: formatShort(loaded.to) })}</Status>}
          </>
        )}
      </Loaded>
    </>
  );
}

/** Acts after news, at most once in this time. */
function useNews(listen: Source['listen'], sensors: readonly string[], pauseMs: number, act: () => void) {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        act();
      }, pauseMs);
    };
    const stop = listen?.(sensors, later);
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [listen, sensors.join(), pauseMs]);
}

/** The time in seconds, which moves on while the page is shown. */
function useNow(): number {
  const [now, setNow] = useState(Date.now() / 1_000);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1_000), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface ViewProps {
  data: TileData;
  now: number;
  title: string;
  linkTo: Source['linkTo'];
}

const VIEWS = { chart: ChartView, value: ValueView, state: StateView, alerts: AlertsView };

function ChartView({ data, now, title }: ViewProps) {
  const names = data.sensors.filter(({ available }) => available).map(({ name }) => name);
  const stale = data.sensors.filter((sensor) => isOld(sensor, data, now));
  const hidden = data.sensors.length - names.length;
  return (
    <>
      {!title && <h2>{names.join(', ') || t('Chart')}</h2>}
      {names.length > 0 && <TileChart data={data} />}
      {hidden > 0 && (
        <NotAvailable>{many(hidden, '{n} sensor is not available', '{n} sensors are not available')}</NotAvailable>
      )}
      <div class="line">
        {stale.map((sensor) => (
          <Status key={sensor.id ?? sensor.name} kind="warn">
            {staleText(sensor, now)}
          </Status>
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
function ValueView({ data, now, title }: ViewProps) {
  const [sensor] = data.sensors;
  if (!sensor?.available) return <NotAvailable>{t('The sensor is not available')}</NotAvailable>;
  const { last, name } = sensor;
  const [line] = shapesIn(data).lines;
  const found = line && statisticsOf(line, { from: data.from, to: Math.max(data.to, now) });
  const old = isOld(sensor, data, now);
  const shown = last && shownValue(sensor, last.value);
  const points = (line?.dates ?? []).flatMap((date, at) => {
    const value = line?.values[at];
    return value === null || value === undefined ? [] : [{ date, value }];
  });
  return (
    <>
      {!title && <h2>{name}</h2>}
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

function Age({ date, now }: { date: number; now: number }) {
  return (
    <p class="small quiet">
      <time title={formatDate(date)}>{formatAge(Math.min(date, now), now * 1_000)}</time>
    </p>
  );
}

/** A value, or that of its only field, apart from its unit. */
function shownValue(sensor: TileSensor, text: string): { value: string; unit: string } {
  const [only, ...others] = Object.entries(readFields(text) ?? {});
  if (only === undefined || others.length > 0) return valueParts(text, sensor);
  const [name, field] = only;
  return valueParts(String(field), { unit: sensor.field_units[name] ?? '' });
}

const STATES: Readonly<
  Record<NonNullable<TileSensor['state']>, readonly [PlainText, 'good' | 'bad' | 'warn' | undefined]>
> = {
  firing: ['firing|state', 'bad'],
  pending: ['pending', 'warn'],
  silent: ['no data', 'warn'],
  ok: ['ok', 'good'],
  none: ['no trigger', undefined],
};

function StateView({ data, now, title, linkTo }: ViewProps) {
  return (
    <>
      {!title && <h2>{t('State')}</h2>}
      <ul class="tile-list">
        {data.sensors.map(({ id, available, name, state, since }, at) => {
          const [word, kind] = STATES[state ?? 'none'];
          return (
            <li key={id ?? at} class="line spread">
              {available ? (
                <span class="breakable">{id && linkTo ? <a href={linkTo(id)}>{name}</a> : name}</span>
              ) : (
                <NotAvailable>{t('not available')}</NotAvailable>
              )}
              {available && (
                <span class="line">
                  {since !== null && <span class="small quiet">{formatAge(since, now * 1_000)}</span>}
                  <Status kind={kind}>{t(word)}</Status>
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function AlertsView({ data: { alerts, alert_count: total }, now, title }: ViewProps) {
  return (
    <>
      {!title && <h2>{t('Alerts')}</h2>}
      {total === 0 && <Status kind="good">{t('No open alerts')}</Status>}
      <ul class="tile-list">
        {alerts.map(({ trigger, sensor, severity, since, acknowledged }) => (
          <li key={`${trigger} ${sensor} ${since}`} class="line spread">
            <span class="breakable">
              <strong>{trigger}</strong> <span class="quiet">{sensor}</span>
            </span>
            <span class="line">
              <span class="small quiet">{formatAge(since, now * 1_000)}</span>
              <Status kind={acknowledged ? undefined : severity === 'critical' ? 'bad' : 'warn'}>
                {acknowledged ? t('acknowledged') : t(severity)}
              </Status>
            </span>
          </li>
        ))}
      </ul>
      {total > alerts.length && <p class="small quiet">{t('{n} of {total} alerts', { n: alerts.length, total })}</p>}
    </>
  );
}

function NotAvailable({ children }: { children: ComponentChildren }) {
  return <span class="quiet">{children}</span>;
}
