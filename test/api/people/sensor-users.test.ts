import assert from 'node:assert/strict';
import { buildSensor, type Fields, share, upload } from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';

import { subscribe } from '../../support/subscribe';

describe('sharing a sensor', () => {
  const platform = usePlatform();
  const owner = useUser(platform);
  const friend = useUser(platform);
  const stranger = useUser(platform);
  const receiver = useReceiver();
  let sensor: string;

  beforeEach(async () => {
    sensor = await buildSensor(owner);
  });

  const shareWith = (user: Fields, by = owner) => by.api.post(`/sensors/${sensor}/users`, { user });

  it('lets the user read the sensor and its data, and nothing else', async () => {
    await upload(owner, sensor, { value: 1, date: 1 });
    assert.equal((await friend.api.get(`/sensors/${sensor}/data`)).status, 404);
    const response = await shareWith({ id: friend.id });
    assert.equal(response.status, 201);
    const { id, username } = friend;
    const shown = { id, username, name: '', surname: '', email: '' };
    assert.deepEqual(response.body, { user: shown });
    assert.deepEqual((await owner.api.get('/sensors?shared=1')).body.sensors[0].users, [shown]);
    assert.equal((await friend.api.get(`/sensors/${sensor}/data`)).body.data.length, 1);
    assert.equal((await friend.api.post(`/sensors/${sensor}/data`, { value: 2 })).status, 403);
    assert.equal((await friend.api.put(`/sensors/${sensor}`, { sensor: { name: 'mine' } })).status, 403);
    assert.equal((await shareWith({ id: stranger.id }, friend)).status, 403);
    assert.equal((await friend.api.get(`/sensors/${sensor}/users`)).status, 403);
  });

  for (const [name, reference] of [
    ['by id', () => ({ id: friend.id })],
    ['by a numeric id', () => ({ id: Number(friend.id) })],
    ['by username, whatever its case', () => ({ username: friend.username.toUpperCase() })],
    ['by username with an empty id', () => ({ id: '', username: friend.username })],
    ['by username with an id of 0', () => ({ id: 0, username: friend.username })],
    ['by both', () => ({ id: friend.id, username: friend.username })],
  ] as const) {
    it(`identifies the user ${name}`, async () => {
      assert.equal((await shareWith(reference())).status, 201);
      const { users } = (await owner.api.get(`/sensors/${sensor}/users`)).body;
      assert.deepEqual(users, [
        {
          id: friend.id,
          username: friend.username,
          name: '',
          surname: '',
          email: '',
        },
      ]);
    });
  }

  it('refuses no user, the owner, unknown users, and an id and a username of different users', async () => {
    assert.equal((await shareWith({})).status, 400);
    assert.equal((await shareWith({ id: owner.id })).status, 400);
    assert.equal((await shareWith({ id: '99999999' })).status, 404);
    assert.equal((await shareWith({ username: 'nobody-of-that-name' })).status, 404);
    assert.equal((await shareWith({ id: friend.id, username: stranger.username })).status, 404);
    assert.equal((await shareWith({ id: friend.id }, stranger)).status, 404);
  });

  it('is idempotent, even simultaneously, and publishes one event', async () => {
    await subscribe(owner, receiver.url, 'add_sensor_user', { source_id: sensor });
    const responses = await Promise.all(Array.from({ length: 4 }, () => shareWith({ id: friend.id })));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 201, 201, 201],
    );
    await platform.settle();
    assert.equal(receiver.received.length, 1);
  });

  it('ends once, with one event, by several simultaneous requests', async () => {
    await subscribe(owner, receiver.url, 'remove_sensor_user', { source_id: sensor });
    await shareWith({ id: friend.id });
    await shareWith({ id: stranger.id });
    const ends = ['users', 'users', `${sensor}/users/${friend.id}`, `${sensor}/users/${friend.id}`];
    await Promise.all(ends.map((path) => owner.api.delete(`/sensors/${path}`)));
    await platform.settle();
    assert.deepEqual(receiver.received.map(({ form }) => form.subject_id).sort(), [friend.id, stranger.id].sort());
  });

  it('ends immediately when the owner ends it', async () => {
    await shareWith({ id: friend.id });
    assert.equal((await stranger.api.delete(`/sensors/${sensor}/users/${friend.id}`)).status, 404);
    assert.deepEqual((await owner.api.delete(`/sensors/${sensor}/users/${friend.id}`)).body, {});
    assert.equal((await friend.api.get(`/sensors/${sensor}/data`)).status, 404);
    assert.equal((await owner.api.delete(`/sensors/${sensor}/users/${friend.id}`)).status, 404);
  });

  it('ends when the reader leaves, who cannot remove others', async () => {
    await shareWith({ id: friend.id });
    await shareWith({ id: stranger.id });
    assert.equal((await friend.api.delete(`/sensors/${sensor}/users/${stranger.id}`)).status, 403);
    assert.equal((await friend.api.delete(`/sensors/${sensor}/users/${friend.id}`)).status, 200);
    assert.equal((await friend.api.get(`/sensors/${sensor}`)).status, 404);
    assert.equal((await stranger.api.get(`/sensors/${sensor}`)).status, 200);
  });

  it('ends for all sensors of the user in one request, and for no sensor of others', async () => {
    const theirs = await buildSensor(friend);
    await share(friend, theirs, stranger);
    await shareWith({ id: friend.id });
    await shareWith({ id: stranger.id });
    assert.deepEqual((await owner.api.delete('/sensors/users')).body, {});
    assert.equal((await owner.api.get('/sensors?shared=1')).body.total, 0);
    assert.equal((await friend.api.get(`/sensors/${sensor}`)).status, 404);
    assert.equal((await stranger.api.get(`/sensors/${theirs}`)).status, 200);
  });

  it('lists the users page by page', async () => {
    await shareWith({ id: friend.id });
    await shareWith({ id: stranger.id });
    const { body } = await owner.api.get(`/sensors/${sensor}/users?page=1&per_page=1&total=1`);
    assert.equal(body.total, 2);
    assert.deepEqual(
      body.users.map(({ id }: { id: string }) => id),
      [stranger.id],
    );
  });
});
