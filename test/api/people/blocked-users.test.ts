import assert from 'node:assert/strict';
import { buildGroup, buildSensor, share } from '../../support/factories';
import { join } from '../../support/groups';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { subscribe } from '../../support/subscribe';

describe('refusing shares', () => {
  const platform = usePlatform();
  const owner = useUserPerTest(platform, { name: 'Grace', surname: 'Hopper' });
  const reader = useUserPerTest(platform);
  const receiver = useReceiver();
  let sensor: string;

  beforeEach(async () => {
    sensor = await buildSensor(owner);
  });

  const shareAgain = async (id = sensor) =>
    (await owner.api.post(`/sensors/${id}/users`, { user: { id: reader.id } })).status;
  const seen = async (id = sensor) => (await reader.api.get(`/sensors/${id}`)).status;
  const blocked = async () => (await reader.api.get('/users/blocked?total=1')).body;
  const grace = () => ({ id: owner.id, username: owner.username, name: '', surname: '', email: '' });

  for (const [how, leave] of [
    ['their share', (id: string) => reader.api.delete(`/sensors/${id}/users/${reader.id}`)],
    ['the sensor', (id: string) => reader.api.delete(`/sensors/${id}`)],
  ] as const) {
    it(`is what a user does who deletes ${how}, for this sensor, until they allow it`, async () => {
      await share(owner, sensor, reader);
      assert.equal((await leave(sensor)).status, 200);
      assert.equal(await shareAgain(), 403);
      assert.equal(await seen(), 404);
      assert.equal(await shareAgain(await buildSensor(owner)), 201);
      assert.deepEqual(await blocked(), { users: [{ ...grace(), blocked: false }], total: 1 });
      assert.deepEqual((await reader.api.delete(`/users/blocked/${owner.id}`)).body, {});
      assert.equal(await shareAgain(), 201);
      assert.deepEqual(await blocked(), { users: [], total: 0 });
    });
  }

  it('is not what happens when the owner ends a share', async () => {
    await share(owner, sensor, reader);
    await owner.api.delete(`/sensors/${sensor}/users/${reader.id}`);
    assert.equal(await shareAgain(), 201);
  });

  it('ends the shares of a blocked user and refuses new ones, until they are unblocked', async () => {
    await subscribe(owner, receiver.url, 'remove_sensor_user');
    await share(owner, sensor, reader);
    for (const user of [{ id: owner.id }, { username: owner.username.toUpperCase() }]) {
      const response = await reader.api.post('/users/blocked', { user });
      assert.equal(response.status, 200);
      assert.deepEqual(response.body, { user: { ...grace(), blocked: true } });
    }
    assert.equal(await seen(), 404);
    assert.equal(await shareAgain(), 403);
    assert.deepEqual(await blocked(), { users: [{ ...grace(), blocked: true }], total: 1 });
    await platform.settle();
    assert.deepEqual(
      receiver.received.map(({ form }) => [form.subject_id, form.source_id]),
      [[reader.id, sensor]],
    );
    assert.equal((await reader.api.delete(`/users/blocked/${owner.id}`)).status, 200);
    assert.equal((await reader.api.delete(`/users/blocked/${owner.id}`)).status, 404);
    assert.equal(await shareAgain(), 201);
  });

  it('concerns only the two of them, in one direction', async () => {
    const other = await platform.user();
    const theirs = await buildSensor(reader);
    await reader.api.post('/users/blocked', { user: { id: owner.id } });
    await share(owner, sensor, other);
    await share(reader, theirs, owner);
    assert.equal((await owner.api.get('/users/blocked')).body.users.length, 0);
  });

  it('leaves no share when a user blocks and the other shares at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await buildSensor(owner);
      const [shared, block] = await Promise.all([
        shareAgain(id),
        reader.api.post('/users/blocked', { user: { id: owner.id } }),
      ]);
      assert.equal(block.status, 200);
      assert.ok(shared === 201 || shared === 403, String(shared));
      assert.equal(await seen(id), 404);
      await reader.api.delete(`/users/blocked/${owner.id}`);
    }
  });

  it('by a bare id says no name that the user does not see anyway', async () => {
    const block = async (user: Record<string, string>) => (await reader.api.post('/users/blocked', { user })).body.user;
    const listed = async () => (await blocked()).users[0].username;
    assert.deepEqual(await block({ id: owner.id }), { ...grace(), username: '', blocked: true });
    assert.equal(await listed(), '');
    assert.equal((await block({ id: owner.id, username: owner.username })).username, owner.username);
    assert.deepEqual([(await block({ id: owner.id })).username, await listed()], [owner.username, owner.username]);
    await reader.api.delete(`/users/blocked/${owner.id}`);
    assert.equal((await block({ id: owner.id })).username, '');
    await share(reader, await buildSensor(reader), owner);
    assert.equal(await listed(), owner.username, 'by a share');
    await reader.api.delete('/sensors/users');
    assert.equal(await listed(), '');
    const group = await buildGroup(owner, { public: 1 });
    await join(reader, group);
    assert.equal(await listed(), '', 'the group does not show it');
    await owner.api.put(`/groups/${group}/users/${owner.id}`, { display_user_info: { show_username: true } });
    assert.equal(await listed(), owner.username, 'by a group');
  });

  it('refuses oneself, nobody and unknown users', async () => {
    const statusOf = async (user: Record<string, string>) => (await reader.api.post('/users/blocked', { user })).status;
    assert.equal(await statusOf({ id: reader.id }), 400);
    assert.equal(await statusOf({}), 400);
    assert.equal(await statusOf({ id: '99999999' }), 404);
    assert.equal((await reader.api.delete('/users/blocked/99999999')).status, 404);
  });
});

describe('what users learn of each other by sharing', () => {
  const platform = usePlatform();
  const owner = useUserPerTest(platform, { name: 'Grace', surname: 'Hopper' });
  const reader = useUserPerTest(platform, { name: 'Ada', surname: 'Lovelace' });

  /** What the owner sees of the reader, wherever they look. */
  const readerAsSeen = async () => {
    const sensor = await buildSensor(owner);
    const shared = (await owner.api.post(`/sensors/${sensor}/users`, { user: { id: reader.id } })).body.user;
    const [listed] = (await owner.api.get(`/sensors/${sensor}/users`)).body.users;
    const { sensors } = (await owner.api.get('/sensors?shared=1')).body;
    const [inList] = sensors.find(({ id }: { id: string }) => id === sensor).users;
    assert.deepEqual(listed, shared);
    assert.deepEqual(inList, shared);
    const { body } = await reader.api.get(`/sensors/${sensor}`);
    return { shared, owner: body.sensor.owner };
  };

  it('is an id and a username', async () => {
    const seen = await readerAsSeen();
    const nothing = { name: '', surname: '', email: '' };
    assert.deepEqual(seen.shared, { id: reader.id, username: reader.username, ...nothing });
    assert.deepEqual(seen.owner, { id: owner.id, username: owner.username, ...nothing });
  });

  it('is what a group shows of them, if they may list its users', async () => {
    const group = await buildGroup(reader, { public: 1, default_list_users: 0 });
    await join(owner, group);
    assert.equal((await readerAsSeen()).shared.name, '');
    const group_permissions = { list_users: true };
    await reader.api.put(`/groups/${group}/users/${owner.id}`, { group_permissions });
    const { shared, owner: asSeen } = await readerAsSeen();
    assert.deepEqual(shared, { id: reader.id, username: reader.username, name: 'Ada', surname: 'Lovelace', email: '' });
    assert.equal(asSeen.name, 'Grace');
    await reader.api.put(`/groups/${group}/users/${reader.id}`, { display_user_info: { show_email: true } });
    assert.equal((await readerAsSeen()).shared.email, `${reader.username}@example.org`);
    await owner.api.delete(`/groups/${group}/users/${owner.id}`);
    assert.equal((await readerAsSeen()).shared.name, '');
  });

  it('is the name of sixty users an hour whose ids one counts', async () => {
    const sensor = await buildSensor(owner);
    const shareWith = (user: object) => owner.api.post(`/sensors/${sensor}/users`, { user });
    const known = await platform.user();
    await shareWith({ id: reader.id });
    await platform.query("UPDATE usage_counts SET used = 59 WHERE kind = 'names-found-by-user'");
    assert.equal((await shareWith({ id: known.id })).body.user.username, known.username);
    const [third, fourth] = [await platform.user(), await platform.user()];
    const refused = await shareWith({ id: third.id });
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 3_500);
    assert.ok(!JSON.stringify(refused.body).includes(third.username));
    assert.equal((await shareWith({ username: fourth.username })).status, 201);
    for (const { id } of [known, fourth]) {
      assert.equal((await owner.api.post(`/sensors/${await buildSensor(owner)}/users`, { user: { id } })).status, 201);
    }
    assert.equal((await shareWith({ id: 99999999 })).status, 404);
  });

  it('does not come from a group that one of them only asked to join', async () => {
    const group = await buildGroup(owner);
    await join(reader, group);
    assert.equal((await readerAsSeen()).shared.name, '');
  });
});
