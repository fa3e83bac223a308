import type { Importing, ImportServices } from './importing';
import type { Records } from './records';
import { allLines, makeThings } from './thing-steps';

type SensorRecord = ReturnType<Records['sensor']>;

const ENTRY = 'sensors.ndjson';
const PLAIN = `SELECT s.id, s.name FROM sensors s LEFT JOIN services v ON v.id = s.id
  WHERE s.owner_id = ? AND v.id IS NULL ORDER BY s.id`;

/** Makes the sensors that no service makes. */
export async function makeSensors(importing: Importing): Promise<boolean> {
  const { services, ownerId, records } = importing;
  const computed = new Set(
    (await allLines(importing, 'services.ndjson', (line) => records.service(line))).map(({ id }) => id),
  );
  return makeThings(importing, {
    ...{ entry: ENTRY, kind: 'sensors', present: PLAIN },
    // Sensors of services have names of their own: `next` counts them apart.
    read: (line) => {
      const sensor = records.sensor(line);
      return computed.has(sensor.id) ? { ...sensor, name: `\0${sensor.name}` } : sensor;
    },
    make: (sensor) => {
      if (computed.has(sensor.id)) return undefined;
      return services.sensors.create(ownerId, sensor.input).then(async ({ sensor: { id } }) => {
        await describeSensor(services, ownerId, id, sensor);
        return id;
      });
    },
  });
}

/** What a new sensor cannot be given at once. */
export async function describeSensor(
  { metatags, sensorRetention, devices }: ImportServices,
  ownerId: number,
  id: number,
  sensor: SensorRecord,
): Promise<void> {
  for (const [namespace, given] of sensor.metatags) await metatags.replace(ownerId, id, namespace, given);
  if (sensor.retentionDays !== null) await sensorRetention.set(ownerId, id, sensor.retentionDays);
  if (sensor.device) await devices.connect(ownerId, id, sensor.device);
}

/** Connects new virtual sensors to the sensors that they use; services have connected theirs. */
export async function connectUsed(importing: Importing): Promise<boolean> {
  const { services, work, database, records, caller } = importing;
  for (const { id, uses } of await allLines(importing, ENTRY, (line) => records.sensor(line))) {
    if (uses.length === 0 || !importing.isMade('sensors', id)) continue;
    const virtualId = importing.idOf('sensors', id);
    const used = uses.flatMap((one) => importing.idOf('sensors', one) ?? []);
    await work.together(database.sequelize, async () => {
      for (const usedId of used)
        if (virtualId !== undefined) await services.connectedSensors.connect(caller, virtualId, usedId);
      return {};
    });
    if (importing.isOver()) return false;
  }
  return true;
}
