import type { Pool, RowDataPacket } from 'mysql2/promise';

export interface ConnectedNotification {
  sensorTriggerId: number;
  id: number;
  ownerId: number;
  type: string;
  destination: string;
  text: string;
}

/** The enabled notifications of these sensor triggers. Requires at least one sensor trigger. */
export async function readConnectedNotifications(
  connection: Pick<Pool, 'query'>,
  sensorTriggerIds: readonly number[],
): Promise<ConnectedNotification[]> {
  const [rows] = await connection.query<(RowDataPacket & ConnectedNotification)[]>(
    `SELECT stn.sensor_trigger_id AS sensorTriggerId, n.id, n.owner_id AS ownerId, n.type, n.destination, n.text
     FROM sensor_trigger_notifications stn JOIN notifications n ON n.id = stn.notification_id
     WHERE stn.sensor_trigger_id IN (?) AND n.enabled ORDER BY stn.sensor_trigger_id, n.id`,
    [sensorTriggerIds],
  );
  return rows;
}
