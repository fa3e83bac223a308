import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

const SENSORS = 1_000;
const READERS = 1_000;
const NUMBERS = 'WITH RECURSIVE n AS (SELECT 1 AS seq UNION ALL SELECT seq + 1 FROM n WHERE seq < ?)';

describe('an attack by a million shares', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);

  before(async () => {
    const { pool } = platform;
    await pool.query(
      `INSERT INTO users (uuid, username, username_key, username_looks, email, password_hash, name, surname, created_ms)
       ${NUMBERS} SELECT UUID(), CONCAT('reader-', seq), CONCAT('reader-', seq), SHA2(seq, 256), '', '', '', '', 1 FROM n`,
      [READERS],
    );
    await pool.query(
      `INSERT INTO sensors (owner_id, name, data_structure, created_ms) ${NUMBERS} SELECT ?, 'shared', '', 1 FROM n`,
      [SENSORS, attacker.id],
    );
    await pool.query(
      `INSERT INTO sensor_users (sensor_id, user_id, created_ms)
       SELECT s.id, u.id, 1 FROM sensors s JOIN users u ON u.username_key LIKE 'reader-%' WHERE s.owner_id = ?`,
      [attacker.id],
    );
  });

  const shares = async () => {
    const [[row]] = await platform.pool.query<RowDataPacket[]>('SELECT COUNT(*) AS total FROM sensor_users');
    return Number(row?.total);
  };

  it('that are listed on one page is refused', async () => {
    assert.equal(await shares(), SENSORS * READERS);
    const list = () => attacker.api.get('/sensors?shared=1&per_page=1000');
    await bystander.during(async () => {
      for (const { status, body } of await Promise.all([list(), list(), list()])) {
        assert.equal(status, 400);
        assert.match(body.error, /50,000 users/);
      }
    });
    const { status, body } = await attacker.api.get('/sensors?shared=1&per_page=50');
    assert.deepEqual([status, body.sensors[0].users.length], [200, READERS]);
  });

  it('that all end by one request harms no other user', async () => {
    await bystander.during(async () => {
      // On a slow machine the connection may be closed before it has ended.
      await attacker.api.delete('/sensors/users').catch(() => undefined);
      await until('no share is left', async () => (await shares()) === 0, 120_000);
    });
  });
});
