import assert from 'node:assert/strict';
import { buildGroup, buildSensor, share } from '../../support/factories';
import { join, shareWithGroup } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';

describe('newly shared sensors', () => {
  const platform = usePlatform();
  const owner = useUserPerTest(platform);
  const friend = useUserPerTest(platform);

  const listed = async (query = '') => (await friend.api.get(`/sensors/shared/new${query}`)).body;
  const idsOf = async () => (await listed()).shares.map(({ sensor_id }: { sensor_id: string }) => sensor_id);
  const dismiss = (...sensors: string[]) => friend.api.post('/sensors/shared/dismiss', { sensors });

  it('are listed until they are dismissed, for their reader alone', async () => {
    const [hall, roof] = [
      await buildSensor(owner, { name: 'hall', display_name: 'The hall' }),
      await buildSensor(owner, { name: 'roof' }),
    ];
    await share(owner, hall, friend);
    await share(owner, hall, friend);
    const [{ date, ...shown }] = (await listed()).shares;
    const expected = { sensor_id: hall, name: 'hall', display_name: 'The hall', owner: owner.username };
    assert.deepEqual(shown, expected);
    assert.ok(Math.abs(date - Date.now() / 1000) < 60);
    await share(owner, roof, friend);
    assert.equal((await listed('?per_page=1&total=1')).total, 2);
    assert.deepEqual((await owner.api.get('/sensors/shared/new')).body.shares, []);
    assert.equal((await owner.api.post('/sensors/shared/dismiss', { sensors: [hall, roof] })).status, 200);
    assert.deepEqual((await idsOf()).sort(), [hall, roof].sort());
    assert.deepEqual((await dismiss(hall)).body, {});
    assert.deepEqual((await dismiss(hall)).status, 200);
    assert.deepEqual(await idsOf(), [roof], 'a share that came after the list was loaded stays');
    assert.equal((await friend.api.get(`/sensors/${hall}`)).status, 200);
    await share(owner, hall, friend);
    assert.deepEqual(await idsOf(), [roof]);
    await owner.api.delete(`/sensors/${roof}/users/${friend.id}`);
    assert.deepEqual(await idsOf(), []);
    assert.equal((await dismiss('x')).status, 404);
  });

  it('name no sensors of groups, and none whose share has ended', async () => {
    const group = await buildGroup(owner, { public: 1 });
    await join(friend, group);
    const sensor = await buildSensor(owner);
    await shareWithGroup(owner, group, sensor);
    assert.deepEqual(await idsOf(), []);
    await share(owner, sensor, friend);
    assert.deepEqual(await idsOf(), [sensor]);
    await owner.api.delete(`/sensors/${sensor}`);
    assert.deepEqual(await idsOf(), []);
  });
});
