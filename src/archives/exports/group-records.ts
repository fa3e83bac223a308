import { Op } from 'sequelize';
import { toGroupView } from '../../people';
import type { Database } from '../../storage';
import { GroupUser } from '../../storage/models/group-user.model';
import { UserGroup } from '../../storage/models/user-group.model';
import { runOn } from '../../storage/transaction';
import { lineSection } from './section';

const AT_ONCE = 50;
/** Only the usernames that other members see. */
const MEMBERS = `SELECT u.username FROM group_users m JOIN users u ON u.id = m.user_id
  WHERE m.group_id = ? AND m.accepted AND (m.show_username OR m.agreed_username OR m.user_id = ?) ORDER BY u.id LIMIT 1000`;

/** The groups that the owner may edit, without passwords. */
export function groupSection({ reads }: Database) {
  return lineSection('groups.ndjson', async ({ ownerId }, cursor) => {
    const after = { [Op.gt]: cursor?.[0] ?? 0 };
    const where = { userId: ownerId, accepted: true, editGroup: true, groupId: after };
    const memberships = await GroupUser.findAll({ where, order: ['groupId'], limit: AT_ONCE });
    const ids = memberships.map(({ groupId }) => groupId);
    const records = [];
    for (const group of await UserGroup.findAll({ where: { id: ids }, order: ['id'] })) {
      const members = await runOn(reads)(MEMBERS, [group.id, ownerId]);
      const { id, ...fields } = toGroupView(group);
      records.push({ id, group: fields, members: members.map(({ username }) => String(username)) });
    }
    return { records, next: ids.length < AT_ONCE ? undefined : [ids.at(-1) ?? 0] };
  });
}
