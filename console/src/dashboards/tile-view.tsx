import { useEffect, useState } from 'preact/hooks';
import { ApiError, Unreachable } from '../api';
import { formatShort } from '../format';
import { type PlainText, t } from '../language';
import { Loaded, Status } from '../ui/page';
import { useOnline } from '../use-online';
import { useResource } from '../use-resource';
import type { Kind, Source, Tile } from './source';
import { PlanView } from './tile-plan';
import { AlertsView, CountsView, StateView } from './tile-states';
import { ChartView, ValueView } from './tile-values';

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
  counts: 'Counts',
  alerts: 'Alerts',
  plan: 'Plan',
  note: 'Note',
};

function WithData({ tile, version, source, at }: TileProps & { at: number }) {
  const { kind, text } = tile;
  const { poll: everyMs, news } = pausesOf(tile);
  const resource = useResource(`${source.key} ${version} ${at}`, (signal) => source.read(at, signal), { everyMs });
  const { data, error, reload } = resource;
  const shown = kind === 'chart' || kind === 'value' ? (data?.sensors ?? []).flatMap(({ id }) => id ?? []) : [];
  useNews(source.listen, shown, news, reload);
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
            <View {...{ tile, now }} data={loaded} title={text} linkTo={source.linkTo} picture={source.pictureOf(at)} />
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

const VIEWS = {
  ...{ chart: ChartView, value: ValueView, state: StateView },
  ...{ counts: CountsView, alerts: AlertsView, plan: PlanView },
};
