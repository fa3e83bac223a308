import { mayRead } from '../../access/sensor.policy';
import type { SensorAccess } from '../../access/sensor-access';
import type { SensorList } from '../../access/sensor-list';
import { findSensors } from '../../access/sensor-lock';
import { type Page, type PageOf, pageOf } from '../../edge/paging';
import { CATALOGUE } from '../../points';
import type { Sensor } from '../../storage/models/sensor.model';
import { Service } from '../../storage/models/service.model';
import { ServiceInputRow } from '../../storage/models/service-input-row.model';
import type { RunningService } from './service-connections.service';

export interface AvailableServices {
  sensorId: number;
  services: { name: string; fields: readonly string[] }[];
}

export class SensorServicesService {
  constructor(
    private readonly sensorList: SensorList,
    private readonly access: SensorAccess,
  ) {}

  /** The user must see the sensor. */
  async listAvailable(userId: number, sensorId: number): Promise<AvailableServices> {
    return availableOn((await this.access.find(userId, sensorId)).sensor);
  }

  /** Lists a page of all sensors that the user may see. */
  async listAllAvailable(userId: number, page: Page): Promise<Required<PageOf<AvailableServices>>> {
    const { ids, total } = await this.sensorList.findPage(userId, {}, page);
    return { items: (await findSensors(ids)).map(availableOn), total };
  }

  /** Those whose virtual sensors the user may see. */
  async listRunning(userId: number, sensorId: number, page: Page): Promise<PageOf<RunningService>> {
    await this.access.find(userId, sensorId);
    const inputs = await ServiceInputRow.findAll({ where: { sensorId }, order: ['serviceId'] });
    const ids = inputs.map(({ serviceId }) => serviceId);
    const relations = await this.access.accessOf(userId, ids);
    const services = new Map((await Service.findAll({ where: { id: ids } })).map((service) => [service.id, service]));
    const running = inputs.flatMap(({ serviceId, dataFields }) => {
      const [service, relation] = [services.get(serviceId), relations.get(serviceId)];
      if (!service || !mayRead(relation)) return [];
      const { name, lastError } = service;
      return [{ id: serviceId, name, fields: JSON.parse(dataFields), lastError }];
    });
    return pageOf(running, page);
  }
}

function availableOn(sensor: Sensor): AvailableServices {
  const services = CATALOGUE.map((kind) => ({ name: kind.name, fields: kind.usableFields(sensor) }));
  return { sensorId: sensor.id, services: services.filter(({ fields }) => fields.length > 0) };
}
