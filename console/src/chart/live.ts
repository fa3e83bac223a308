import { useEffect, useRef, useState } from 'preact/hooks';
import { ROOT } from '../api';
import { useOnline } from '../use-online';

/** A point in a stream. */
export interface LivePoint {
  sensor_id: string;
  date: number;
  value: string;
}

/**
 * Streams the new points of sensors. Without a stream, for example without a connection, `isLive` is false, and the
 * caller must poll. `onGap` is called when points may have been missed: at the beginning, and after an interruption
 * that the stream could not resume across.
 */
export function useLivePoints(
  ids: readonly string[],
  wanted: boolean,
  { onPoint, onGap }: { onPoint: (point: LivePoint) => void; onGap: () => void },
): boolean {
  const [isLive, setLive] = useState(false);
  const latest = useRef({ onPoint, onGap });
  latest.current = { onPoint, onGap };
  const key = ids.join();
  const online = useOnline();
  useEffect(() => {
    if (!wanted || !online || key === '') return;
    const query = key
      .split(',')
      .map((id) => `sensor_id[]=${id}`)
      .join('&');
    const stream = new EventSource(`${ROOT}sensors/data/stream?${query}`);
    let isNew = true;
    stream.addEventListener('open', () => {
      setLive(true);
      if (isNew) latest.current.onGap();
      isNew = false;
    });
    stream.addEventListener('reset', () => latest.current.onGap());
    stream.addEventListener('error', () => setLive(false));
    stream.addEventListener('end', ({ data }) => {
      // The browser reconnects to a platform that restarts, but not after the end of a session or a share.
      if (JSON.parse(data).reason === 'shutdown') return;
      stream.close();
      setLive(false);
    });
    stream.addEventListener('data', (event) => latest.current.onPoint(toPoint(JSON.parse(event.data))));
    return () => {
      stream.close();
      setLive(false);
    };
  }, [key, wanted, online]);
  return isLive;
}

function toPoint({ sensor_id, date, value }: Record<string, unknown>): LivePoint {
  return { sensor_id: String(sensor_id), date: Number(date), value: String(value) };
}
