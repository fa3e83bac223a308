import assert from 'node:assert/strict';
import { buildSensor, share } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

describe('the limits of services', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  const feed = ({ api }: TestUser, sensorId: string, service: object = { name: 'math_service' }) =>
    api.post(`/sensors/${sensorId}/services`, { service });
  /** A service that these sensors feed. */
  const buildServiceOf = async (inputs: readonly string[], by = user): Promise<string> => {
    const [first = '', ...others] = inputs;
    const { id } = (await feed(by, first)).body.service;
    for (const input of others) assert.equal((await feed(by, input, { id })).status, 201);
    return id;
  };
  const layer = (width: number, inputs: readonly string[], by = user) =>
    Promise.all(Array.from({ length: width }, () => buildServiceOf(inputs, by)));
  /** A user with whom these sensors are shared. */
  const friendWith = async (...sensors: string[]): Promise<TestUser> => {
    const friend = await platform.user();
    for (const id of sensors) await share(user, id, friend);
    return friend;
  };
  const statuses = (responses: { status: number }[]) => responses.map(({ status }) => status).sort();

  it('refuse layers of services that would compute more than 1,000 times for one point', async () => {
    const root = await buildSensor(user);
    const source = await buildServiceOf([root]);
    const [bottom = ''] = await layer(9, await layer(9, await layer(9, [source])));
    // 1 + 9 + 81 + 729 = 820 computations for one point of the root, and 81 more for each service at the bottom
    for (const expected of [201, 201, 409]) {
      const { status, body } = await feed(user, bottom);
      assert.equal(status, expected);
      if (status === 409) assert.match(body.error, /more than 1000 computations/);
    }
    assert.equal((await user.api.get(`/sensors/${bottom}/services`)).body.services.length, 2);
    const running = await buildServiceOf([await buildSensor(user)]);
    const connected = await user.api.post(`/sensors/${running}/sensors`, { sensor: { id: bottom } });
    assert.equal(connected.status, 201);
    assert.equal((await feed(user, bottom, { id: running })).status, 409);
    for (let count = 982; count < 1_000; count += 1) assert.equal((await feed(user, source)).status, 201);
    assert.deepEqual(statuses([await feed(user, source), await feed(user, root)]), [409, 409]);
    assert.equal((await feed(user, await buildSensor(user), { id: source })).status, 201);
  });

  it('leave the owner of a sensor their computations when a friend has used up theirs', async () => {
    const source = await buildSensor(user);
    const friend = await friendWith(source);
    const [bottom = ''] = await layer(9, await layer(9, await layer(9, [source], friend), friend), friend);
    for (let count = 0; count < 2; count += 1) assert.equal((await feed(friend, bottom)).status, 201);
    for (let count = 981; count < 1_000; count += 1) assert.equal((await feed(friend, source)).status, 201);
    assert.equal((await feed(friend, source)).status, 409);
    assert.equal((await feed(user, await buildServiceOf([source]))).status, 201);
  });

  it('do not let two users multiply their computations', async () => {
    const [source, shared] = [await buildSensor(user), await buildServiceOf([await buildSensor(user)])];
    const friend = await friendWith(shared);
    for (let count = 0; count < 100; count += 1) assert.equal((await feed(friend, shared)).status, 201);
    const ways = await layer(11, [source]);
    const last = ways.pop() ?? '';
    for (const way of ways) assert.equal((await feed(user, way, { id: shared })).status, 201);
    assert.equal((await feed(user, last, { id: shared })).status, 409);
    assert.equal((await feed(user, shared)).status, 201);
  });

  it('hold for simultaneous requests', async () => {
    const source = await buildSensor(user);
    const middle = await layer(9, await layer(9, await layer(9, [source])));
    const responses = await Promise.all(middle.slice(0, 6).map((id) => feed(user, id)));
    assert.deepEqual(statuses(responses), [201, 201, 409, 409, 409, 409]);
  });

  it('are 100 services per user on a sensor', async () => {
    const source = await buildSensor(user);
    for (let count = 1; count < 100; count += 1) assert.equal((await feed(user, source)).status, 201);
    const responses = await Promise.all([feed(user, source), feed(user, source)]);
    assert.deepEqual(statuses(responses), [201, 409]);
    assert.match(responses.find(({ status }) => status === 409)?.body.error, /at most 100 services/);
    assert.equal((await feed(await friendWith(source), source)).status, 201);
    const { services } = (await user.api.get(`/sensors/${source}/services`)).body;
    assert.equal((await feed(user, source, { id: services[0].id })).status, 201);
  });

  it('are 100 sensors per service', async () => {
    const sensors = await Promise.all(Array.from({ length: 102 }, () => buildSensor(user)));
    const id = await buildServiceOf(sensors.slice(0, 99));
    const responses = await Promise.all(sensors.slice(99).map((sensorId) => feed(user, sensorId, { id })));
    assert.deepEqual(statuses(responses), [201, 409, 409]);
    assert.match(responses.find(({ status }) => status === 409)?.body.error, /at most 100 sensors/);
    assert.equal((await feed(user, sensors[0] ?? '', { id })).status, 201);
  });
});
