import { differencesOf, type NamedSensor, outsideNameOf } from '../../access/equal-names';
import { type Compute, inOneStep } from '../../platform/steps';
import type { RunSql } from '../../storage/transaction';
import type { Alert } from './alert';
import type { DigestItem } from './digest';

/** Maximum number of sensors with the names of the alerts that are compared. */
const MOST_COMPARED = 200;

/** Adds to the sensors what distinguishes them from others of their owner with their names. */
export async function withSensorsApart<T extends Pick<Alert, 'sensor'>>(
  run: RunSql,
  { ownerId, alerts, compute }: { ownerId: number; alerts: readonly T[]; compute: Compute },
): Promise<T[]> {
  const own = new Map(alerts.flatMap(({ sensor }) => (sensor.id === null ? [] : [[Number(sensor.id), sensor.name]])));
  if (own.size === 0) return [...alerts];
  const compared = await readEqual(run, ownerId, own);
  if (compared.length === own.size && own.size === 1) return [...alerts];
  const differences = await compute(inOneStep(() => differencesOf(compared, outsideNameOf)));
  return alerts.map((alert) => {
    const apart = differences.get(Number(alert.sensor.id));
    return apart === undefined ? alert : { ...alert, sensor: { ...alert.sensor, apart } };
  });
}

/** What `withSensorsApart` adds, for the alerts of a digest. */
export async function withItemsApart(
  run: RunSql,
  { ownerId, items, compute }: { ownerId: number; items: readonly DigestItem[]; compute: Compute },
): Promise<DigestItem[]> {
  const alerts = await withSensorsApart(run, { ownerId, alerts: items.map(({ alert }) => alert), compute });
  return items.map((item, at) => ({ ...item, alert: alerts[at] ?? item.alert }));
}

async function readEqual(run: RunSql, ownerId: number, own: ReadonlyMap<number, string>): Promise<NamedSensor[]> {
  const others = await run('SELECT id, name FROM sensors WHERE owner_id = ? AND name IN (?) LIMIT ?', [
    ...[ownerId, [...new Set(own.values())], MOST_COMPARED],
  ]);
  const names = new Map([...others.map(({ id, name }) => [Number(id), String(name)] as const), ...own]);
  if (names.size === 1) return [...names].map(([id, name]) => ({ id, name, outside: [] }));
  const series = await run('SELECT sensor_id AS id, name FROM series WHERE sensor_id IN (?)', [[...names.keys()]]);
  const outside = new Map<number, string[]>();
  for (const { id, name } of series) outside.set(Number(id), [...(outside.get(Number(id)) ?? []), String(name)]);
  return [...names].map(([id, name]) => ({ id, name, outside: outside.get(id) ?? [] }));
}
