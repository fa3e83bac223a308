import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { ReadInput } from '../../points';

/** A sensor as a member of a fleet. */
export interface FleetInput extends ReadInput {
  serviceId: number;
  /** Counts changes of the field that the fleet reads. */
  version: number;
}

export interface FedServices {
  serviceIds: number[];
  fleets?: FleetInput[];
}

/** What sensors feed; those that feed nothing are left out. */
export async function readFedServices(
  connection: PoolConnection,
  sensorIds: readonly number[],
): Promise<Map<number, FedServices>> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT i.service_id AS serviceId, i.sensor_id AS sensorId, f.version, IF(f.version IS NULL, NULL, i.data_fields) AS fields,
       s.data_type AS dataType
     FROM service_inputs i JOIN sensors s ON s.id = i.sensor_id LEFT JOIN fleets f ON f.service_id = i.service_id
     WHERE i.sensor_id IN (?)`,
    [sensorIds],
  );
  const services = new Map<number, FedServices>();
  const lists = new Map<string, string[]>();
  for (const row of rows) {
    const sensorId = Number(row.sensorId);
    const fed = services.get(sensorId) ?? { serviceIds: [] };
    services.set(sensorId, fed);
    if (row.version === null) fed.serviceIds.push(Number(row.serviceId));
    else fed.fleets = [...(fed.fleets ?? []), toFleetInput(row, lists)];
  }
  return services;
}

/** The members of a fleet share the list of fields, as they are cached. */
function toFleetInput(row: RowDataPacket, lists: Map<string, string[]>): FleetInput {
  const { serviceId, version, dataType } = row;
  const text = String(row.fields);
  const fields = lists.get(text) ?? JSON.parse(text);
  lists.set(text, fields);
  return { serviceId: Number(serviceId), version: Number(version), dataType: String(dataType), fields };
}
