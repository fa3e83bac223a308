import { Device } from '../../storage/models/device.model';
import { DeviceSensor } from '../../storage/models/device-sensor.model';
import { Environment } from '../../storage/models/environment.model';
import { EnvironmentSensor } from '../../storage/models/environment-sensor.model';
import type { Sensor } from '../../storage/models/sensor.model';

export interface SensorDetails {
  device: Device | null;
  environment: Environment | null;
}

/** Details by sensor id, with a fixed number of statements. */
export async function findSensorDetails(
  userId: number,
  sensors: readonly Sensor[],
): Promise<Map<number, SensorDetails>> {
  const [devices, environments] = await Promise.all([findDevices(sensors), findEnvironments(userId, sensors)]);
  return new Map(
    sensors.map(({ id }) => [id, { device: devices.get(id) ?? null, environment: environments.get(id) ?? null }]),
  );
}

/** The user's own environment, otherwise one of the sensor's owner, by sensor id. */
export async function findEnvironments(userId: number, sensors: readonly Sensor[]): Promise<Map<number, Environment>> {
  if (sensors.length === 0) return new Map();
  const sensorIds = sensors.map(({ id }) => id);
  const ownerIds = [...new Set([userId, ...sensors.map(({ ownerId }) => ownerId)])];
  const places = await EnvironmentSensor.findAll({ where: { sensorId: sensorIds, ownerId: ownerIds } });
  const environments = byId(
    await Environment.findAll({ where: { id: [...new Set(places.map(({ environmentId }) => environmentId))] } }),
  );
  const owners = new Map(sensors.map(({ id, ownerId }) => [id, ownerId]));
  const found = new Map<number, Environment>();
  for (const { sensorId, ownerId, environmentId } of places) {
    const environment = environments.get(environmentId);
    const isNearer = ownerId === userId || (ownerId === owners.get(sensorId) && !found.has(sensorId));
    if (environment && isNearer) found.set(sensorId, environment);
  }
  return found;
}

async function findDevices(sensors: readonly Sensor[]): Promise<Map<number, Device>> {
  if (sensors.length === 0) return new Map();
  const places = await DeviceSensor.findAll({ where: { sensorId: sensors.map(({ id }) => id) } });
  const devices = byId(await Device.findAll({ where: { id: [...new Set(places.map(({ deviceId }) => deviceId))] } }));
  return new Map(
    places.flatMap(({ sensorId, deviceId }) => {
      const device = devices.get(deviceId);
      return device ? [[sensorId, device] as const] : [];
    }),
  );
}

function byId<T extends { id: number }>(things: readonly T[]): Map<number, T> {
  return new Map(things.map((thing) => [thing.id, thing]));
}
