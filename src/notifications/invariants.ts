import type { Invariant } from '../storage/invariant';

/** The sensor and the trigger exist, so the history must exist. */
const STILL_THERE = `EXISTS (SELECT 1 FROM sensors s WHERE s.id = d.sensor_id) AND EXISTS (SELECT 1 FROM triggers t WHERE t.id = d.trigger_id)
  AND EXISTS (SELECT 1 FROM users u WHERE u.id = d.owner_id AND u.closed_ms IS NULL)`;

export const invariants: readonly Invariant[] = [
  {
    name: 'deliveries-known-status',
    wrong: 'the delivery has a status that no release knows',
    sql: `SELECT id FROM deliveries WHERE status NOT IN ('pending', 'delivered', 'failed')`,
  },
  {
    name: 'deliveries-wait-for-something',
    wrong:
      'the delivery is pending, but has neither a next attempt nor a place among the throttled ones: nothing wakes it',
    sql: `SELECT d.id FROM deliveries d LEFT JOIN throttled_deliveries p ON p.delivery_id = d.id
          WHERE d.status = 'pending' AND d.next_attempt_ms IS NULL AND p.delivery_id IS NULL`,
  },
  {
    name: 'deliveries-end-completely',
    wrong: 'the delivery has ended, but still has a next attempt, a lease, a permit, or no time of its end',
    sql: `SELECT id FROM deliveries WHERE status IN ('delivered', 'failed')
          AND (next_attempt_ms IS NOT NULL OR lease IS NOT NULL OR permit IS NOT NULL OR finished_ms IS NULL)`,
  },
  {
    name: 'deliveries-end-by-an-attempt',
    wrong: 'the delivery has ended without any attempt',
    sql: `SELECT id FROM deliveries WHERE status IN ('delivered', 'failed') AND attempts = 0`,
  },
  {
    name: 'deliveries-pending-have-no-end',
    wrong: 'the delivery is pending and has a time of its end',
    sql: `SELECT id FROM deliveries WHERE status = 'pending' AND finished_ms IS NOT NULL`,
  },
  {
    name: 'deliveries-have-their-firing',
    wrong: 'the delivery is of a firing that is missing, although its sensor and trigger exist',
    sql: `SELECT d.id FROM deliveries d LEFT JOIN firings f ON f.id = d.firing_id
          WHERE d.firing_id IS NOT NULL AND f.id IS NULL AND d.created_ms > :history AND ${STILL_THERE}`,
  },
  {
    name: 'deliveries-belong-to-the-owner-of-their-notification',
    wrong: 'the delivery and its notification have different owners',
    sql: `SELECT d.id FROM deliveries d JOIN notifications n ON n.id = d.notification_id WHERE d.owner_id <> n.owner_id`,
  },
  {
    name: 'event-notifications-of-one-owner',
    wrong: 'the event notification and its notification have different owners',
    sql: `SELECT e.id FROM event_notifications e JOIN notifications n ON n.id = e.notification_id WHERE e.owner_id <> n.owner_id`,
  },
];
