import assert from 'node:assert/strict';
import { buildGroup, buildSensor, createKey, type Fields, share } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { join } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import {
  acceptInvitation,
  assertEnded,
  declineInvitation,
  idIn,
  invite,
  inviteByLink,
  postInvitation,
  receivedBy,
  sentBy,
} from '../../support/invitations';
import type { TestUser } from '../../support/platform';
import { recordedLogs } from '../../support/recorded-logs';

const HOUR_MS = 3_600_000;

describe('the rights and limits of an invitation', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const founder = useUserPerTest(platform);
  const friend = useUserPerTest(platform);
  const stranger = useUserPerTest(platform);
  let group: string;
  let sensor: string;

  beforeEach(async () => {
    group = `/groups/${await buildGroup(founder, { name: 'Rowers', hidden: 1 })}`;
    sensor = `/sensors/${await buildSensor(founder, { name: 'boat house' })}`;
  });

  const grant = async (user: TestUser, group_permissions: Fields) =>
    assert.equal((await founder.api.put(`${group}/users/${user.id}`, { group_permissions })).status, 200);
  const enter = async (user: TestUser) => acceptInvitation(user, await inviteByLink(founder, group));

  it('cannot be accepted while its inviter lacks the right, has left or is disabled', async () => {
    await enter(friend);
    await grant(friend, { add_users: true });
    const token = await inviteByLink(friend, group, { uses: 9 });
    const id = await invite(friend, group, { username: stranger.username });
    const works = async () => (await stranger.api.get(`/invitations/${token}`)).status === 200;
    await grant(friend, { add_users: false });
    assertEnded(await acceptInvitation(stranger, token));
    assertEnded(await acceptInvitation(stranger, id));
    assert.deepEqual(await receivedBy(stranger), []);
    await grant(friend, { add_users: true });
    assert.ok(await works());
    const { disabledAccounts } = platform.container.services;
    await disabledAccounts.disable(Number(friend.id));
    assert.ok(!(await works()));
    await disabledAccounts.enable(Number(friend.id));
    assert.ok(await works());
    await founder.api.delete(`${group}/users/${friend.id}`);
    assertEnded(await acceptInvitation(stranger, token));
    assert.equal((await founder.api.get(`${group}/users`)).body.users.length, 1);
  });

  it('needs the right to add users, or the ownership of the sensor', async () => {
    await enter(friend);
    assert.equal((await postInvitation(friend, group, {})).status, 403);
    assert.equal((await friend.api.get(`${group}/invitations`)).status, 403);
    assert.equal((await postInvitation(stranger, group, {})).status, 404);
    await share(founder, idIn(sensor), friend);
    assert.equal((await postInvitation(friend, sensor, {})).status, 403);
    assert.equal((await postInvitation(stranger, sensor, { username: friend.username })).status, 404);
    const key = await createKey(founder, { scopes: ['read', 'write'], sensors: [idIn(sensor)] });
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

  it('is withdrawn by those who may invite, at the place that it is to', async () => {
    const token = await inviteByLink(founder, group);
    const [{ id }] = await sentBy(founder, group);
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

  it('is refused for a user who needs none, for oneself and for unknown users', async () => {
    assert.equal((await postInvitation(founder, group, { username: founder.username })).status, 400);
    assert.equal((await postInvitation(founder, group, { username: 'nobody-of-that-name' })).status, 404);
    assert.equal((await postInvitation(founder, group, { username: friend.username, uses: 2 })).status, 400);
    await join(friend, idIn(group));
    const asked = await postInvitation(founder, group, { username: friend.username });
    assert.deepEqual([asked.status, asked.body.error], [409, 'the user has asked to join: accept the request instead']);
    await enter(friend);
    assert.equal((await postInvitation(founder, group, { username: friend.username })).status, 409);
    await share(founder, idIn(sensor), friend);
    assert.equal((await postInvitation(founder, sensor, { username: friend.username })).status, 409);
    for (const wrong of [{ uses: 0 }, { uses: 101 }, { uses: 1.5 }, { days: 0 }, { days: 31 }, { days: 'soon' }]) {
      const { status, body } = await postInvitation(founder, group, wrong);
      assert.deepEqual([status, Object.keys(body.fields)], [400, [`invitation.${Object.keys(wrong)}`]]);
    }
    assert.deepEqual(await sentBy(founder, group), []);
  });

  it('does not reach a user who blocks the inviter, and ends a refusal of the sensor', async () => {
    await invite(founder, group, { username: friend.username });
    const block = await friend.api.post('/users/blocked', { user: { username: founder.username } });
    assert.equal(block.status, 200);
    assert.deepEqual(await receivedBy(friend), []);
    const refused = await postInvitation(founder, group, { username: friend.username });
    assert.deepEqual([refused.status, refused.body.error], [403, 'this user takes no invitations from you']);
    assert.equal((await postInvitation(founder, sensor, { username: friend.username })).status, 403);
    const token = await inviteByLink(founder, sensor);
    assert.equal((await acceptInvitation(friend, token)).status, 403);
    await friend.api.delete(`/users/blocked/${founder.id}`);
    assert.equal((await acceptInvitation(friend, token)).status, 200);
    await friend.api.delete(`${sensor}/users/${friend.id}`);
    assert.equal((await postInvitation(founder, sensor, { username: friend.username })).status, 403);
    assert.equal((await acceptInvitation(friend, await inviteByLink(founder, sensor))).status, 200);
    await friend.api.delete(`${sensor}/users/${friend.id}`);
  });

  it('by its token is one and the same error, whatever is wrong, and the token is nowhere in the log or the tables', async () => {
    const token = await inviteByLink(founder, group);
    const [row] = await platform.query('SELECT * FROM invitations WHERE group_id = ?', [idIn(group)]);
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
    const invited = async () => (await postInvitation(founder, group, {})).status;
    for (let sentNow = 0; sentNow < 60; sentNow += 1) assert.equal(await invited(), 201);
    const limited = await postInvitation(founder, group, { username: 'nobody-of-that-name' });
    assert.deepEqual([limited.status, limited.body.code], [429, 'rate_limited']);
    assert.equal(limited.headers.get('retry-after'), '3600');
    assert.equal((await postInvitation(founder, sensor, {})).status, 429, 'the limit is of the user');
    clock.advance(HOUR_MS);
    for (let sentNow = 60; sentNow < 100; sentNow += 1) assert.equal(await invited(), 201);
    assert.equal(await invited(), 409);
    assert.equal((await postInvitation(founder, group, { username: friend.username })).status, 409);
    const [{ id }] = await sentBy(founder, group);
    await founder.api.delete(`${group}/invitations/${id}`);
    assert.equal(await invited(), 201);
  });
});
