/** What ties a user to a sensor. */
export interface SensorTies {
  isOwner: boolean;
  /** Whether the sensor is shared with the user, in whatever way. */
  isShared: boolean;
}

/** May this user see the sensor and read its data? */
export function mayRead(ties: SensorTies): boolean {
  return ties.isOwner || ties.isShared;
}

/** May this user change the sensor, upload to it and share it? Only its owner may. */
export function mayEdit(ties: SensorTies): boolean {
  return ties.isOwner;
}
