import { readId } from '../../edge/id';
import { InvalidInput } from '../../platform/errors';
import type { DeviceName } from './device-name';

/** Refers to a device by its id, or by type and uuid together. */
export interface DeviceReference {
  /**
   * The id of a device of yours. May be empty or 0 if type and uuid are given.
   * @maxLength 20
   * @example "0"
   */
  id?: string;
  /**
   * @maxLength 255
   * @example "phone"
   */
  type?: string;
  /**
   * @maxLength 255
   * @example "356938035643809"
   */
  uuid?: string;
}

/** Attaches a sensor to a device. */
export interface AttachDeviceRequest {
  device: DeviceReference;
}

/** Reads the reference to a device; the id takes precedence. */
export function readDeviceName({ id = '', type, uuid }: DeviceReference): DeviceName {
  if (!/^0*$/.test(id)) return { id: readId(id, 'device') };
  if (type === undefined && uuid === undefined) throw InvalidInput.field('device', 'needs an id, or a type and a uuid');
  if (type === undefined) throw InvalidInput.field('device.type', 'is required with a uuid');
  if (uuid === undefined) throw InvalidInput.field('device.uuid', 'is required with a type');
  return { type, uuid };
}
