import type { Migration } from './migration';

/** Moves the points that wait into batches. The old table goes with the next migration, so that this one can be repeated. */
export const moveWhatWaits: Migration = {
  name: '2026-11-26-0110-move-what-waits',
  up: async (schema) => {
    await schema.changeRows(
      `INSERT IGNORE INTO inbox_batches (id, partition_no, owner_id, stored_ms, points, bytes, sensor_ids, content)
       SELECT id, partition_no, owner_id, stored_ms, 1, LENGTH(value), CONCAT('[', sensor_id, ']'),
              JSON_ARRAY(JSON_ARRAY(sensor_id, date_ms, received_ms, value)) FROM inbox`,
    );
    await schema.changeRows('DELETE FROM inbox');
  },
  down: async (schema) => {
    await schema.changeRows(
      `INSERT INTO inbox (partition_no, sensor_id, owner_id, date_ms, value, received_ms, stored_ms)
       SELECT b.partition_no, p.sensor_id, b.owner_id, p.date_ms, p.value, p.received_ms, b.stored_ms
       FROM inbox_batches b JOIN JSON_TABLE(b.content, '$[*]' COLUMNS (
         sensor_id BIGINT PATH '$[0]', date_ms BIGINT PATH '$[1]', received_ms BIGINT PATH '$[2]', value TEXT PATH '$[3]'
       )) p`,
    );
    await schema.changeRows('DELETE FROM inbox_batches');
  },
};
