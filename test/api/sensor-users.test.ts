import assert from 'node:assert/strict';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { startReceiver } from '../support/receiver';
import { subscribe } from '../support/subscribe';

describe('sharing a sensor', () => {
  let platform: Platform;
  let owner: TestUser;
  let friend: TestUser;
  let stranger: TestUser;
  let sensor: string;

  before(async () => {
    platform = await startPlatform();
    [owner, friend, stranger] = [await platform.user(), await platform.user(), await platform.user()];
  });
  after(() => platform.close());
  beforeEach(async () => {
    sensor = (await owner.api.post('/sensors', { sensor: { name: 'scale' } })).body.sensor.id;
  });

  const share = (user: Record<string, unknown>, by = owner) => by.api.post(`/sensors/${sensor}/users`, { user });

  it('gives the user the sensor and its data to read, and nothing else', async () => {
    await owner.api.post(`/sensors/${sensor}/data`, { value: 1, date: 1 });
    assert.equal((await friend.api.get(`/sensors/${sensor}/data`)).status, 404);
    const answer = await share({ id: friend.id });
    assert.equal(answer.status, 201);
    const { id, username } = friend;
    const shown = { id, username, name: 'Test', surname: 'User', email: `${username}@example.org` };
    assert.deepEqual(answer.body, { user: shown });
    assert.deepEqual((await owner.api.get('/sensors?shared=1')).body.sensors[0].users, [shown]);
    assert.equal((await friend.api.get(`/sensors/${sensor}/data`)).body.data.length, 1);
    assert.equal((await friend.api.post(`/sensors/${sensor}/data`, { value: 2 })).status, 403);
    assert.equal((await friend.api.put(`/sensors/${sensor}`, { sensor: { name: 'mine' } })).status, 403);
    assert.equal((await share({ id: stranger.id }, friend)).status, 403);
    assert.equal((await friend.api.get(`/sensors/${sensor}/users`)).status, 403);
  });

  for (const [name, reference] of [
    ['by id', () => ({ id: friend.id })],
    ['by a numeric id', () => ({ id: Number(friend.id) })],
    ['by username, whatever its case', () => ({ username: friend.username.toUpperCase() })],
    ['by username beside an empty id', () => ({ id: '', username: friend.username })],
    ['by username beside an id of 0', () => ({ id: 0, username: friend.username })],
    ['by both', () => ({ id: friend.id, username: friend.username })],
  ] as const) {
    it(`names the user ${name}`, async () => {
      assert.equal((await share(reference())).status, 201);
      const { users } = (await owner.api.get(`/sensors/${sensor}/users`)).body;
      assert.deepEqual(users, [
        {
          id: friend.id,
          username: friend.username,
          name: 'Test',
          surname: 'User',
          email: `${friend.username}@example.org`,
        },
      ]);
    });
  }

  it('refuses nobody, oneself, unknown users, and an id and a username that are not of one user', async () => {
    assert.equal((await share({})).status, 400);
    assert.equal((await share({ id: owner.id })).status, 400);
    assert.equal((await share({ id: '99999999' })).status, 404);
    assert.equal((await share({ username: 'nobody-of-that-name' })).status, 404);
    assert.equal((await share({ id: friend.id, username: stranger.username })).status, 404);
    assert.equal((await share({ id: friend.id }, stranger)).status, 404);
  });

  it('is harmless when done again, also at once, and told once', async () => {
    const receiver = await startReceiver();
    await subscribe(owner, receiver.url, 'add_sensor_user', { source_id: sensor });
    const answers = await Promise.all(Array.from({ length: 4 }, () => share({ id: friend.id })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201, 201],
    );
    await platform.settle();
    assert.equal(receiver.received.length, 1);
    await receiver.close();
  });

  it('is ended once, and told once, when several end it at once', async () => {
    const receiver = await startReceiver();
    await subscribe(owner, receiver.url, 'remove_sensor_user', { source_id: sensor });
    await share({ id: friend.id });
    await share({ id: stranger.id });
    const ends = ['users', 'users', `${sensor}/users/${friend.id}`, `${sensor}/users/${friend.id}`];
    await Promise.all(ends.map((path) => owner.api.delete(`/sensors/${path}`)));
    await platform.settle();
    assert.deepEqual(receiver.received.map(({ form }) => form.subject_id).sort(), [friend.id, stranger.id].sort());
    await receiver.close();
  });

  it('ends when the owner says so, at once', async () => {
    await share({ id: friend.id });
    assert.equal((await stranger.api.delete(`/sensors/${sensor}/users/${friend.id}`)).status, 404);
    assert.deepEqual((await owner.api.delete(`/sensors/${sensor}/users/${friend.id}`)).body, {});
    assert.equal((await friend.api.get(`/sensors/${sensor}/data`)).status, 404);
    assert.equal((await owner.api.delete(`/sensors/${sensor}/users/${friend.id}`)).status, 404);
  });

  it('ends when the reader leaves, who cannot send others away', async () => {
    await share({ id: friend.id });
    await share({ id: stranger.id });
    assert.equal((await friend.api.delete(`/sensors/${sensor}/users/${stranger.id}`)).status, 403);
    assert.equal((await friend.api.delete(`/sensors/${sensor}/users/${friend.id}`)).status, 200);
    assert.equal((await friend.api.get(`/sensors/${sensor}`)).status, 404);
    assert.equal((await stranger.api.get(`/sensors/${sensor}`)).status, 200);
  });

  it('ends for all own sensors and all users at once, and for no sensor of others', async () => {
    const theirs = (await friend.api.post('/sensors', { sensor: { name: 'theirs' } })).body.sensor.id;
    await friend.api.post(`/sensors/${theirs}/users`, { user: { id: stranger.id } });
    await share({ id: friend.id });
    await share({ id: stranger.id });
    assert.deepEqual((await owner.api.delete('/sensors/users')).body, {});
    assert.equal((await owner.api.get('/sensors?shared=1')).body.total, 0);
    assert.equal((await friend.api.get(`/sensors/${sensor}`)).status, 404);
    assert.equal((await stranger.api.get(`/sensors/${theirs}`)).status, 200);
  });

  it('lists the users in pages', async () => {
    await share({ id: friend.id });
    await share({ id: stranger.id });
    const { body } = await owner.api.get(`/sensors/${sensor}/users?page=1&per_page=1&total=1`);
    assert.equal(body.total, 2);
    assert.deepEqual(
      body.users.map(({ id }: { id: string }) => id),
      [stranger.id],
    );
  });
});
