import { useEffect, useRef, useState } from 'preact/hooks';
import { useLivePoints } from './live';
import { loadPoints, type Points, type Range } from './load';
import type { View } from './view';

/** The points of the sensors of a chart, by their ids, in its range. */
export interface Loaded {
  points: ReadonlyMap<string, Points>;
  loading: boolean;
  error: unknown;
  isLive: boolean;
}

const SETTLE_MS = 120;
const POLL_MS = 5_000;
const MOST_LIVE = 20_000;

/**
 * Loads what a chart shows when it is moved, once it rests for a moment. While it follows the clock, new points are added as they
 * come: by the stream for points as they were stored, else by looking again.
 */
export function usePoints(ids: readonly string[], { range, span, catchUp }: View): Loaded {
  const [state, setState] = useState<Omit<Loaded, 'isLive'>>({ points: new Map(), loading: true, error: undefined });
  const key = `${ids.join()} ${span ?? `${range.from} ${range.to}`}`;
  const current = useRef(range);
  current.current = range;
  const [turn, setTurn] = useState(0);
  const follows = span !== undefined;
  const isRaw = follows && [...state.points.values()].every(({ interval }) => interval === 0);
  const isLive = useLivePoints(ids, follows, ({ sensor_id, date, value }) => {
    if (!isRaw) return;
    setState((before) => ({ ...before, points: withPoint(before.points, sensor_id, date, value) }));
    catchUp(date);
  });

  useEffect(() => {
    const abort = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    const timer = setTimeout(
      () =>
        loadAll(ids, current.current, abort.signal).then(
          (points) => setState({ points, loading: false, error: undefined }),
          (error: unknown) => {
            if (!abort.signal.aborted) setState((before) => ({ ...before, loading: false, error }));
          },
        ),
      turn === 0 ? 0 : SETTLE_MS,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, turn]);

  const mustPoll = follows && !(isLive && isRaw);
  useEffect(() => {
    if (!mustPoll) return;
    const timer = setInterval(() => !document.hidden && setTurn((before) => before + 1), POLL_MS);
    return () => clearInterval(timer);
  }, [mustPoll]);

  return { ...state, isLive };
}

async function loadAll(ids: readonly string[], range: Range, signal: AbortSignal): Promise<Map<string, Points>> {
  const loaded = await Promise.all(ids.map(async (id) => [id, await loadPoints(id, range, signal)] as const));
  return new Map(loaded);
}

/** With one more point, which replaces one of the same date. */
function withPoint(all: ReadonlyMap<string, Points>, id: string, date: number, value: string) {
  const points = all.get(id);
  if (!points) return all;
  const at = points.dates.findLastIndex((known) => known <= date);
  const isKnown = points.dates[at] === date;
  const from = Math.max(0, points.dates.length - MOST_LIVE);
  const insert = <T>(list: readonly T[], item: T) => [
    ...list.slice(from, isKnown ? at : at + 1),
    item,
    ...list.slice(at + 1),
  ];
  const next = { ...points, dates: insert(points.dates, date), values: insert(points.values, value) };
  return new Map(all).set(id, next);
}
