import { useEffect, useRef, useState } from 'preact/hooks';
import { useLivePoints } from './live';
import { loadPoints } from './load';
import type { Points, Range } from './points';
import type { View } from './view';

/** The loaded points of a chart's sensors, by their ids, in its range. */
export interface Loaded {
  points: ReadonlyMap<string, Points>;
  loading: boolean;
  error: unknown;
  isLive: boolean;
  /** Polling interval in seconds while there is no stream. */
  everySeconds: number;
}

type State = Pick<Loaded, 'points' | 'loading' | 'error'>;
const NOTHING: State = { points: new Map(), loading: true, error: undefined };

const SETTLE_MS = 120;
const POLL = { shortest: 5, longest: 300 };
const MOST_LIVE = 20_000;

/**
 * Loads the points of a chart after it has moved and rested for a moment. While it follows the clock, new points are
 * added: stored points from the stream, intervals by polling.
 */
export function usePoints(sensors: readonly { id: string }[], { range, span, catchUp }: View): Loaded {
  const ids = sensors.map(({ id }) => id);
  const [state, setState] = useState<State>(NOTHING);
  const key = `${ids.join()} ${span ?? `${range.from} ${range.to}`}`;
  const current = useRef(range);
  current.current = range;
  const [loads, setLoads] = useState(0);
  const follows = span !== undefined;
  // A mean changes at most once in its interval, and each poll costs the platform as much as there are points.
  const interval = Math.max(0, ...[...state.points.values()].map((points) => points.interval));
  const everySeconds = Math.min(POLL.longest, Math.max(POLL.shortest, interval));
  const isRaw = follows && interval === 0;
  // A stream that opens during the first load would have it repeated.
  const isLive = useLivePoints(ids, isRaw && state.points.size > 0, {
    onPoint: ({ sensor_id, date, value }) => {
      if (!isRaw) return;
      setState((before) => ({ ...before, points: withPoint(before.points, sensor_id, date, value) }));
      catchUp(date);
    },
    onGap: () => setLoads((before) => before + 1),
  });

  useSettled(`${key} ${loads}`, async (signal) => {
    setState((before) => ({ ...before, loading: true }));
    try {
      const points = await loadAll(ids, current.current, signal);
      setState((before) => ({
        points: follows ? withNewer(points, before.points) : points,
        loading: false,
        error: undefined,
      }));
    } catch (error) {
      if (!signal.aborted) setState((before) => ({ ...before, loading: false, error }));
    }
  });

  usePolling(follows && !isLive, everySeconds, () => setLoads((before) => before + 1));

  return { ...state, isLive, everySeconds };
}

/** Acts when the key changes: at once the first time, then after a moment of rest. The previous action is aborted. */
function useSettled(key: string, act: (signal: AbortSignal) => Promise<void>): void {
  const isFirst = useRef(true);
  useEffect(() => {
    const abort = new AbortController();
    const start = () => void act(abort.signal);
    const timer = isFirst.current ? start() : setTimeout(start, SETTLE_MS);
    isFirst.current = false;
    return () => {
      if (timer) clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
}

/** Polls at an interval while `must` is true and the page is visible. */
function usePolling(must: boolean, everySeconds: number, act: () => void): void {
  useEffect(() => {
    if (!must) return;
    const timer = setInterval(() => !document.hidden && act(), everySeconds * 1000);
    return () => clearInterval(timer);
  }, [must, everySeconds]);
}

async function loadAll(ids: readonly string[], range: Range, signal: AbortSignal): Promise<Map<string, Points>> {
  const loaded = await Promise.all(ids.map(async (id) => [id, await loadPoints(id, range, signal)] as const));
  return new Map(loaded);
}

/** Adds the points that the stream brought during loading. */
function withNewer(loaded: ReadonlyMap<string, Points>, before: ReadonlyMap<string, Points>) {
  let all: ReadonlyMap<string, Points> = loaded;
  for (const [id, { dates, interval }] of loaded) {
    const known = before.get(id);
    if (interval > 0 || !known || known.interval > 0) continue;
    const last = dates.at(-1) ?? Number.NEGATIVE_INFINITY;
    known.dates.forEach((date, at) => {
      if (date > last) all = withPoint(all, id, date, known.values[at] ?? '');
    });
  }
  return all;
}

/** Adds a point, which replaces one of the same date. */
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
