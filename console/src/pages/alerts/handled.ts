import { useUser } from '../../session';
import { useResource } from '../../use-resource';
import type { Firing } from './load';

const SELDOM_MS = 30_000;

/** Says whether the user may handle an alert: their own, or that of a group that allows it. Undefined until known. */
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
