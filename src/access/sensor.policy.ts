export interface SensorRelation {
  isOwner: boolean;
  isShared: boolean;
}

export function mayRead(relation: SensorRelation | undefined): boolean {
  return relation !== undefined && (relation.isOwner || relation.isShared);
}

/** Uploading and sharing count as changes. Only the owner may. */
export function mayEdit(relation: SensorRelation | undefined): boolean {
  return relation?.isOwner === true;
}
