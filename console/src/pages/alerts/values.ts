import { useRef, useState } from 'preact/hooks';
import { useLivePoints } from '../../chart/live';
import { useResource } from '../../use-resource';
import { loadLatest } from '../sensors/load';

/** A stored value, and its date. */
type Stored = Readonly<{ value: string; date: number }>;

/** A stream takes this many sensors; the values of others are polled. */
const MOST_STREAMED = 100;

/** The latest point of each of these sensors: streamed, or polled every 15 s. */
export function useCurrentValues(ids: readonly string[]): ReadonlyMap<string, Stored> {
  const wanted = [...new Set(ids)].sort();
  const loaded = useResource(
    `values ${wanted}`,
    async (signal) => {
      streamed.current.clear();
      return wanted.length === 0 ? new Map() : loadLatest(wanted.slice(0, 1_000), signal);
    },
    { everyMs: 15_000 },
  );
  const streamed = useRef(new Map<string, Stored>());
  const [, setCount] = useState(0);
  useLivePoints(wanted.slice(0, MOST_STREAMED), true, {
    onPoint: (point) => {
      streamed.current.set(point.sensor_id, point);
      setCount((before) => before + 1);
    },
    onGap: loaded.reload,
  });
  return new Map<string, Stored>([...(loaded.data ?? []), ...streamed.current]);
}
