/** The relation of a user to an existing sensor. */
export interface SensorRelation {
  isOwner: boolean;
  /** True if the sensor is shared with the user, directly or through a group. */
  isShared: boolean;
}

/** May this user see the sensor and read its data? */
export function mayRead(relation: SensorRelation | undefined): boolean {
  return relation !== undefined && (relation.isOwner || relation.isShared);
}

/** May this user change the sensor, upload to it and share it? Only its owner may. */
export function mayEdit(relation: SensorRelation | undefined): boolean {
  return relation?.isOwner === true;
}
