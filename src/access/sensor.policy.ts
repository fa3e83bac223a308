export interface SensorRelation {
  isOwner: boolean;
  /** Directly or through a group. */
  isShared: boolean;
}

/** Includes reading its data. */
export function mayRead(relation: SensorRelation | undefined): boolean {
  return relation !== undefined && (relation.isOwner || relation.isShared);
}

/** Includes uploading and sharing. Only its owner may. */
export function mayEdit(relation: SensorRelation | undefined): boolean {
  return relation?.isOwner === true;
}
