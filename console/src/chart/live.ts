import { useEffect, useRef, useState } from 'preact/hooks';
import { ROOT } from '../api';

/** A point as a stream brings it. */
export interface LivePoint {
  sensor_id: string;
  date: number;
  value: string;
}

/**
 * New points of sensors as they are stored, by the stream of the platform. While it cannot be had, `isLive` is false, and the caller
 * has to look again by itself.
 */
export function useLivePoints(ids: readonly string[], wanted: boolean, onPoint: (point: LivePoint) => void): boolean {
  const [isLive, setLive] = useState(false);
  const latest = useRef(onPoint);
  latest.current = onPoint;
  const key = ids.join();
  useEffect(() => {
    if (!wanted || key === '') return;
    const query = key
      .split(',')
      .map((id) => `sensor_id[]=${id}`)
      .join('&');
    const stream = new EventSource(`${ROOT}sensors/data/stream?${query}`);
    stream.addEventListener('open', () => setLive(true));
    stream.addEventListener('error', () => setLive(false));
    stream.addEventListener('end', () => stream.close());
    stream.addEventListener('data', (event) => latest.current(toPoint(JSON.parse(event.data))));
    return () => {
      stream.close();
      setLive(false);
    };
  }, [key, wanted]);
  return isLive;
}

function toPoint({ sensor_id, date, value }: Record<string, unknown>): LivePoint {
  return { sensor_id: String(sensor_id), date: Number(date), value: String(value) };
}
