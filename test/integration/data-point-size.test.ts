import assert from 'node:assert/strict';
import { usePlatform } from '../support/hooks';

const SENSORS = 2_000;
const ROUNDS = 100;
const POINTS = SENSORS * ROUNDS;
/**
 * What a point takes in pages that gateways have filled. Without compression the file has more: it grows by 4 MB at a time,
 * which is half of so small a table.
 */
const MAX_BYTES = { whole: 80, compressed: 40 };

describe('the size of stored points', () => {
  const platform = usePlatform();

  /** Bytes of the pages in use, and the options of the table. */
  const pagesOf = async () => {
    await platform.query('ANALYZE TABLE data_points');
    const [row] = await platform.query(
      `SELECT data_length AS bytes, create_options AS options FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'data_points'`,
    );
    return { bytes: Number(row?.bytes), options: String(row?.options) };
  };
  const isMariaDb = async () =>
    /MariaDB/i.test(String((await platform.query('SELECT VERSION() AS version'))[0]?.version));
  /** Bytes of the table's file, and those that the disk holds of it. MySQL's view has another name than MariaDB's. */
  const fileSize = async () => {
    const view = (await isMariaDb()) ? 'innodb_sys_tablespaces' : 'innodb_tablespaces';
    const [row] = await platform.query(
      `SELECT file_size AS file, allocated_size AS allocated FROM information_schema.${view} WHERE name = CONCAT(DATABASE(), '/data_points')`,
    );
    return { file: Number(row?.file), allocated: Number(row?.allocated) };
  };
  const writeToDisk = async () => {
    const connection = await platform.container.database.pool.getConnection();
    await connection.query('FLUSH TABLES data_points FOR EXPORT');
    await connection.query('UNLOCK TABLES');
    connection.release();
  };

  it(`is at most ${MAX_BYTES.whole} bytes a point, and ${MAX_BYTES.compressed} where the server can free parts of pages`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const rows = Array.from({ length: SENSORS }, (_, index) => {
        const dateMs = 1_795_229_544_000 + round * 10_000 + ((index * 7_919) % 9_973);
        return [index + 1, dateMs, String((150 + ((index * 31 + round * 7) % 130)) / 10), 1];
      });
      await platform.query(
        `INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?
         ON DUPLICATE KEY UPDATE value = VALUES(value), delay_s = VALUES(delay_s)`,
        [rows],
      );
    }
    await writeToDisk();
    const pages = await pagesOf();
    assert.ok(pages.bytes > POINTS && pages.bytes / POINTS <= MAX_BYTES.whole, `${pages.bytes / POINTS} bytes a point`);
    assert.match(pages.options, /COMPRESS/);
    if (await isMariaDb()) assert.match(pages.options, /PAGE_COMPRESSION_LEVEL.{1,4}1/, 'with little effort');
    const { file, allocated } = await fileSize();
    const hasHoles = allocated < file; // not on every file system
    // MySQL has disk space for pages that it has not written yet; what it frees are parts of those that it has.
    const held = (await isMariaDb()) ? allocated : pages.bytes - (file - allocated);
    if (hasHoles) assert.ok(held / POINTS <= MAX_BYTES.compressed, `${held / POINTS} bytes a point on disk`);
  });
});
