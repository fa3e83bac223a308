import { fieldName } from '../edge/renaming';

/** By their columns. */
export const GROUP_RIGHTS = [
  ...(['listUsers', 'addUsers', 'removeUsers', 'listSensors', 'addSensors', 'removeSensors'] as const),
  ...(['seeAlerts', 'handleAlerts', 'editGroup'] as const),
] as const;

export type GroupRight = (typeof GROUP_RIGHTS)[number];

export type GroupRights = Record<GroupRight, boolean>;

export const ALL_RIGHTS: Readonly<GroupRights> = rightsWhere(() => true);

export const DEFAULT_RIGHTS = [
  ...(['defaultListUsers', 'defaultAddUsers', 'defaultRemoveUsers'] as const),
  ...(['defaultListSensors', 'defaultAddSensors', 'defaultRemoveSensors'] as const),
  ...(['defaultSeeAlerts', 'defaultHandleAlerts'] as const),
] as const;

export type DefaultRights = Record<(typeof DEFAULT_RIGHTS)[number], boolean>;

/** Changing the rights of others needs an explicit grant. */
export function rightsOfNewMember(group: DefaultRights): GroupRights {
  const given = new Set(DEFAULT_RIGHTS.filter((right) => group[right]).map((right) => right.toLowerCase()));
  return rightsWhere((right) => given.has(`default${right}`.toLowerCase()));
}

export function commonRights(some: GroupRights, others: GroupRights): GroupRights {
  return rightsWhere((right) => some[right] && others[right]);
}

/** After the change, by the names of the API. */
export function rightsAdded(
  before: DefaultRights,
  changes: Partial<DefaultRights>,
): [name: string, right: GroupRight][] {
  const [old, changed] = [rightsOfNewMember(before), rightsOfNewMember({ ...before, ...changes })];
  return GROUP_RIGHTS.filter((right) => changed[right] && !old[right]).map((right) => [fieldName(right), right]);
}

export function pickRights(held: GroupRights): GroupRights {
  return commonRights(held, held);
}

function rightsWhere(holds: (right: GroupRight) => boolean): GroupRights {
  return Object.fromEntries(GROUP_RIGHTS.map((right) => [right, holds(right)])) as GroupRights; // one for each right
}
