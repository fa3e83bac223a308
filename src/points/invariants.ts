import type { Invariant } from '../storage/invariant';

/** What holds in the inbox and among the points. */
export const invariants: readonly Invariant[] = [
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
];
