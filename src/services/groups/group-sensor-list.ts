import type { Page, PageOf } from '../../domain/paging';
import type { Device } from '../../models/device.model';
import type { ListedSensor, SensorsService } from '../sensors/sensors.service';

/** Which sensors of a group are wanted. */
export interface GroupSensorFilter {
  /** true: only one's own; false: only those of others. */
  owned?: boolean;
  /** Only sensors on a device, each with its device unless `owned` is used. */
  physical: boolean;
}

/** A sensor of a group, with its device when that was asked for. */
export interface ListedGroupSensor extends ListedSensor {
  onDevice?: Device | null;
}

/** Lists the sensors of groups for members with the right to. */
export class GroupSensorList {
  constructor(private readonly sensors: SensorsService) {}

  async list(
    userId: number,
    groupId: number,
    { owned, physical }: GroupSensorFilter,
    page: Page,
    withDetails = false,
  ): Promise<PageOf<ListedGroupSensor>> {
    const withDevice = physical && owned === undefined;
    const filter = { groupId, owned, physical };
    const { items, total } = await this.sensors.list(userId, filter, page, withDetails || withDevice);
    return {
      items: items.map(({ details, ...listed }) => ({
        ...listed,
        details: withDetails ? details : undefined,
        onDevice: withDevice ? details?.device : undefined,
      })),
      total: page.withTotal ? total : undefined,
    };
  }
}
