import assert from 'node:assert/strict';
import type { ApiResponse } from '../../support/api-client';
import { buildGroup, buildSensor, createKey, type Fields, share, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { join, sensorsOf, shareWithGroup } from '../../support/groups';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { acceptInvitation, declineInvitation, invite, inviteByLink } from '../../support/invitations';
import type { TestUser } from '../../support/platform';
import { recordedLogs } from '../../support/recorded-logs';
import { subscribe } from '../../support/subscribe';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ENDED = 'this invitation does not exist, or has ended: it was used or withdrawn, or its time is over';

describe('an invitation', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const founder = useUserPerTest(platform);
  const friend = useUserPerTest(platform);
  const stranger = useUserPerTest(platform);
  let group: string;
  let sensor: string;

  beforeEach(async () => {
    group = `/groups/${await buildGroup(founder, { name: 'Rowers', hidden: 1 })}`;
    sensor = `/sensors/${await buildSensor(founder, { name: 'boat house' })}`;
  });

  const post = (user: TestUser, place: string, invitation: Fields) =>
    user.api.post(`${place}/invitations`, { invitation });
  const received = async ({ api }: TestUser) => (await api.get('/invitations')).body.invitations;
  const sent = async (place: string) => (await founder.api.get(`${place}/invitations`)).body.invitations;
  const memberIds = async () => {
    const { users } = (await founder.api.get(`${group}/users`)).body;
    return users.map(({ id }: { id: string }) => id).sort();
  };
  const assertEnded = ({ status, body }: ApiResponse) =>
    assert.deepEqual([status, body], [404, { error: ENDED, code: 'not_found' }]);
  const grant = async (user: TestUser, group_permissions: Fields) =>
    assert.equal((await founder.api.put(`${group}/users/${user.id}`, { group_permissions })).status, 200);
  const enter = async (user: TestUser) => acceptInvitation(user, await inviteByLink(founder, group));
  const idOf = (place: string) => place.split('/')[2] ?? '';

  it('to a hidden group is seen by the invited user alone, and makes them a member with the rights of new members', async () => {
    await shareWithGroup(founder, idOf(group), idOf(sensor));
    const created = await post(founder, group, { username: friend.username.toUpperCase() });
    const { id } = created.body.invitation;
    const dates = { created: clock.now() / 1000, expires: (clock.now() + 7 * DAY_MS) / 1000 };
    const shown = { id, username: friend.username, uses_left: 1, declined: false, ...dates };
    assert.deepEqual([created.status, created.body], [201, { invitation: { ...shown, token: null } }]);
    assert.deepEqual(await sent(group), [shown]);
    const shows = ['first_name', 'surname', 'id', 'zipcode', 'address', 'country'];
    const place = { group_id: idOf(group), sensor_id: null, name: 'Rowers' };
    const offer = {
      ...{ id, ...place, inviter: founder.username, expires: dates.expires, accepted: false, shows, sensors: [] },
    };
    assert.deepEqual(await received(friend), [offer]);
    assert.deepEqual((await friend.api.get(`/invitations/${id}`)).body, { invitation: offer });

    assert.deepEqual(await received(stranger), []);
    assertEnded(await stranger.api.get(`/invitations/${id}`));
    assertEnded(await acceptInvitation(stranger, id));
    assertEnded(await declineInvitation(stranger, id));
    assert.equal((await stranger.api.get(`${group}/invitations`)).status, 404);
    assert.equal((await stranger.api.delete(`${group}/invitations/${id}`)).status, 404);

    const accepted = await acceptInvitation(friend, id, { display_user_info: { show_username: true } });
    assert.deepEqual([accepted.status, accepted.body.invitation], [200, { ...offer, accepted: true }]);
    assert.deepEqual(await sensorsOf(friend, idOf(group)), [idOf(sensor)]);
    const { user } = (await friend.api.get(`${group}/users/${friend.id}?details=full`)).body;
    const { list_users, add_users } = user.group_permissions;
    assert.deepEqual([user.username, list_users, add_users], [friend.username, true, false]);
    assert.deepEqual([await received(friend), await sent(group)], [[], []]);
  });

  it('to a sensor shares it, without a notice of a new share', async () => {
    await upload(founder, idOf(sensor), { value: 1, date: 1 });
    const token = await inviteByLink(founder, sensor);
    const { invitation } = (await friend.api.get(`/invitations/${token}`)).body;
    const { group_id, sensor_id, name, inviter, shows } = invitation;
    const offered = [null, idOf(sensor), 'boat house', founder.username, []];
    assert.deepEqual([group_id, sensor_id, name, inviter, shows], offered);
    assert.equal((await friend.api.get(sensor)).status, 404, 'looking at it shares nothing');
    assert.equal((await acceptInvitation(friend, token)).status, 200);
    assert.equal((await friend.api.get(`${sensor}/data`)).body.data.length, 1);
    assert.deepEqual((await friend.api.get('/sensors/shared/new')).body.shares, []);
    assert.equal((await friend.api.post(`${sensor}/data`, { value: 2 })).status, 403);
  });

  it('by name to a sensor leaves the decision to the user', async () => {
    const id = await invite(founder, sensor, { username: friend.username });
    assert.equal((await friend.api.get(sensor)).status, 404);
    assert.equal((await received(friend))[0].sensor_id, idOf(sensor));
    assert.equal((await acceptInvitation(friend, id)).status, 200);
    assert.equal((await friend.api.get(sensor)).status, 200);
  });

  it('accepted twice, also at once, is accepted once', async () => {
    await subscribe(founder, receiver.url, 'add_group_user');
    for (const reference of [
      await invite(founder, group, { username: friend.username }),
      await inviteByLink(founder, group, { uses: 2 }),
    ]) {
      const accepted = await Promise.all([1, 2, 3].map(() => acceptInvitation(friend, reference)));
      assert.deepEqual(
        accepted.map(({ status, body }) => [status, body.invitation?.accepted]),
        [...Array.from({ length: 3 }, () => [200, true])],
      );
    }
    assert.deepEqual(await memberIds(), [founder.id, friend.id].sort());
    const [link] = await sent(group);
    assert.equal(link.uses_left, 2, 'a member uses no link up');
    await platform.settle();
    assert.equal(receiver.received.length, 1);
  });

  it('by a link is used up by one of several users at once', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => platform.user()));
    const token = await inviteByLink(founder, group);
    const accepted = await Promise.all(others.map((user) => acceptInvitation(user, token)));
    assert.deepEqual(accepted.map(({ status }) => status).sort(), [200, 404, 404, 404]);
    assert.equal((await memberIds()).length, 2);
    const late = accepted.filter(({ status }) => status === 404);
    late.forEach(assertEnded);
    assert.deepEqual(await sent(group), []);
    const winner = others[accepted.findIndex(({ status }) => status === 200)];
    assert.ok(winner);
    assert.equal((await acceptInvitation(winner, token)).status, 200, 'pressing again is harmless');
    assert.equal((await winner.api.get(`/invitations/${token}`)).body.invitation.accepted, true);
    await winner.api.delete(`${group}/users/${winner.id}`);
    assertEnded(await acceptInvitation(winner, token));
  });

  it('counts the uses of a link', async () => {
    const token = await inviteByLink(founder, group, { uses: 2 });
    assert.equal((await acceptInvitation(friend, token)).status, 200);
    assert.equal((await sent(group))[0].uses_left, 1);
    assert.equal((await acceptInvitation(stranger, token)).status, 200);
    assertEnded(await acceptInvitation(await platform.user(), token));
  });

  it('ends in its time', async () => {
    const short = await inviteByLink(founder, group, { days: 1, uses: 100 });
    const long = await invite(founder, group, { username: friend.username, days: 30 });
    clock.advance(DAY_MS - 1);
    assert.equal((await acceptInvitation(stranger, short)).status, 200);
    clock.advance(1);
    const late = await platform.user();
    assertEnded(await late.api.get(`/invitations/${short}`));
    assertEnded(await acceptInvitation(late, short));
    assert.equal((await sent(group)).length, 1);
    clock.advance(29 * DAY_MS);
    assert.deepEqual(await received(friend), []);
    assertEnded(await acceptInvitation(friend, long));
    assertEnded(await declineInvitation(friend, long));
    clock.advance(1);
    await platform.container.purge.run();
    assert.deepEqual(await platform.query('SELECT id FROM invitations WHERE group_id = ?', [idOf(group)]), []);
  });

  it('can be withdrawn, also while it is accepted', async () => {
    for (let round = 0; round < 6; round += 1) {
      const user = await platform.user();
      const id = await invite(founder, group, { username: user.username });
      const withdraw = () => founder.api.delete(`${group}/invitations/${id}`);
      const accept = () => acceptInvitation(user, id);
      const [first, second] = round % 2 ? [withdraw(), accept()] : [accept(), withdraw()];
      const [withdrawn, accepted] = round % 2 ? [await first, await second] : [await second, await first];
      assert.equal(withdrawn.status, 200);
      assert.ok(accepted.status === 200 || accepted.status === 404, String(accepted.status));
      assert.equal((await memberIds()).includes(user.id), accepted.status === 200);
      assertEnded(await user.api.get(`/invitations/${id}`));
      assert.equal((await withdraw()).status, 404);
    }
  });

  it('is withdrawn by those who may invite, at the place that it is to', async () => {
    const token = await inviteByLink(founder, group);
    const [{ id }] = await sent(group);
    await enter(friend);
    assert.equal((await friend.api.delete(`${group}/invitations/${id}`)).status, 403);
    assert.equal((await founder.api.delete(`${sensor}/invitations/${id}`)).status, 404);
    const elsewhere = await buildGroup(friend);
    assert.equal((await friend.api.delete(`/groups/${elsewhere}/invitations/${id}`)).status, 404);
    assert.equal((await stranger.api.get(`/invitations/${token}`)).status, 200);
    await grant(friend, { add_users: true });
    assert.equal((await friend.api.delete(`${group}/invitations/${id}`)).status, 200);
    assertEnded(await stranger.api.get(`/invitations/${token}`));
  });

  it('can be declined, once or twice, and sent again', async () => {
    const id = await invite(founder, group, { username: friend.username });
    const declined = await Promise.all([declineInvitation(friend, id), declineInvitation(friend, id)]);
    assert.deepEqual(
      declined.map(({ status, body }) => [status, body]),
      [
        [200, {}],
        [200, {}],
      ],
    );
    assert.deepEqual([await received(friend), (await sent(group))[0].declined], [[], true]);
    assertEnded(await acceptInvitation(friend, id));
    assert.equal((await memberIds()).length, 1);
    assert.equal(await invite(founder, group, { username: friend.username }), id);
    assert.equal((await received(friend)).length, 1);
    assert.equal((await acceptInvitation(friend, id)).status, 200);
    assertEnded(await declineInvitation(friend, id));
    assertEnded(await declineInvitation(stranger, await inviteByLink(founder, group)));
  });

  it('is accepted or declined by requests at once, not both', async () => {
    for (let round = 0; round < 6; round += 1) {
      const user = await platform.user();
      const id = await invite(founder, group, { username: user.username });
      const requests = [acceptInvitation, declineInvitation].map((answer) => () => answer(user, id));
      const answers = await Promise.all((round % 2 ? requests.reverse() : requests).map((send) => send()));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404]);
      const isDeclined = Object.keys(answers.find(({ status }) => status === 200)?.body ?? {}).length === 0;
      assert.equal((await memberIds()).includes(user.id), !isDeclined);
    }
  });

  it('ends with the group, the sensor and the inviter', async () => {
    const toGroup = await inviteByLink(founder, group);
    const toSensor = await inviteByLink(founder, sensor);
    await invite(founder, group, { username: friend.username });
    assert.equal((await founder.api.delete(sensor)).status, 200);
    assertEnded(await acceptInvitation(friend, toSensor));
    assert.equal((await founder.api.delete(group)).status, 200);
    assertEnded(await acceptInvitation(friend, toGroup));
    assert.deepEqual(await received(friend), []);

    const last = await buildSensor(founder);
    const token = await inviteByLink(founder, `/sensors/${last}`);
    await founder.api.delete(`/users/${founder.id}`);
    assertEnded(await acceptInvitation(friend, token));
    assert.deepEqual(await platform.query('SELECT id FROM invitations WHERE inviter_id = ?', [founder.id]), []);
  });

  it('ends while the group is deleted, or makes a member before that', async () => {
    for (let round = 0; round < 4; round += 1) {
      const place = `/groups/${await buildGroup(founder)}`;
      const token = await inviteByLink(founder, place, { uses: 9 });
      const [gone, accepted] = await Promise.all([founder.api.delete(place), acceptInvitation(friend, token)]);
      assert.equal(gone.status, 200);
      assert.ok(accepted.status === 200 || accepted.status === 404, String(accepted.status));
      assert.equal((await friend.api.get(place)).status, accepted.status);
    }
  });

  it('cannot be accepted while its inviter lacks the right, has left or is disabled', async () => {
    await enter(friend);
    await grant(friend, { add_users: true });
    const token = await inviteByLink(friend, group, { uses: 9 });
    const id = await invite(friend, group, { username: stranger.username });
    const works = async () => (await stranger.api.get(`/invitations/${token}`)).status === 200;
    await grant(friend, { add_users: false });
    assertEnded(await acceptInvitation(stranger, token));
    assertEnded(await acceptInvitation(stranger, id));
    assert.deepEqual(await received(stranger), []);
    await grant(friend, { add_users: true });
    assert.ok(await works());
    const { disabledAccounts } = platform.container.services;
    await disabledAccounts.disable(Number(friend.id));
    assert.ok(!(await works()));
    await disabledAccounts.enable(Number(friend.id));
    assert.ok(await works());
    await founder.api.delete(`${group}/users/${friend.id}`);
    assertEnded(await acceptInvitation(stranger, token));
    assert.equal((await memberIds()).length, 1);
  });

  it('needs the right to add users, or the ownership of the sensor', async () => {
    await enter(friend);
    assert.equal((await post(friend, group, {})).status, 403);
    assert.equal((await friend.api.get(`${group}/invitations`)).status, 403);
    assert.equal((await post(stranger, group, {})).status, 404);
    await share(founder, idOf(sensor), friend);
    assert.equal((await post(friend, sensor, {})).status, 403);
    assert.equal((await post(stranger, sensor, { username: friend.username })).status, 404);
    const key = await createKey(founder, { scopes: ['read', 'write'], sensors: [idOf(sensor)] });
    const limited = { invitation: {} };
    const headers = { Authorization: `Bearer ${key.secret}` };
    assert.equal((await platform.anonymous.post(`${sensor}/invitations`, limited, headers)).status, 403);
  });

  it('does not let a member rise: accepting gives no right beyond those they had when they left', async () => {
    await enter(friend);
    await grant(friend, { list_sensors: false });
    await friend.api.delete(`${group}/users/${friend.id}`);
    await enter(friend);
    assert.equal((await friend.api.get(`${group}/sensors`)).status, 403);
  });

  it('shares the sensors that the group asks for, and names the missing one', async () => {
    await founder.api.put(group, { group: { required_sensors: ['pulse'], optional_sensors: ['speed'] } });
    const token = await inviteByLink(founder, group);
    const seen = (await friend.api.get(`/invitations/${token}`)).body.invitation;
    assert.deepEqual(seen.sensors, ['pulse', 'speed']);
    const refused = await acceptInvitation(friend, token);
    assert.equal(refused.status, 400);
    assert.match(refused.body.error, /pulse/);
    const pulse = await buildSensor(friend, { name: 'pulse' });
    assert.equal((await acceptInvitation(friend, token)).status, 200, 'a refused attempt uses nothing up');
    assert.deepEqual(await sensorsOf(friend, idOf(group)), [pulse]);
  });

  it('accepts a user who had asked to join', async () => {
    const token = await inviteByLink(founder, group);
    await join(friend, idOf(group));
    assert.equal((await acceptInvitation(friend, token)).status, 200);
    assert.equal((await friend.api.get(`${group}/users`)).status, 200);
  });

  it('is refused for a user who needs none, for oneself and for unknown users', async () => {
    assert.equal((await post(founder, group, { username: founder.username })).status, 400);
    assert.equal((await post(founder, group, { username: 'nobody-of-that-name' })).status, 404);
    assert.equal((await post(founder, group, { username: friend.username, uses: 2 })).status, 400);
    await join(friend, idOf(group));
    const asked = await post(founder, group, { username: friend.username });
    assert.deepEqual([asked.status, asked.body.error], [409, 'the user has asked to join: accept the request instead']);
    await enter(friend);
    assert.equal((await post(founder, group, { username: friend.username })).status, 409);
    await share(founder, idOf(sensor), friend);
    assert.equal((await post(founder, sensor, { username: friend.username })).status, 409);
    for (const wrong of [{ uses: 0 }, { uses: 101 }, { uses: 1.5 }, { days: 0 }, { days: 31 }, { days: 'soon' }]) {
      const { status, body } = await post(founder, group, wrong);
      assert.deepEqual([status, Object.keys(body.fields)], [400, [`invitation.${Object.keys(wrong)}`]]);
    }
    assert.deepEqual(await sent(group), []);
  });

  it('does not reach a user who blocks the inviter, and ends a refusal of the sensor', async () => {
    await invite(founder, group, { username: friend.username });
    const block = await friend.api.post('/users/blocked', { user: { username: founder.username } });
    assert.equal(block.status, 200);
    assert.deepEqual(await received(friend), []);
    const refused = await post(founder, group, { username: friend.username });
    assert.deepEqual([refused.status, refused.body.error], [403, 'this user takes no invitations from you']);
    assert.equal((await post(founder, sensor, { username: friend.username })).status, 403);
    const token = await inviteByLink(founder, sensor);
    assert.equal((await acceptInvitation(friend, token)).status, 403);
    await friend.api.delete(`/users/blocked/${founder.id}`);
    assert.equal((await acceptInvitation(friend, token)).status, 200);
    await friend.api.delete(`${sensor}/users/${friend.id}`);
    assert.equal((await post(founder, sensor, { username: friend.username })).status, 403);
    assert.equal((await acceptInvitation(friend, await inviteByLink(founder, sensor))).status, 200);
    await friend.api.delete(`${sensor}/users/${friend.id}`);
  });

  it('by its token is one and the same error, whatever is wrong, and the token is nowhere in the log or the tables', async () => {
    const token = await inviteByLink(founder, group);
    const [row] = await platform.query('SELECT * FROM invitations WHERE group_id = ?', [idOf(group)]);
    assert.ok(!JSON.stringify(row).includes(token));
    const wrong = ['x', '0', '-1', '%00', `${token}x`, token.slice(1), row?.token_hash, row?.id, '1'.repeat(43)];
    for (const one of [...wrong, 'x'.repeat(8_000), "' OR 1=1 -- "]) {
      const reference = encodeURIComponent(String(one));
      assertEnded(await friend.api.get(`/invitations/${reference}`));
      assertEnded(await acceptInvitation(friend, reference));
      assertEnded(await declineInvitation(friend, reference));
    }
    assert.equal((await platform.anonymous.get(`/invitations/${token}`)).status, 401);
    const { logged } = await recordedLogs(platform, async () => {
      const page = await platform.anonymous.get(`/console/invitations/${token}`);
      assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
      await friend.api.get(`/invitations/${token}`);
      await founder.api.delete(`/invitations/${token}`);
      await acceptInvitation(friend, token, { display_user_info: 'none' });
      await acceptInvitation(friend, token);
      await acceptInvitation(stranger, token);
    });
    assert.ok(logged.length >= 5, 'requests are logged');
    assert.ok(!logged.join().includes(token));
  });

  it('is limited: 60 an hour of a user, 100 open ones of a place', async () => {
    const invited = async () => (await post(founder, group, {})).status;
    for (let sentNow = 0; sentNow < 60; sentNow += 1) assert.equal(await invited(), 201);
    const limited = await post(founder, group, { username: 'nobody-of-that-name' });
    assert.deepEqual([limited.status, limited.body.code], [429, 'rate_limited']);
    assert.equal(limited.headers.get('retry-after'), '3600');
    assert.equal((await post(founder, sensor, {})).status, 429, 'the limit is of the user');
    clock.advance(HOUR_MS);
    for (let sentNow = 60; sentNow < 100; sentNow += 1) assert.equal(await invited(), 201);
    assert.equal(await invited(), 409);
    assert.equal((await post(founder, group, { username: friend.username })).status, 409);
    const [{ id }] = await sent(group);
    await founder.api.delete(`${group}/invitations/${id}`);
    assert.equal(await invited(), 201);
  });

  it('notifies the invited user who asks for it, once', async () => {
    await subscribe(friend, receiver.url, 'receive_invitation');
    await subscribe(stranger, receiver.url, 'receive_invitation');
    const id = await invite(founder, group, { username: friend.username });
    await invite(founder, group, { username: friend.username, days: 30 });
    await platform.settle();
    assert.deepEqual(
      receiver.received.map(({ form }) => [form.event, form.subject_id, form.user_id]),
      [['receive_invitation', id, friend.id]],
    );
  });
});

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
