import type { Invariant } from '../storage/invariant';

export const invariants: readonly Invariant[] = [
  {
    name: 'closed-accounts-have-no-credentials',
    wrong: 'the account is closed, but has a session, a key, or an authorization that the purge does not know',
    sql: `SELECT u.id FROM users u WHERE u.closed_ms IS NOT NULL AND (
            EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = u.id) OR EXISTS (SELECT 1 FROM api_keys k WHERE k.owner_id = u.id)
            OR (EXISTS (SELECT 1 FROM authorizations z WHERE z.user_id = u.id)
                AND NOT EXISTS (SELECT 1 FROM purge_queue q WHERE q.kind = 'user' AND q.thing_id = u.id)))`,
  },
  {
    name: 'invitations-offer-one-thing',
    wrong: 'the invitation is not to either a group or a sensor, or is not for either a user or a link',
    sql: `SELECT i.id FROM invitations i
          WHERE (i.group_id IS NULL) = (i.sensor_id IS NULL) OR (i.user_id IS NULL) = (i.token_hash IS NULL)`,
  },
];
