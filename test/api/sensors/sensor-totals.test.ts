import assert from 'node:assert/strict';
import { SensorList } from '../../../src/access/sensor-list';
import { buildSensor } from '../../support/factories';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';
import { buildLearningService } from '../../support/recognition';
import { sentDuring } from '../../support/sent-statements';

const PAGE = 2;

describe('the total of a list of sensors', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const other = useUser(platform);

  const list = async (query = '') => {
    const { status, body } = await user.api.get(`/sensors?per_page=${PAGE}${query}`);
    assert.equal(status, 200);
    return { total: body.total, shown: body.sensors.length };
  };
  const build = async (count: number) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) ids.push(await buildSensor(user));
    return ids;
  };
  const isCount = (sql: string) => /COUNT\(\*\).*FROM sensors\b/s.test(sql);

  it('is right on every page, and beyond the last', async () => {
    await build(5);
    assert.deepEqual(await list(), { total: 5, shown: 2 });
    assert.deepEqual(await list('&page=2'), { total: 5, shown: 1 });
    assert.deepEqual(await list('&page=7'), { total: 5, shown: 0 });
    assert.deepEqual(await list('&owned=0'), { total: 0, shown: 0 });
    assert.deepEqual(await list('&physical=1'), { total: 0, shown: 0 });
  });

  it('follows every change, whichever process made it', async () => {
    const [first, ...others] = await build(5);
    const elsewhere = new SensorList(platform.container.database.pool);
    const there = async () =>
      (await elsewhere.findPage(Number(user.id), {}, { offset: 0, limit: PAGE, withTotal: true })).total;
    assert.deepEqual([(await list()).total, await there()], [5, 5]);
    await build(1);
    assert.deepEqual([(await list()).total, await there()], [6, 6]);
    assert.equal((await user.api.delete(`/sensors/${first}`)).status, 200);
    assert.deepEqual([(await list()).total, await there()], [5, 5]);
    await buildLearningService(user, others.slice(0, 2));
    const [row] = await platform.query('SELECT COUNT(*) AS count FROM sensors WHERE owner_id = ?', [user.id]);
    assert.equal(Number(row?.count), 6);
    assert.deepEqual([(await list()).total, await there()], [6, 6]);
    const shared = await buildSensor(other);
    await other.api.post(`/sensors/${shared}/users`, { user: { id: user.id } });
    assert.equal((await list()).total, 7);
    await other.api.delete(`/sensors/${shared}`);
    assert.equal((await list()).total, 6);
  });

  it('is not counted again while nothing has changed', async () => {
    await build(5);
    await list();
    assert.equal((await sentDuring(() => list())).filter(isCount).length, 0);
    await build(1);
    assert.equal((await sentDuring(() => list())).filter(isCount).length, 1);
    assert.equal((await sentDuring(() => list('&page=1'))).filter(isCount).length, 0);
  });
});
