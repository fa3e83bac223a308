import assert from 'node:assert/strict';
import { newestDates } from '../../src/points/point-store/newest-rows';
import { buildSensor, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

const START_S = 1_790_000_000;
const POINTS = 3_000;

describe('the newest dates of sensors', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  it('are read by a look at the index for each sensor, however many points they have', async () => {
    const ids = [await buildSensor(user), await buildSensor(user), await buildSensor(user)];
    const [first = '', second = ''] = ids;
    const data = Array.from({ length: POINTS }, (_, index) => ({ date: START_S + index, value: index }));
    for (const id of [first, second]) await upload(user, id, data);
    const connection = await platform.container.database.pool.getConnection();
    try {
      await connection.query('FLUSH STATUS');
      const newest = await newestDates(connection, ids.map(Number));
      const [read] = await connection.query<never>("SHOW SESSION STATUS LIKE 'Handler_read%'");
      const lastMs = (START_S + POINTS - 1) * 1_000;
      assert.deepEqual(
        [...newest],
        [first, second].map((id) => [Number(id), lastMs]),
      );
      const rows = (read as { Value: string }[]).reduce((sum, { Value }) => sum + Number(Value), 0);
      assert.ok(rows < 50, `${rows} rows of ${2 * POINTS} were read`);
    } finally {
      connection.release();
    }
  });
});
