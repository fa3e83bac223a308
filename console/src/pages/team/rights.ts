import { api, ask, type Records } from '../../api';
import { useUser } from '../../session';
import { useResource } from '../../use-resource';

type Member = Records['GroupUserView'];

/** The user's membership of a group; undefined until it is loaded. */
export function useMembership(group: string): Member | undefined {
  const user_id = useUser().id;
  return useResource(`membership ${group}`, async (signal) => {
    const params = { path: { group_id: group, user_id }, query: { details: 'full' as const } };
    return (await ask(api.get('/groups/{group_id}/users/{user_id}', { params, signal }))).user;
  }).data;
}

/** The members of a group as far as they show who they are. */
export async function loadMembers(group: string): Promise<Member[]> {
  const params = { path: { group_id: group }, query: { per_page: 1_000, details: 'full' as const } };
  return (await ask(api.get('/groups/{group_id}/users', { params }))).users;
}
