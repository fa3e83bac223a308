import assert from 'node:assert/strict';
import { type Platform, startPlatform, type TestUser } from '../support/platform';

const NOW = Date.UTC(2026, 0, 15, 12, 0, 0, 250);

describe('uploading over HTTP', () => {
  let platform: Platform;
  let owner: TestUser;
  let friend: TestUser;
  let stranger: TestUser;
  let sensorId: string;

  before(async () => {
    platform = await startPlatform({ clock: { now: () => NOW } });
    [owner, friend, stranger] = [await platform.user(), await platform.user(), await platform.user()];
  });
  after(() => platform.close());

  beforeEach(async () => {
    sensorId = await create(owner);
  });

  const create = async (user: TestUser): Promise<string> =>
    (await user.api.post('/sensors', { sensor: { name: 'a sensor' } })).body.sensor.id;

  const stored = async (id: string = sensorId, reader = owner): Promise<[number, string][]> => {
    const { body } = await reader.api.get(`/sensors/${id}/data`);
    return body.data.map((point: { date: number; value: string }) => [point.date, point.value]);
  };

  it('stores a list, a single point and a bare one, and tells how many', async () => {
    const bodies: [unknown, number][] = [
      [
        {
          data: [
            { value: 1, date: 1 },
            { value: 2.5, date: '2.125' },
          ],
        },
        2,
      ],
      [{ data: { value: true, date: '3e0' } }, 1],
      [{ value: { lux: 5 }, date: 4 }, 1],
    ];
    for (const [body, accepted] of bodies) {
      const answer = await owner.api.post(`/sensors/${sensorId}/data`, body);
      assert.deepEqual([answer.status, answer.body], [201, { data: { accepted } }]);
    }
    assert.deepEqual(await stored(), [
      [1, '1'],
      [2.125, '2.5'],
      [3, 'true'],
      [4, '{"lux":5}'],
    ]);
  });

  it('takes forms and query parameters', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const path = `/sensors/${sensorId}/data`;
    const answers = [
      await owner.api.post(path, 'data[value]=5&data[date]=1', form),
      await owner.api.post(path, 'value=6&date=2', form),
      await owner.api.post(path, 'data[0][value]=7&data[0][date]=3&data[1][value]=8&data[1][date]=4', form),
      await owner.api.post(`${path}?value=9&date=5`),
      await owner.api.post(`${path}.json`, '{"value":10,"date":6}', form),
    ];
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [201, 201, 201, 201, 201],
    );
    assert.deepEqual(
      (await stored()).map(([, value]) => value),
      ['5', '6', '7', '8', '9', '10'],
    );
  });

  it('dates a point without a date by its own clock', async () => {
    await owner.api.post(`/sensors/${sensorId}/data`, { value: 1, date: null });
    assert.deepEqual(await stored(), [[NOW / 1000, '1']]);
  });

  it('replaces the value of the same date, also within one request', async () => {
    await owner.api.post(`/sensors/${sensorId}/data`, {
      data: [
        { value: 'old', date: 1 },
        { value: 'new', date: 1 },
      ],
    });
    assert.deepEqual(await stored(), [[1, 'new']]);
    await owner.api.post(`/sensors/${sensorId}/data`, { value: 'newest', date: 1 });
    assert.deepEqual(await stored(), [[1, 'newest']]);
  });

  it('keeps texts as they are: 65,535 bytes, any character, numbers with zeros', async () => {
    const values = ['é'.repeat(32_767), '😀\u0000"\\', '007.50', ''];
    await owner.api.post(`/sensors/${sensorId}/data`, { data: values.map((value, date) => ({ value, date })) });
    assert.deepEqual(
      (await stored()).map(([, value]) => value),
      values,
    );
  });

  it('takes 10,000 points in a request, and refuses one more', async () => {
    const data = Array.from({ length: 10_001 }, (_, date) => ({ value: date, date }));
    const path = `/sensors/${sensorId}/data`;
    assert.equal((await owner.api.post(path, { data })).status, 400);
    assert.deepEqual(await stored(), []);
    const answer = await owner.api.post(path, { data: data.slice(1) });
    assert.deepEqual([answer.status, answer.body], [201, { data: { accepted: 10_000 } }]);
    assert.equal((await owner.api.get(`${path}?total=1&per_page=1`)).body.total, 10_000);
  });

  it('takes 10,000 points altogether for several sensors, and refuses one more', async () => {
    const second = await create(owner);
    const points = (count: number) => Array.from({ length: count }, (_, date) => ({ value: date, date: date + 1 }));
    const post = (first: number, other: number) =>
      owner.api.post('/sensors/data', {
        sensors: [
          { sensor_id: sensorId, data: points(first) },
          { sensor_id: second, data: points(other) },
        ],
      });
    assert.equal((await post(5_000, 5_001)).status, 400);
    assert.deepEqual([await stored(), await stored(second)], [[], []]);
    const answer = await post(5_000, 5_000);
    assert.deepEqual([answer.status, answer.body], [201, { data: { accepted: 10_000 } }]);
  });

  it('stores nothing when one point is wrong, and names it', async () => {
    const data = [
      { value: 1, date: 1 },
      { value: 1, date: 2 },
      { value: null, date: 3 },
    ];
    const answer = await owner.api.post(`/sensors/${sensorId}/data`, { data });
    assert.equal(answer.status, 400);
    assert.deepEqual(Object.keys(answer.body.fields), ['data[2].value']);
    assert.deepEqual(await stored(), []);
  });

  it('is for the owner alone', async () => {
    const path = `/sensors/${sensorId}/data`;
    assert.equal((await stranger.api.post(path, { value: 1 })).status, 404);
    await owner.api.post(`/sensors/${sensorId}/users`, { user: { id: friend.id } });
    assert.equal((await friend.api.post(path, { value: 1 })).status, 403);
    assert.equal((await platform.anonymous.post(path, { value: 1 })).status, 401);
    assert.equal((await owner.api.post('/sensors/99999999/data', { value: 1 })).status, 404);
    assert.deepEqual(await stored(), []);
  });

  it('keeps the uploads of many users at once apart: each is stored or refused for itself', async () => {
    await owner.api.post(`/sensors/${sensorId}/users`, { user: { id: friend.id } });
    const [own, gone] = [await create(stranger), await create(owner)];
    await owner.api.delete(`/sensors/${gone}`);
    const uploads: [TestUser, string, number][] = [
      [owner, sensorId, 201],
      [stranger, sensorId, 404],
      [friend, sensorId, 403],
      [stranger, own, 201],
      [owner, own, 404],
      [owner, gone, 404],
    ];
    const attempts = Array.from({ length: 10 }, (_, date) => uploads.map((upload) => ({ upload, date }))).flat();
    const statuses = await Promise.all(
      attempts.map(async ({ upload: [user, id], date }) => {
        return (await user.api.post(`/sensors/${id}/data`, { value: user.username, date })).status;
      }),
    );
    assert.deepEqual(
      statuses,
      attempts.map(({ upload: [, , status] }) => status),
    );
    const written = (user: TestUser) => Array.from({ length: 10 }, (_, date) => [date, user.username]);
    assert.deepEqual([await stored(), await stored(own, stranger)], [written(owner), written(stranger)]);
  });

  it('stores points of several sensors, and each sensor once', async () => {
    const second = await create(owner);
    const answer = await owner.api.post('/sensors/data', {
      sensors: [
        { sensor_id: sensorId, data: [{ value: 1, date: 1 }] },
        { sensor_id: Number(second), data: { value: 2, date: 1 } },
        { sensor_id: sensorId, data: [{ value: 3, date: 1 }] },
      ],
    });
    assert.deepEqual([answer.status, answer.body], [201, { data: { accepted: 2 } }]);
    assert.deepEqual([await stored(), await stored(second)], [[[1, '3']], [[1, '2']]]);
  });

  it('stores for all of several sensors or for none, and names the one that is not to be', async () => {
    const foreign = await create(stranger);
    const shared = await create(stranger);
    await stranger.api.post(`/sensors/${shared}/users`, { user: { id: owner.id } });
    for (const [id, status] of [
      [foreign, 404],
      ['99999999', 404],
      [shared, 403],
      ['x', 400],
    ]) {
      const sensors = [sensorId, id].map((sensor_id) => ({ sensor_id, data: [{ value: 1 }] }));
      const answer = await owner.api.post('/sensors/data', { sensors });
      assert.equal(answer.status, status);
      assert.deepEqual(Object.keys(answer.body.fields), ['sensors[1].sensor_id']);
    }
    assert.deepEqual(await stored(), []);
  });
});
