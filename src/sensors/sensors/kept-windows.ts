import { triggerWindows } from '../../alerts';
import { whyNotKept } from '../../language/windows/window-storage';
import { Conflict } from '../../platform/errors';
import { keptDays, type PointStorage, type RetentionDays } from '../../platform/retention';
import { FLEET_SERVICE } from '../../points';
import type { Sensor } from '../../storage/models/sensor.model';
import type { RunSql } from '../../storage/transaction';
import { windowLengths } from '../virtual-sensors/window-lengths';

interface WindowUser {
  what: string;
  seconds: number;
}

/** `field` is the request's name of the change. */
interface StorageChange {
  to: Partial<PointStorage>;
  field: string;
  platformDays: RetentionDays;
}

/**
 * Throws Conflict if a window would lose its points: of a connected trigger, or of a service of the owner that the
 * sensor feeds.
 */
export async function requireWindowsKept(
  run: RunSql,
  sensor: Sensor,
  { to, field, platformDays }: StorageChange,
): Promise<void> {
  const { useDataStorage, retentionDays } = sensor;
  const before = keptDays(sensor, platformDays);
  const after = keptDays({ useDataStorage, retentionDays, ...to }, platformDays);
  if (after === null) return;
  const isKept = (seconds: number, days: RetentionDays) => whyNotKept(seconds, days) === undefined;
  const users = [...(await triggersOf(run, sensor.id)), ...(await servicesOf(run, sensor))];
  const hindered = users.find(({ seconds }) => isKept(seconds, before) && !isKept(seconds, after));
  if (!hindered) return;
  const why = `cannot change to this value: ${hindered.what} has a window of ${hindered.seconds} seconds, for which the sensor must keep its data points`;
  throw new Conflict(`${field} ${why}`, 'conflict', { [field]: why });
}

async function triggersOf(run: RunSql, sensorId: number): Promise<WindowUser[]> {
  const windows = await triggerWindows(run, sensorId);
  return windows.map(({ id, name, seconds }) => ({ what: `the trigger ${id} ("${name}")`, seconds }));
}

/** Other users' services do not limit the owner. */
async function servicesOf(run: RunSql, { id: sensorId, ownerId }: Sensor): Promise<WindowUser[]> {
  const rows = await run(
    `SELECT sv.id, sv.name, sv.settings, v.name AS output FROM service_inputs i
     JOIN services sv ON sv.id = i.service_id JOIN sensors v ON v.id = sv.id
     WHERE i.sensor_id = ? AND v.owner_id = ? AND sv.name <> ? ORDER BY sv.id`,
    [sensorId, ownerId, FLEET_SERVICE],
  );
  const inputs = await inputsOf(
    run,
    rows.map(({ id }) => Number(id)),
  );
  return rows.map(({ id, name, settings, output }) => {
    const lengths = windowLengths({ name: String(name), settings: String(settings) }, inputs.get(Number(id)) ?? []);
    return { what: `the service ${id} ("${output}")`, seconds: lengths.get(sensorId) ?? 0 };
  });
}

async function inputsOf(run: RunSql, serviceIds: readonly number[]): Promise<Map<number, number[]>> {
  const inputs = new Map<number, number[]>();
  if (serviceIds.length === 0) return inputs;
  const rows = await run('SELECT service_id AS id, sensor_id AS sensorId FROM service_inputs WHERE service_id IN (?)', [
    serviceIds,
  ]);
  for (const { id, sensorId } of rows) inputs.set(Number(id), [...(inputs.get(Number(id)) ?? []), Number(sensorId)]);
  return inputs;
}
