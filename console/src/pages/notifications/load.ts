import { all, api, ask, type Records } from '../../api';
import { type Resource, useResource } from '../../use-resource';

/** Why a delivery to an address fails until its recipient has confirmed it. */
export const UNCONFIRMED = 'the recipient has not confirmed the address yet';

const LOOK_MS = 30_000;

/** All notifications of the user. */
export function useNotifications(): Resource<Records['NotificationView'][]> {
  const load = () => all(async (query) => (await ask(api.get('/notifications', { params: { query } }))).notifications);
  return useResource('notifications', load, { everyMs: LOOK_MS });
}
