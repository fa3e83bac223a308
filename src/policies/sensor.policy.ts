/** What ties a user to a sensor that exists. */
export interface SensorTies {
  isOwner: boolean;
  /** Whether the sensor is shared with the user, in whatever way. */
  isShared: boolean;
}

/** May this user see the sensor and read its data? */
export function mayRead(ties: SensorTies | undefined): boolean {
  return ties !== undefined && (ties.isOwner || ties.isShared);
}

/** May this user change the sensor, upload to it and share it? Only its owner may. */
export function mayEdit(ties: SensorTies | undefined): boolean {
  return ties?.isOwner === true;
}
