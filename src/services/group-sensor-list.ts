import { Device } from '../models/device.model';
import { DeviceSensor } from '../models/device-sensor.model';
import type { Page } from '../requests/paging';
import type { ListedSensor, SensorsService } from './sensors.service';

/** Which sensors of a group are wanted. */
export interface GroupSensorFilter {
  /** true: only one's own; false: only those of others. */
  owned?: boolean;
  /** Only sensors on a device, each with its device unless `owned` is used. */
  physical: boolean;
}

/** A sensor of a group, with its device when that was asked for. */
export interface ListedGroupSensor extends ListedSensor {
  onDevice?: Device;
}

/** Lists the sensors of groups for members with the right to. */
export class GroupSensorList {
  constructor(private readonly sensors: SensorsService) {}

  async list(
    userId: number,
    groupId: number,
    { owned, physical }: GroupSensorFilter,
    page: Page,
  ): Promise<{ sensors: ListedGroupSensor[]; total?: number }> {
    const { sensors, total } = await this.sensors.list(userId, { groupId, owned, physical }, page);
    const devices = physical && owned === undefined ? await devicesOf(sensors) : undefined;
    return {
      sensors: sensors.map((listed) => ({ ...listed, onDevice: devices?.get(listed.sensor.id) })),
      total: page.withTotal ? total : undefined,
    };
  }
}

async function devicesOf(listed: readonly ListedSensor[]): Promise<Map<number, Device>> {
  const places = await DeviceSensor.findAll({ where: { sensorId: listed.map(({ sensor }) => sensor.id) } });
  const devices = await Device.findAll({ where: { id: [...new Set(places.map(({ deviceId }) => deviceId))] } });
  const byId = new Map(devices.map((device) => [device.id, device]));
  return new Map(
    places.flatMap(({ sensorId, deviceId }) => {
      const device = byId.get(deviceId);
      return device ? [[sensorId, device] as const] : [];
    }),
  );
}
