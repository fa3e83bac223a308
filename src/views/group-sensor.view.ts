import type { Sensor } from '../models/sensor.model';
import type { ShownOwner } from '../services/sensors/sensor-owners';
import {
  type ListedSensorView,
  type SensorIdView,
  type Surroundings,
  toListedSensorView,
  toSensorView,
} from './sensor.view';

/** A sensor of a group. */
export interface GroupSensorView extends ListedSensorView {
  /**
   * The type of its device: only with `physical=1` and without `owned`.
   * @example "weather station"
   */
  device_device_type?: string;
  /**
   * The uuid of its device: only with `physical=1` and without `owned`.
   * @example "00:1b:44:11:3a:b7"
   */
  device_device_uuid?: string;
}

/** The response with sensors of a group. */
export interface GroupSensorsResponse {
  sensors: (GroupSensorView | SensorIdView)[];
  /**
   * The number of sensors on all pages; only with `total=1`.
   * @isLong
   * @example 1
   */
  total?: number;
}

/** A sensor of a group, in as much detail as was asked for; `withDevice` adds the type and uuid of its device. */
export function toGroupSensorView(
  listed: { sensor: Sensor; owner?: ShownOwner; details?: Surroundings },
  { withDevice, details }: { withDevice: boolean; details?: 'full' | 'no' },
): GroupSensorView | SensorIdView {
  const view = toListedSensorView(details === 'full' ? listed : { ...listed, details: undefined }, details);
  const device = listed.details?.device;
  if (!withDevice || !device || details === 'no') return view;
  return { ...view, device_device_type: device.type, device_device_uuid: device.uuid };
}

/** One's own sensors, as they were shared into a group. */
export function toAddedSensorsResponse(sensors: readonly Sensor[]): GroupSensorsResponse {
  return { sensors: sensors.map(toSensorView) };
}
