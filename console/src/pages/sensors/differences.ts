import { sensorName } from '../../format';
import { t } from '../../language';

interface Named {
  id: string;
  name: string;
  display_name?: string;
}

/** What a page shows of a sensor to distinguish it from others. */
interface Differences {
  outside?: string;
  apart?: string;
}

/** Adds to sensors the outside names of their series, and to those with equal names what distinguishes them. */
export function withDifferences<T extends Named>(
  sensors: readonly T[],
  series: readonly { sensor_id: string; name: string }[],
): (T & Differences)[] {
  const outside = new Map<string, string[]>();
  for (const { sensor_id: id, name } of series) outside.set(id, [...(outside.get(id) ?? []), name]);
  const counts = new Map<string, number>();
  for (const sensor of sensors) counts.set(keyOf(sensor), (counts.get(keyOf(sensor)) ?? 0) + 1);
  return sensors.map((sensor) => {
    const names = outside.get(sensor.id)?.join(', ');
    const isEqual = (counts.get(keyOf(sensor)) ?? 0) > 1;
    return {
      ...sensor,
      ...(names !== undefined && { outside: names }),
      ...(isEqual && { apart: names ?? t('id {id}', { id: sensor.id }) }),
    };
  });
}

function keyOf(sensor: Named): string {
  return sensorName(sensor).toLowerCase();
}

/** The name of a sensor with what distinguishes it, for texts without a second line. */
export function fullName(sensor: Named & Differences): string {
  return sensor.apart === undefined ? sensorName(sensor) : `${sensorName(sensor)} (${sensor.apart})`;
}
