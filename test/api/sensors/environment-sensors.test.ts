import assert from 'node:assert/strict';
import { buildEnvironment, buildSensor, share } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

describe('sensors in environments', () => {
  const platform = usePlatform();
  const owner = useUserPerTest(platform);
  const friend = useUserPerTest(platform);
  let home: string;
  let office: string;
  let sensor: string;

  beforeEach(async () => {
    [home, office] = [await buildEnvironment(owner, { name: 'home' }), await buildEnvironment(owner)];
    sensor = await buildSensor(owner);
  });

  const unshare = (sensorId: string, { id }: TestUser) => owner.api.delete(`/sensors/${sensorId}/users/${id}`);
  const place = ({ api }: TestUser, environment: string, ...sensors: string[]) =>
    api.post(`/environments/${environment}/sensors`, { sensors: sensors.map((id) => ({ id })) });
  const sensorsIn = async ({ api }: TestUser, environment: string): Promise<string[]> =>
    (await api.get(`/environments/${environment}/sensors`)).body.sensors.map(({ id }: { id: string }) => id);
  const whereIs = async ({ api }: TestUser, id: string): Promise<string> => {
    const response = await api.get(`/sensors/${id}/environment`);
    return response.status === 200 ? response.body.environment.name : String(response.status);
  };

  it('are placed one or many at a time, and the response has their records', async () => {
    const more = [await buildSensor(owner), await buildSensor(owner)];
    const first = await place(owner, home, sensor);
    assert.equal(first.status, 201);
    const record = (await owner.api.get(`/sensors/${sensor}`)).body.sensor;
    assert.deepEqual(first.body, { sensors: [record] });
    assert.equal(record.state, 'none');
    const all = await place(owner, home, ...[...more].reverse(), sensor);
    assert.deepEqual(
      all.body.sensors.map(({ id }: { id: string }) => id),
      [sensor, ...more],
    );
    assert.deepEqual(await sensorsIn(owner, home), [sensor, ...more]);
    const { environment } = (await owner.api.get(`/environments/${home}`)).body;
    assert.deepEqual((await owner.api.get(`/sensors/${sensor}/environment`)).body, { environment });
  });

  it('may be given as a single sensor by id alone, as a number, and in a form', async () => {
    const more = [await buildSensor(owner), await buildSensor(owner)];
    const path = `/environments/${home}/sensors`;
    assert.equal((await owner.api.post(path, { sensor: { id: Number(sensor) } })).status, 201);
    assert.equal((await owner.api.post(path, { sensors: { id: more[0] } })).status, 201);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    assert.equal((await owner.api.post(path, `sensors[0][id]=${more[1]}`, form)).status, 201);
    assert.deepEqual(await sensorsIn(owner, home), [sensor, ...more]);
  });

  it('are listed page by page', async () => {
    const all = [sensor, await buildSensor(owner), await buildSensor(owner)];
    await place(owner, home, ...all);
    const { body } = await owner.api.get(`/environments/${home}/sensors?page=1&per_page=2&total=1`);
    assert.deepEqual([body.sensors.length, body.sensors[0].id, body.total], [1, all[2], 3]);
    assert.ok(!('total' in (await owner.api.get(`/environments/${home}/sensors`)).body));
    assert.equal((await owner.api.get(`/environments/${home}/sensors?per_page=0`)).status, 400);
  });

  it('are in one environment of a user at a time', async () => {
    await place(owner, home, sensor);
    assert.equal((await place(owner, office, sensor)).status, 201);
    assert.deepEqual([await sensorsIn(owner, home), await sensorsIn(owner, office)], [[], [sensor]]);
    await Promise.all([home, office, home, office].map((environment) => place(owner, environment, sensor)));
    const placed = [...(await sensorsIn(owner, home)), ...(await sensorsIn(owner, office))];
    assert.deepEqual(placed, [sensor]);
  });

  it('may be in one environment of each user to whom they are visible, who is shown their own first', async () => {
    await place(owner, home, sensor);
    assert.equal(await whereIs(friend, sensor), '404');
    await share(owner, sensor, friend);
    assert.equal(await whereIs(friend, sensor), 'home', "users with whom the sensor is shared are shown the owner's");
    const hideout = await buildEnvironment(friend, { name: 'hideout' });
    assert.equal((await place(friend, hideout, sensor)).status, 201);
    assert.deepEqual([await whereIs(friend, sensor), await whereIs(owner, sensor)], ['hideout', 'home']);
    await owner.api.delete(`/environments/${home}/sensors/${sensor}`);
    assert.deepEqual([await whereIs(friend, sensor), await whereIs(owner, sensor)], ['hideout', '404']);
  });

  it('can only be placed in environments that the user owns', async () => {
    await share(owner, sensor, friend);
    assert.equal((await place(friend, home, sensor)).status, 404);
    assert.equal((await friend.api.delete(`/environments/${home}/sensors/${sensor}`)).status, 404);
    assert.equal((await friend.api.get(`/environments/${home}`)).status, 404);
  });

  it('disappear when the sensor is no longer shared', async () => {
    await share(owner, sensor, friend);
    const hideout = await buildEnvironment(friend, { name: 'hideout' });
    await place(friend, hideout, sensor);
    await unshare(sensor, friend);
    assert.deepEqual((await friend.api.get(`/environments/${hideout}/sensors?total=1`)).body, {
      sensors: [],
      total: 0,
    });
    assert.equal(await whereIs(friend, sensor), '404');
    assert.equal((await friend.api.delete(`/environments/${hideout}/sensors/${sensor}`)).status, 404);
  });

  it('are placed all or not at all, and the error names the invalid one', async () => {
    const foreign = await buildSensor(friend);
    for (const bad of [foreign, '99999999', 'x']) {
      const response = await place(owner, home, sensor, bad);
      assert.equal(response.status, 404);
      assert.match(response.body.error, new RegExp(`\\b${bad}\\b`));
    }
    assert.deepEqual(await sensorsIn(owner, home), []);
  });

  const refused: [string, unknown][] = [
    ['no list', {}],
    ['an empty list', { sensors: [] }],
    ['an entry without an id', { sensors: [{ name: 'x' }] }],
    ['an empty sensor', { sensor: {} }],
    ['more than 1,000 of them', { sensors: Array.from({ length: 1001 }, () => ({ id: '1' })) }],
  ];
  for (const [what, body] of refused) {
    it(`are refused with ${what}`, async () => {
      const response = await owner.api.post(`/environments/${home}/sensors`, body);
      assert.equal(response.status, 400);
      assert.match(Object.keys(response.body.fields).join(), /^sensors?\b/);
    });
  }

  it('are removed once', async () => {
    await place(owner, home, sensor);
    assert.equal((await owner.api.delete(`/environments/${office}/sensors/${sensor}`)).status, 404);
    const response = await owner.api.delete(`/environments/${home}/sensors/${sensor}`);
    assert.deepEqual([response.status, response.body], [200, {}]);
    assert.deepEqual(await sensorsIn(owner, home), []);
    for (const none of [sensor, '99999999', 'x']) {
      assert.equal((await owner.api.delete(`/environments/${home}/sensors/${none}`)).status, 404);
    }
  });

  it('are removed once by two requests at the same time', async () => {
    await place(owner, home, sensor);
    const path = `/environments/${home}/sensors/${sensor}`;
    const responses = await Promise.all([owner.api.delete(path), owner.api.delete(path)]);
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 404]);
  });

  it('disappear when they are deleted, even while they are being placed', async () => {
    await place(owner, home, sensor);
    await owner.api.delete(`/sensors/${sensor}`);
    assert.deepEqual(await sensorsIn(owner, home), []);
    for (let round = 0; round < 5; round += 1) {
      const id = await buildSensor(owner);
      const [placed, deleted] = await Promise.all([place(owner, home, id), owner.api.delete(`/sensors/${id}`)]);
      assert.equal(deleted.status, 200);
      assert.ok([201, 404].includes(placed.status), String(placed.status));
    }
    assert.deepEqual(await sensorsIn(owner, home), []);
  });

  it('cause no server error when the environment is deleted at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await buildEnvironment(owner);
      const [placed, deleted] = await Promise.all([place(owner, id, sensor), owner.api.delete(`/environments/${id}`)]);
      assert.equal(deleted.status, 200);
      assert.ok([201, 404].includes(placed.status), String(placed.status));
      assert.equal(await whereIs(owner, sensor), '404');
    }
  });
});
