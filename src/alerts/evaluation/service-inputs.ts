import { keptDays, type RetentionDays, storageOf } from '../../platform/retention';
import type { ServiceInput } from '../../points';
import { readSensorViewers } from '../../storage/sensor-visibility';
import type { RunSql } from '../../storage/transaction';

/** Leaves out inputs that the owner of a service may no longer read. */
export async function readServiceInputs(
  run: RunSql,
  serviceIds: readonly number[],
  platformDays: RetentionDays,
): Promise<Map<number, ServiceInput[]>> {
  const inputs = new Map<number, ServiceInput[]>();
  if (serviceIds.length === 0) return inputs;
  const rows = await run(
    `SELECT i.service_id AS serviceId, i.data_fields AS fields, s.id AS sensorId, s.name, s.data_type AS dataType,
            s.use_data_storage AS stores, s.retention_days AS days, s.owner_id AS sensorOwner, v.owner_id AS serviceOwner
     FROM service_inputs i JOIN sensors s ON s.id = i.sensor_id JOIN sensors v ON v.id = i.service_id
     WHERE i.service_id IN (?) ORDER BY i.service_id, i.sensor_id`,
    [serviceIds],
  );
  const foreign = rows.filter((row) => row.sensorOwner !== row.serviceOwner);
  const viewers = await readSensorViewers(
    run,
    foreign.map((row) => Number(row.sensorId)),
    foreign.map((row) => Number(row.serviceOwner)),
  );
  for (const row of rows) {
    const isOwn = row.sensorOwner === row.serviceOwner;
    if (!isOwn && !viewers.has(`${row.sensorId} ${row.serviceOwner}`)) continue;
    const input = {
      sensorId: Number(row.sensorId),
      sensorName: String(row.name),
      dataType: String(row.dataType),
      fields: JSON.parse(String(row.fields)),
      keptDays: keptDays(storageOf(row.stores, row.days), platformDays),
    };
    inputs.set(Number(row.serviceId), [...(inputs.get(Number(row.serviceId)) ?? []), input]);
  }
  return inputs;
}
