import type { PlantedFault } from './simulated-pool';

/** The time of the latest heartbeat, for statements whose parameters do not include the present. */
const NOW = '(SELECT MAX(accepting_until_ms) FROM heartbeats)';

interface Planted {
  fault: PlantedFault;
  /** What must result from it. */
  verdict: RegExp;
  /** Tried first: the fault was found with it when few others showed it. */
  seed?: number;
}

/** Faults that a change could introduce. */
export const PLANTED_FAULTS: Readonly<Record<string, Planted>> = {
  'removes points from the inbox before their results are written': {
    fault: {
      afterwards: {
        of: /FROM inbox_batches WHERE partition_no IN \(\?\) ORDER BY stored_ms/,
        run: 'DELETE FROM inbox_batches WHERE partition_no IN (?) LIMIT ?',
      },
    },
    verdict: /sensor trigger \d+: from .* made/,
  },
  'removes points from the inbox in a transaction after that of their results': {
    fault: { commitsBefore: /^DELETE b FROM .* inbox_batches/ },
    verdict: /sensor trigger \d+: from .* made/,
  },
  'stores points and their inbox in two transactions': {
    fault: { commitsBefore: /^INSERT INTO inbox_batches/ },
    verdict: /without waiting for its triggers/,
  },
  'writes deliveries separately from their firing': {
    fault: { commitsBefore: /^INSERT INTO deliveries .*firing_id/s },
    verdict: /written separately from their firing/,
  },
  'loses the write-behind buffer': {
    fault: { rewrite: (sql) => sql.replace('AND (last_date_ms IS NULL OR', 'AND 0 = 1 AND (last_date_ms IS NULL OR') },
    verdict: /sensor trigger \d+: from .* made/,
  },
  'reads states without the write-behind buffer': {
    fault: {
      rewrite: (sql) => sql.replace('FROM write_behind_buffer WHERE', 'FROM write_behind_buffer WHERE id < 0 AND'),
    },
    seed: 6,
    verdict: /sensor trigger \d+: from .* made/,
  },
  'lets the write-behind buffer overwrite newer states': {
    fault: { rewrite: (sql) => sql.replace('OR last_date_ms < ELT', 'OR 0 < ELT') },
    seed: 37,
    verdict: /sensor trigger \d+: from .* made/,
  },
  'runs passes without a lock': {
    fault: {
      commitsBefore: /FROM inbox_batches WHERE partition_no/,
      rewrite: (sql) => (/sensor_triggers/.test(sql) ? sql.replace(' FOR UPDATE', '') : sql),
    },
    verdict: /sensor trigger \d+: from .* made|deliveries to/,
  },
  'does not find points in partitions of a former number': {
    fault: {
      rewrite: (sql) =>
        sql.replace(
          'partition_count < ? OR partition_count > ?',
          'partition_count < ? - 100 OR partition_count > ? + 100',
        ),
      partitionChanges: 100,
    },
    seed: 142,
    verdict: /after what was stored later/,
  },
  'does not bump epochs after a change': {
    fault: {
      rewrite: (sql) =>
        sql.replace(
          'SET state_epoch = state_epoch + 1, upload_epoch = upload_epoch + 1 WHERE',
          'SET upload_epoch = upload_epoch + 1 WHERE',
        ),
    },
    verdict: /still waits|never/,
  },
  'leases a delivery that another worker has leased': {
    fault: {
      rewrite: (sql) => sql.replace(/(SET lease_until_ms = .*OR lease_until_ms) <= \?/s, '$1 <= ? + 100000000'),
    },
    verdict: /leased while another worker holds it/,
  },
  'lets an attempt that outlived its lease undo the writes of its successor': {
    fault: {
      rewrite: (sql) =>
        sql.replace(/(UPDATE deliveries SET attempts.*AND) lease = (ELT.*)$/s, '$1 (lease IS NULL OR lease <> $2 + 1)'),
    },
    verdict: /written by another worker than the holder of its lease/,
  },
  'forgets deliveries that wait for their receiver': {
    fault: {
      rewrite: (sql) =>
        /^DELETE FROM throttled_deliveries/.test(sql)
          ? sql
          : sql.replace('FROM throttled_deliveries', 'FROM oauth1_nonces'),
    },
    verdict: /still waits/,
  },
  'begins an attempt although its receiver has been paused just before': {
    fault: {
      rewrite: (sql) =>
        /^UPDATE deliveries SET lease_until_ms/.test(sql) ? sql.replace(/ AND NOT EXISTS .*$/s, '') : sql,
    },
    seed: 11,
    verdict: /was leased while its receiver was paused/,
  },
  'never resumes a receiver': {
    fault: {
      rewrite: (sql) =>
        sql.replace('DELETE FROM paused_receivers WHERE receiver = ?', 'DELETE FROM oauth1_nonces WHERE 0 = ?'),
    },
    verdict: /still waits/,
  },
  'does not find due deliveries': {
    fault: {
      rewrite: (sql) => sql.replace(/(, kind, critical FROM deliveries\s+WHERE status = )'pending'/, "$1'nothing'"),
    },
    verdict: /still waits/,
  },
  'does not find due inactivities': {
    fault: {
      rewrite: (sql) => sql.replace(/(AS atMs FROM sensor_triggers WHERE due_at_ms) <= \?/, '$1 <= ? - 5000'),
    },
    verdict: /fired late/,
  },
  'does not find due conditions': {
    fault: {
      rewrite: (sql) => sql.replace(/WHERE condition_due_ms <= \?/, 'WHERE condition_due_ms <= ? - 5000'),
    },
    verdict: /condition of sensor trigger \d+: due at \d+ but fired late/,
  },
  'counts outages as inactivity': {
    fault: { rewrite: (sql) => sql.replace('outages o ON o.to_ms > ?', 'outages o ON o.to_ms < ?') },
    verdict: /early/,
  },
  'deletes an event before its deliveries are written': {
    fault: { afterwards: { of: /audience, .* FROM events WHERE id IN/s, run: 'DELETE FROM events WHERE id IN (?)' } },
    verdict: /were dispatched \d+ times/,
  },
  'treats a part of an event as the whole': {
    fault: { rewrite: (sql) => sql.replace('SET done_user_id = ?', 'SET done_user_id = ? + 1000000') },
    seed: 11,
    verdict: /were dispatched \d+ times/,
  },
  'takes events of a user from behind those that another worker dispatches': {
    fault: { rewrite: (sql) => (/FROM events /.test(sql) ? sql.replace(' NOWAIT', ' SKIP LOCKED') : sql) },
    verdict: /event \d+ was dispatched before event \d+/,
  },
  'ends an episode before the deliveries of its end are written': {
    fault: { commitsBefore: /resolved_text AS resolvedText/ },
    verdict: /the end of firing \d+ has deliveries to/,
    seed: 117,
  },
  'ends an episode in a transaction of its own': {
    fault: { commitsBefore: /^INSERT INTO firings \(id,/ },
    verdict: /the sensor trigger says/,
  },
  'says that an episode is over before its firing went out': {
    fault: {
      rewrite: (sql) => sql.replace("WHERE first.id = ? AND d.status = 'pending'", 'WHERE first.id = ? AND d.id = 0'),
    },
    verdict: /was sent before delivery \d+ of its firing ended/,
  },
  'sends an escalation although its episode is acknowledged': {
    fault: {
      rewrite: (sql) => (/^DELETE FROM deliveries WHERE firing_id/.test(sql) ? `${sql} AND 0 = 1` : sql),
    },
    verdict: /escalation \d+: still waits although its episode is acknowledged/,
  },
  'acknowledges an episode before its escalations are deleted': {
    fault: { commitsBefore: /^DELETE FROM deliveries WHERE firing_id/ },
    verdict: /escalation \d+: still waits although its episode is acknowledged/,
  },
  'sends an escalation twice': {
    fault: {
      withoutKeys: { table: 'deliveries', column: 'firing_id' },
      // No worker relies on its cache, so each pass reads the state that lacks this.
      rewrite: (sql) =>
        sql
          .replace(/(\w*episode_announced) = VALUES\(\w+\)/g, '$1 = 0')
          .replace(
            'UPDATE partitions SET state_epoch = state_epoch + 1',
            'UPDATE partitions SET state_epoch = state_epoch + 2',
          ),
    },
    verdict: /delivery \d+: written twice/,
  },
  'forgets an escalation that was due while no worker was running': {
    fault: {
      rewrite: (sql) =>
        sql.replace(
          /(, kind, critical FROM deliveries\s+WHERE status = 'pending') AND/,
          `$1 AND (escalation = FALSE OR next_attempt_ms > ${NOW} - 3000) AND`,
        ),
    },
    seed: 32,
    verdict: /escalation \d+: due at \d+ but fired late/,
  },
  'delivers the end to a notification that got no firing': {
    fault: {
      rewrite: (sql) =>
        sql.includes('AS deliveryId')
          ? sql
              .replace("MAX(IF(d.kind = 'end', d.id, 0)) AS endId", '0 AS endId')
              .replace(' AND f.fired_ms >= e.fired_ms', '')
              .replace('(f.id = e.id OR f.episode_id = e.id)', 'TRUE')
          : sql,
    },
    verdict: /the end of firing \d+ has deliveries to/,
  },
  'does not let a selector follow a changed metatag': {
    fault: {
      rewrite: (sql) =>
        /^INSERT INTO `selector_owners`/.test(sql) ? sql.replace(/UPDATE .*$/, 'UPDATE version = version') : sql,
    },
    verdict: /sensor \d+: (not|still) connected/,
  },
  'connects a sensor again that the selector has connected': {
    fault: {
      withoutKeys: { table: 'sensor_triggers', column: 'sensor_id' },
      rewrite: (sql) =>
        /FROM `sensor_triggers` .* FOR UPDATE/.test(sql)
          ? sql.replace(' WHERE ', ' WHERE 0 = 1 AND ')
          : sql.replace(
              'AND NOT EXISTS (SELECT 1 FROM sensor_triggers st WHERE',
              'AND NOT EXISTS (SELECT 1 FROM sensor_triggers st WHERE 0 = 1 AND',
            ),
    },
    verdict: /sensor \d+: connected twice/,
  },
  'disconnects a sensor and leaves its episode open': {
    fault: {
      rewrite: (sql) => (/SET f.is_lasting = FALSE/.test(sql) ? `${sql} AND 0 = 1` : sql),
    },
    verdict: /is left open by the disconnection/,
  },
  'ends an episode before its keep_firing_for is over': {
    fault: {
      rewrite: (sql) => sql.replace('t.keep_firing_for, ', 'LEAST(t.keep_firing_for, 3) AS keep_firing_for, '),
    },
    seed: 6,
    verdict: /sensor trigger \d+: from .* made/,
  },
  'loses a due time with its worker': {
    fault: {
      afterwards: {
        of: /st\.condition_due_ms <= \? AND/,
        run: `UPDATE sensor_triggers SET condition_due_ms = NULL
              WHERE due_bucket IN (?) AND condition_due_ms <= ? AND MOD(sensor_id, ?) IN (?) AND active`,
      },
    },
    verdict: /sensor trigger \d+: from .* made/,
  },
};
