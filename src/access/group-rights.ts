export const GROUP_RIGHTS = {
  list_users: 'listUsers',
  add_users: 'addUsers',
  remove_users: 'removeUsers',
  list_sensors: 'listSensors',
  add_sensors: 'addSensors',
  remove_sensors: 'removeSensors',
  edit_group: 'editGroup',
} as const;

export type GroupRight = (typeof GROUP_RIGHTS)[keyof typeof GROUP_RIGHTS];

export type GroupRights = Record<GroupRight, boolean>;

export const ALL_RIGHTS: Readonly<GroupRights> = {
  listUsers: true,
  addUsers: true,
  removeUsers: true,
  listSensors: true,
  addSensors: true,
  removeSensors: true,
  editGroup: true,
};

export interface DefaultRights {
  defaultListUsers: boolean;
  defaultAddUsers: boolean;
  defaultRemoveUsers: boolean;
  defaultListSensors: boolean;
  defaultAddSensors: boolean;
  defaultRemoveSensors: boolean;
}

/** Changing the rights of others needs an explicit grant. */
export function rightsOfNewMember(group: DefaultRights): GroupRights {
  return {
    listUsers: group.defaultListUsers,
    addUsers: group.defaultAddUsers,
    removeUsers: group.defaultRemoveUsers,
    listSensors: group.defaultListSensors,
    addSensors: group.defaultAddSensors,
    removeSensors: group.defaultRemoveSensors,
    editGroup: false,
  };
}

export function commonRights(some: GroupRights, others: GroupRights): GroupRights {
  return Object.fromEntries(RIGHTS.map((right) => [right, some[right] && others[right]])) as GroupRights; // one for each right
}

/** Rights that new members get after the change, by the API's names. */
export function rightsAdded(
  before: DefaultRights,
  changes: Partial<DefaultRights>,
): [name: string, right: GroupRight][] {
  const [old, changed] = [rightsOfNewMember(before), rightsOfNewMember({ ...before, ...changes })];
  return Object.entries(GROUP_RIGHTS).filter(([, right]) => changed[right] && !old[right]);
}

export function pickRights(held: GroupRights): GroupRights {
  return commonRights(held, held);
}

const RIGHTS = Object.values(GROUP_RIGHTS);
