import type { PageTotal } from '../../edge/paging';
import type { Device } from '../../storage/models/device.model';

/** A device that carries sensors. */
export interface DeviceView {
  /** @example "3" */
  id: string;
  /** @example "phone" */
  type: string;
  /** @example "356938035643809" */
  uuid: string;
}

/** The response with one device. */
export interface DeviceResponse {
  device: DeviceView;
}

/** The response with a page of devices. */
export interface DevicesResponse extends PageTotal {
  devices: DeviceView[];
}

export function toDeviceView(device: Device): DeviceView {
  return { id: String(device.id), type: device.type, uuid: device.uuid };
}
