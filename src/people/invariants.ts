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
];
