import { useUser } from '../../session';
import { useResource } from '../../use-resource';
import type { Firing } from './load';

const SELDOM_MS = 30_000;

/** Which alerts the user may handle: their own, and those of groups that give them the right. Undefined until known. */
export function useHandled(firings: readonly Firing[]): (firing: Firing) => boolean | undefined {
  const me = useUser().id;
  const groups = [...new Set(firings.flatMap((one) => (one.owner_id !== me && one.group_id) || []))].sort();
  const { data } = useResource(
    `handled ${groups}`,
    async (signal) => groups.length > 0 && (await import('../team/rights')).handledAmong(groups, me, signal),
    { everyMs: SELDOM_MS },
  );
  return ({ owner_id, group_id }) => owner_id === me || (data ? data.includes(group_id ?? '') : undefined);
}
