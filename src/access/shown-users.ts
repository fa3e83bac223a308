import { shownDetails } from '../edge/shown-details';
import { GroupUser } from '../storage/models/group-user.model';
import type { User } from '../storage/models/user.model';

export interface ShownUser {
  id: number;
  username: string;
  name: string;
  surname: string;
  email: string;
}

type Detail = 'name' | 'surname' | 'email';

const DETAILS: readonly Detail[] = ['name', 'surname', 'email'];

/** In this order. Details come from groups whose users the viewer may list. */
export async function showUsers(viewerId: number, users: readonly User[]): Promise<ShownUser[]> {
  const shown = await detailsShownTo(viewerId, distinct(users.map(({ id }) => id)));
  return users.map((user) => {
    const { id, username } = user;
    const isShown = (detail: Detail) => id === viewerId || shown.get(id)?.has(detail) === true;
    const [name = '', surname = '', email = ''] = DETAILS.map((detail) => (isShown(detail) ? user[detail] : ''));
    return { id, username, name, surname, email };
  });
}

async function detailsShownTo(viewerId: number, userIds: readonly number[]): Promise<Map<number, Set<Detail>>> {
  const shown = new Map<number, Set<Detail>>();
  const others = userIds.filter((id) => id !== viewerId);
  if (others.length === 0) return shown;
  const own = await GroupUser.findAll({
    attributes: ['groupId'],
    where: { userId: viewerId, accepted: true, listUsers: true },
  });
  if (own.length === 0) return shown;
  const groupIds = own.map(({ groupId }) => groupId);
  const memberships = await GroupUser.findAll({ where: { groupId: groupIds, userId: others, accepted: true } });
  for (const membership of memberships) {
    const inGroup = shownDetails(membership);
    const details = shown.get(membership.userId) ?? new Set();
    for (const detail of DETAILS) if (inGroup[detail]) details.add(detail);
    shown.set(membership.userId, details);
  }
  return shown;
}

function distinct(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}
