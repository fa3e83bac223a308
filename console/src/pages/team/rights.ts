import { api, ask, type Records } from '../../api';
import { useUser } from '../../session';
import { useResource } from '../../use-resource';

type Member = Records['GroupUserView'];

/** The user's membership of a group; undefined until it is loaded. */
export function useMembership(group: string): Member | undefined {
  const me = useUser().id;
  return useResource(`membership ${group}`, (signal) => loadMembership(group, me, signal)).data;
}

async function loadMembership(group: string, user: string, signal: AbortSignal): Promise<Member> {
  const params = { path: { group_id: group, user_id: user }, query: { details: 'full' as const } };
  return (await ask(api.get('/groups/{group_id}/users/{user_id}', { params, signal }))).user;
}

/** Those of the groups in which the user may handle alerts: none that they have left meanwhile. */
export async function handledAmong(groups: readonly string[], user: string, signal: AbortSignal): Promise<string[]> {
  const loaded = groups.map((group) => loadMembership(group, user, signal).catch(() => undefined));
  const found = await Promise.all(loaded);
  return groups.filter((_, at) => found[at]?.group_permissions?.handle_alerts);
}

/** The members of a group as far as they show who they are. */
export async function loadMembers(group: string): Promise<Member[]> {
  const params = { path: { group_id: group }, query: { per_page: 1_000, details: 'full' as const } };
  return (await ask(api.get('/groups/{group_id}/users', { params }))).users;
}
