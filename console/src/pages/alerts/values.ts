import { useRef, useState } from 'preact/hooks';
import { useLivePoints } from '../../chart/live';
import { formatValue } from '../../format';
import { useResource } from '../../use-resource';
import { loadLatest, type Sensor } from '../sensors/load';

/** A stream takes this many sensors; the values of others are polled. */
const MOST_STREAMED = 100;

/** The latest value of each of these sensors, as stored: streamed, or polled every 15 s. */
export function useCurrentValues(ids: readonly string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(ids)].sort();
  const loaded = useResource(
    `values ${wanted}`,
    async (signal) => {
      streamed.current.clear();
      return wanted.length === 0 ? new Map() : loadLatest(wanted.slice(0, 1_000), signal);
    },
    { everyMs: 15_000 },
  );
  const streamed = useRef(new Map<string, string>());
  const [, setCount] = useState(0);
  useLivePoints(wanted.slice(0, MOST_STREAMED), true, {
    onPoint: ({ sensor_id, value }) => {
      streamed.current.set(sensor_id, value);
      setCount((before) => before + 1);
    },
    onGap: loaded.reload,
  });
  const values = new Map<string, string>();
  for (const [id, point] of loaded.data ?? []) values.set(id, point.value);
  for (const [id, value] of streamed.current) values.set(id, value);
  return values;
}

/** A value with the unit of its sensor. */
export function valueWithUnit(value: string, sensor: Pick<Sensor, 'unit'> | undefined): string {
  return sensor?.unit ? `${formatValue(value)} ${sensor.unit}` : formatValue(value);
}
