export interface Invariant {
  name: string;
  wrong: string;
  /** Selects `id` of violating rows; history from before `:history` may be purged. */
  sql: string;
}

const STILL_THERE = `EXISTS (SELECT 1 FROM sensors s WHERE s.id = d.sensor_id) AND EXISTS (SELECT 1 FROM triggers t WHERE t.id = d.trigger_id)
  AND EXISTS (SELECT 1 FROM users u WHERE u.id = d.owner_id AND u.closed_ms IS NULL)`;

const OF_DELIVERIES: readonly Invariant[] = [
  {
    name: 'deliveries-known-status',
    wrong: 'the delivery has a status that no release knows',
    sql: `SELECT id FROM deliveries WHERE status NOT IN ('pending', 'delivered', 'failed')`,
  },
  {
    name: 'deliveries-wait-for-something',
    wrong:
      'the delivery is pending, but has neither a next attempt nor a place among the throttled ones: nothing wakes it',
    sql: `SELECT d.id FROM deliveries d LEFT JOIN parked_deliveries p ON p.delivery_id = d.id
          WHERE d.status = 'pending' AND d.next_attempt_ms IS NULL AND p.delivery_id IS NULL`,
  },
  {
    name: 'deliveries-end-completely',
    wrong: 'the delivery has ended, but still has a next attempt, a lease, a permit, or no time of its end',
    sql: `SELECT id FROM deliveries WHERE status IN ('delivered', 'failed')
          AND (next_attempt_ms IS NOT NULL OR claim IS NOT NULL OR slot IS NOT NULL OR finished_ms IS NULL)`,
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
];

const OF_TRIGGERS: readonly Invariant[] = [
  {
    name: 'inactivities-in-their-bucket',
    wrong: 'the sensor trigger is in another bucket than its sensor, so its inactivity is never found',
    sql: 'SELECT id FROM sensor_triggers WHERE due_slot <> MOD(sensor_id, 64)',
  },
  {
    name: 'inactivities-watched',
    wrong: 'the sensor trigger is active and watches an inactivity, but has no time at which it is due',
    sql: `SELECT c.id FROM sensor_triggers c JOIN triggers t ON t.id = c.trigger_id
          JOIN users u ON u.id = t.owner_id AND u.disabled_ms IS NULL
          WHERE c.active AND t.inactivity IS NOT NULL AND c.due_at_ms IS NULL`,
  },
  {
    name: 'inactivities-of-triggers-with-one',
    wrong: 'the sensor trigger is due at some time, but its trigger watches no inactivity',
    sql: `SELECT c.id FROM sensor_triggers c JOIN triggers t ON t.id = c.trigger_id
          WHERE t.inactivity IS NULL AND c.due_at_ms IS NOT NULL`,
  },
  {
    name: 'selectors-know-their-connections',
    wrong: 'a selector connected the sensor trigger, but its trigger has no selector, so it is never disconnected',
    sql: `SELECT c.id FROM sensor_triggers c JOIN triggers t ON t.id = c.trigger_id
          WHERE c.by_selector AND t.selected_sensors IS NULL`,
  },
];

const OF_THE_INBOX: readonly Invariant[] = [
  {
    name: 'partitions-complete',
    wrong: 'the number of this partition is not the one of partition 0, or partitions are missing',
    sql: `SELECT p.partition_no AS id FROM partitions p JOIN partitions z ON z.partition_no = 0
          WHERE p.partition_count <> z.partition_count
            OR (p.partition_no = 0 AND (SELECT COUNT(*) FROM partitions) < z.partition_count)`,
  },
  {
    name: 'batches-in-their-partition',
    wrong: 'the batch is in a partition that its number of partitions does not have',
    sql: 'SELECT id FROM inbox_batches WHERE partition_count > 0 AND partition_no >= partition_count',
  },
  {
    name: 'batches-have-points',
    wrong: 'the batch holds no points',
    sql: 'SELECT id FROM inbox_batches WHERE points = 0 OR bytes = 0',
  },
  {
    name: 'outages-in-order',
    wrong: 'the outage ends before it begins',
    sql: 'SELECT from_ms AS id FROM outages WHERE to_ms < from_ms',
  },
];

const OF_OWNERS: readonly Invariant[] = [
  {
    name: 'closed-accounts-have-no-credentials',
    wrong: 'the account is closed, but has a session, a key, or an authorization that the purge does not know',
    sql: `SELECT u.id FROM users u WHERE u.closed_ms IS NOT NULL AND (
            EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = u.id) OR EXISTS (SELECT 1 FROM api_keys k WHERE k.owner_id = u.id)
            OR (EXISTS (SELECT 1 FROM authorizations z WHERE z.user_id = u.id)
                AND NOT EXISTS (SELECT 1 FROM purge_queue q WHERE q.kind = 'user' AND q.thing_id = u.id)))`,
  },
  {
    name: 'points-have-their-sensor',
    wrong: 'data points are stored of a sensor that does not exist and that the purge does not know',
    sql: `SELECT p.sensor_id AS id FROM (SELECT DISTINCT sensor_id FROM data_points) p LEFT JOIN sensors s ON s.id = p.sensor_id
          WHERE s.id IS NULL AND NOT EXISTS (SELECT 1 FROM purge_queue q WHERE q.kind = 'sensor' AND q.thing_id = p.sensor_id)`,
  },
  {
    name: 'chunks-have-their-sensor',
    wrong: 'a chunk is stored of a sensor that does not exist and that the purge does not know',
    sql: `SELECT p.sensor_id AS id FROM (SELECT DISTINCT sensor_id FROM data_chunks) p LEFT JOIN sensors s ON s.id = p.sensor_id
          WHERE s.id IS NULL AND NOT EXISTS (SELECT 1 FROM purge_queue q WHERE q.kind = 'sensor' AND q.thing_id = p.sensor_id)`,
  },
  {
    name: 'chunks-follow-each-other',
    wrong: 'a chunk of the sensor overlaps the one before it, or ends before it begins',
    sql: `SELECT c.sensor_id AS id FROM data_chunks c
          WHERE c.first_ms > c.last_ms OR c.first_ms <= (
            SELECT MAX(b.last_ms) FROM data_chunks b WHERE b.sensor_id = c.sensor_id AND b.last_ms < c.last_ms)`,
  },
  {
    name: 'newest-points-are-rows',
    wrong:
      'some of the newest 100 points of the sensor are in a chunk alone, so reads of the latest value may miss them',
    sql: `SELECT c.sensor_id AS id FROM data_chunks c
          JOIN (SELECT sensor_id, MAX(last_ms) AS last_ms FROM data_chunks GROUP BY sensor_id) newest
            ON newest.sensor_id = c.sensor_id AND newest.last_ms = c.last_ms
          WHERE (SELECT COUNT(*) FROM data_points p WHERE p.sensor_id = c.sensor_id AND p.date_ms >= c.first_ms)
            < LEAST(100, c.points + (SELECT COUNT(*) FROM data_points p WHERE p.sensor_id = c.sensor_id AND p.date_ms > c.last_ms))`,
  },
  {
    name: 'environments-hold-for-their-owner',
    wrong: 'the environment of another user holds the sensor',
    sql: `SELECT x.sensor_id AS id FROM environment_sensors x JOIN environments e ON e.id = x.environment_id
          WHERE x.owner_id <> e.owner_id`,
  },
  {
    name: 'sensors-do-not-use-themselves',
    wrong: 'the sensor is connected to itself',
    sql: 'SELECT sensor_id AS id FROM connected_sensors WHERE sensor_id = used_sensor_id',
  },
  {
    name: 'series-lead-to-sensors-of-their-owner',
    wrong: 'the series leads to a sensor of another user',
    sql: 'SELECT n.id FROM series n JOIN sensors s ON s.id = n.sensor_id WHERE s.owner_id <> n.owner_id',
  },
  {
    name: 'event-notifications-of-one-owner',
    wrong: 'the event notification and its notification have different owners',
    sql: `SELECT e.id FROM event_notifications e JOIN notifications n ON n.id = e.notification_id WHERE e.owner_id <> n.owner_id`,
  },
];

const OF_THE_QUARANTINE: readonly Invariant[] = [
  {
    name: 'no-work-is-set-aside',
    wrong: 'the work ended its processes and was set aside: see `npm run admin -- quarantine list`',
    sql: 'SELECT thing_id AS id FROM quarantine WHERE expires_ms > UNIX_TIMESTAMP() * 1000',
  },
];

/** All that is not a foreign key. */
export const INVARIANTS: readonly Invariant[] = [
  ...OF_THE_QUARANTINE,
  ...OF_DELIVERIES,
  ...OF_TRIGGERS,
  ...OF_THE_INBOX,
  ...OF_OWNERS,
];
