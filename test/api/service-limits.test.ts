import assert from 'node:assert/strict';
import { type Platform, startPlatform, type TestUser } from '../support/platform';

describe('how many services there may be', () => {
  let platform: Platform;
  let user: TestUser;

  before(async () => {
    platform = await startPlatform();
    user = await platform.user();
  });
  after(() => platform.close());

  const sensor = async (): Promise<string> =>
    (await user.api.post('/sensors', { sensor: { name: 's' } })).body.sensor.id;
  const feed = ({ api }: TestUser, sensorId: string, service: object = { name: 'math_service' }) =>
    api.post(`/sensors/${sensorId}/services`, { service });
  /** A service that these sensors feed. */
  const service = async (inputs: readonly string[], by = user): Promise<string> => {
    const [first = '', ...others] = inputs;
    const { id } = (await feed(by, first)).body.service;
    for (const input of others) assert.equal((await feed(by, input, { id })).status, 201);
    return id;
  };
  const layer = (width: number, inputs: readonly string[], by = user) =>
    Promise.all(Array.from({ length: width }, () => service(inputs, by)));
  /** Somebody with whom these sensors are shared. */
  const friendWith = async (...sensors: string[]): Promise<TestUser> => {
    const friend = await platform.user();
    for (const id of sensors) await user.api.post(`/sensors/${id}/users`, { user: { id: friend.id } });
    return friend;
  };
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

  it('refuses what would have layers of services compute over 1,000 times for one point', async () => {
    const root = await sensor();
    const source = await service([root]);
    const [bottom = ''] = await layer(9, await layer(9, await layer(9, [source])));
    // 1 + 9 + 81 + 729 = 820 computations for one point of the root, and 81 more for each service at the bottom
    for (const expected of [201, 201, 409]) {
      const { status, body } = await feed(user, bottom);
      assert.equal(status, expected);
      if (status === 409) assert.match(body.error, /more than 1000 computations/);
    }
    assert.equal((await user.api.get(`/sensors/${bottom}/services`)).body.services.length, 2);
    const running = await service([await sensor()]);
    const uses = await user.api.post(`/sensors/${running}/sensors`, { sensor: { id: bottom } });
    assert.equal(uses.status, 201);
    assert.equal((await feed(user, bottom, { id: running })).status, 409);
    for (let count = 982; count < 1_000; count += 1) assert.equal((await feed(user, source)).status, 201);
    assert.deepEqual(statuses([await feed(user, source), await feed(user, root)]), [409, 409]);
    assert.equal((await feed(user, await sensor(), { id: source })).status, 201);
  });

  it('leaves the owner of a sensor his computations when a friend has used up his own', async () => {
    const source = await sensor();
    const friend = await friendWith(source);
    const [bottom = ''] = await layer(9, await layer(9, await layer(9, [source], friend), friend), friend);
    for (let count = 0; count < 2; count += 1) assert.equal((await feed(friend, bottom)).status, 201);
    for (let count = 981; count < 1_000; count += 1) assert.equal((await feed(friend, source)).status, 201);
    assert.equal((await feed(friend, source)).status, 409);
    assert.equal((await feed(user, await service([source]))).status, 201);
  });

  it('lets no two users multiply what each of them may have', async () => {
    const [source, shared] = [await sensor(), await service([await sensor()])];
    const friend = await friendWith(shared);
    for (let count = 0; count < 100; count += 1) assert.equal((await feed(friend, shared)).status, 201);
    const ways = await layer(11, [source]);
    const last = ways.pop() ?? '';
    for (const way of ways) assert.equal((await feed(user, way, { id: shared })).status, 201);
    assert.equal((await feed(user, last, { id: shared })).status, 409);
    assert.equal((await feed(user, shared)).status, 201);
  });

  it('lets only as many pass as may be, of those that come at once', async () => {
    const source = await sensor();
    const middle = await layer(9, await layer(9, await layer(9, [source])));
    const answers = await Promise.all(middle.slice(0, 6).map((id) => feed(user, id)));
    assert.deepEqual(statuses(answers), [201, 201, 409, 409, 409, 409]);
  });

  it('is 100 for each user on a sensor', async () => {
    const source = await sensor();
    for (let count = 1; count < 100; count += 1) assert.equal((await feed(user, source)).status, 201);
    const answers = await Promise.all([feed(user, source), feed(user, source)]);
    assert.deepEqual(statuses(answers), [201, 409]);
    assert.match(answers.find(({ status }) => status === 409)?.body.error, /at most 100 services/);
    assert.equal((await feed(await friendWith(source), source)).status, 201);
    const { services } = (await user.api.get(`/sensors/${source}/services`)).body;
    assert.equal((await feed(user, source, { id: services[0].id })).status, 201);
  });

  it('is 100 sensors for each service', async () => {
    const sensors = await Promise.all(Array.from({ length: 102 }, sensor));
    const id = await service(sensors.slice(0, 99));
    const answers = await Promise.all(sensors.slice(99).map((sensorId) => feed(user, sensorId, { id })));
    assert.deepEqual(statuses(answers), [201, 409, 409]);
    assert.match(answers.find(({ status }) => status === 409)?.body.error, /at most 100 sensors/);
    assert.equal((await feed(user, sensors[0] ?? '', { id })).status, 201);
  });
});
