import { createContext } from 'preact';
import { useEffect } from 'preact/hooks';
import { all, api, ask, type Records } from './api';
import { useResource } from './use-resource';

type Group = Records['ListedGroupView'];

const EVERY_MS = 30_000;
const CHANGED = 'join-requests';

/** The groups with requests that the user may accept. The frame loads them for all pages. */
export const JoinRequests = createContext<readonly Group[]>([]);

/** The groups of the user, and those that the user has asked to join. */
export function loadOwnGroups(): Promise<Group[]> {
  return all(async (query) => (await ask(api.get('/groups', { params: { query } }))).groups);
}

export function useJoinRequests(): readonly Group[] {
  const { data = [], reload } = useResource('join requests', loadOwnGroups, { everyMs: EVERY_MS });
  useEffect(() => {
    addEventListener(CHANGED, reload);
    return () => removeEventListener(CHANGED, reload);
  }, []);
  return data.filter(({ requests }) => requests > 0);
}

/** Call this after the user has answered a request. */
export function joinRequestsChanged(): void {
  dispatchEvent(new Event(CHANGED));
}
