import type { Device } from '../models/device.model';

/** A thing that carries sensors. */
export interface DeviceView {
  /** @example "3" */
  id: string;
  /** @example "phone" */
  type: string;
  /** @example "356938035643809" */
  uuid: string;
}

/** The answer that carries one device. */
export interface DeviceResponse {
  device: DeviceView;
}

/** The answer that carries a page of devices. */
export interface DevicesResponse {
  devices: DeviceView[];
  /**
   * The number of all of them, when asked for with `total=1`.
   * @isLong
   * @example 1
   */
  total?: number;
}

export function toDeviceView(device: Device): DeviceView {
  return { id: String(device.id), type: device.type, uuid: device.uuid };
}
