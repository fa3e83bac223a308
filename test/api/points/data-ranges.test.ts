import assert from 'node:assert/strict';
import { buildSensor, createKey, share, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { sentDuring } from '../../support/sent-statements';
import { Stopwatch } from '../../support/stopwatch';

const DATE = 1_795_229_544;
const MANY = 9_000;

describe('deleting the data of a range', () => {
  const platform = usePlatform();
  const owner = useUser(platform);
  const friend = useUser(platform);

  const createWith = async (count: number) => {
    const id = await buildSensor(owner);
    await upload(
      owner,
      id,
      Array.from({ length: count }, (_, index) => ({ value: index, date: DATE + index })),
    );
    return id;
  };
  const remove = (id: string, query: string, api = owner.api) => api.delete(`/sensors/${id}/data?${query}`);
  const left = async (id: string) => {
    const { body } = await owner.api.get(`/sensors/${id}/data?per_page=1000&total=1`);
    return { total: body.total, values: body.data.map(({ value }: { value: string }) => value) };
  };

  it('deletes exactly the points between two dates, both inclusive, of this sensor', async () => {
    const [id, other] = [await createWith(6), await createWith(6)];
    const answer = await remove(id, `start_date=${DATE + 1}&end_date=${DATE + 3}`);
    assert.deepEqual([answer.status, answer.body], [200, { deleted: 3 }]);
    assert.deepEqual((await left(id)).values, ['0', '4', '5']);
    assert.equal((await left(other)).total, 6);
    assert.deepEqual((await remove(id, `start_date=${DATE + 1}&end_date=${DATE + 3}`)).body, { deleted: 0 });
    const iso = new Date((DATE + 4) * 1000).toISOString();
    assert.deepEqual((await remove(id, `start_date=0&end_date=${iso}`)).body, { deleted: 2 });
    const byPost = `/sensors/${id}/data?_METHOD=DELETE&start_date=${DATE}&end_date=${DATE + 9}`;
    assert.deepEqual((await owner.api.post(byPost)).body, { deleted: 1 });
  });

  it('takes steps of a few thousand points, each its own transaction', async () => {
    const id = await createWith(MANY);
    const sent = await sentDuring(async () => {
      const { body } = await remove(id, `start_date=${DATE + 500}&end_date=${DATE + MANY}`);
      assert.deepEqual(body, { deleted: MANY - 500 });
    });
    const steps = sent.filter((sql) => sql.includes('DELETE FROM data_points'));
    assert.equal(steps.length, 5);
    assert.equal(sent.filter((sql) => sql.includes('data_points') && / LIMIT 2000 FOR UPDATE$/.test(sql)).length, 5);
    assert.equal((await left(id)).total, 500);
  });

  it('needs both dates, in order', async () => {
    const id = await createWith(2);
    for (const [query, field] of [
      ['', 'start_date'],
      [`start_date=${DATE}`, 'end_date'],
      [`end_date=${DATE}`, 'start_date'],
      [`start_date=${DATE}&end_date=`, 'end_date'],
      [`start_date=${DATE}&end_date=2026-11-21T10:00:00`, 'end_date'],
      [`start_date=${DATE}&end_date=${DATE - 1}`, 'end_date'],
    ] as const) {
      const { status, body } = await remove(id, query);
      assert.equal(status, 400, query);
      assert.ok(Object.keys(body.fields).includes(field), JSON.stringify(body));
    }
    assert.equal((await left(id)).total, 2);
  });

  it('keeps nobody from changing anything meanwhile, however many ranges are deleted', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => platform.user()));
    const ids = await Promise.all(users.map((user) => buildSensor(user)));
    for (const [index, user] of users.entries()) await upload(user, ids[index] ?? '', { value: 1, date: DATE });
    const holding = await platform.container.database.pool.getConnection();
    await holding.query('START TRANSACTION');
    await holding.query('SELECT value FROM data_points WHERE sensor_id IN (?) FOR UPDATE', [ids]);
    const deletions = users.flatMap((user, index) =>
      [1, 2].map(() => user.api.delete(`/sensors/${ids[index]}/data?start_date=0&end_date=${DATE}`)),
    );
    try {
      const watch = new Stopwatch();
      await buildSensor(friend);
      assert.ok(watch.stop() < 4_000, 'a row stays locked for up to ten seconds');
    } finally {
      await holding.query('ROLLBACK');
      holding.release();
    }
    const answers = await Promise.all(deletions);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(
      answers.reduce((sum, { body }) => sum + body.deleted, 0),
      4,
    );
  }).retries(2);

  it('is for the owner alone, with data:write', async () => {
    const [id, other] = [await createWith(2), await createWith(2)];
    await share(owner, id, friend);
    const all = `start_date=0&end_date=${DATE + 9}`;
    assert.equal((await remove(id, all, friend.api)).status, 403);
    assert.equal((await remove(other, all, friend.api)).status, 404);
    const deleteBy = async (key: Record<string, unknown>, sensorId: string) => {
      const { secret } = await createKey(owner, key);
      return (
        await platform.anonymous.delete(`/sensors/${sensorId}/data?${all}`, undefined, {
          Authorization: `Bearer ${secret}`,
        })
      ).status;
    };
    assert.equal(await deleteBy({ scopes: ['read'] }, id), 403);
    assert.equal(await deleteBy({ scopes: ['data:write'], sensors: [id] }, other), 404);
    assert.equal((await left(id)).total, 2);
    assert.equal(await deleteBy({ scopes: ['data:write'], sensors: [id] }, id), 200);
    assert.equal((await left(id)).total, 0);
    assert.equal((await left(other)).total, 2);
  });
});
