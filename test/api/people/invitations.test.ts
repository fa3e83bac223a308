import assert from 'node:assert/strict';
import { buildGroup, buildSensor, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { join, sensorsOf, shareWithGroup } from '../../support/groups';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
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
import { subscribe } from '../../support/subscribe';

const DAY_MS = 86_400_000;

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

  const memberIds = async () => {
    const { users } = (await founder.api.get(`${group}/users`)).body;
    return users.map(({ id }: { id: string }) => id).sort();
  };

  it('to a hidden group is seen by the invited user alone, and makes them a member with the rights of new members', async () => {
    await shareWithGroup(founder, idIn(group), idIn(sensor));
    const created = await postInvitation(founder, group, { username: friend.username.toUpperCase() });
    const { id } = created.body.invitation;
    const dates = { created: clock.now() / 1000, expires: (clock.now() + 7 * DAY_MS) / 1000 };
    const shown = { id, username: friend.username, uses_left: 1, declined: false, ...dates };
    assert.deepEqual([created.status, created.body], [201, { invitation: { ...shown, token: null } }]);
    assert.deepEqual(await sentBy(founder, group), [shown]);
    const shows = ['first_name', 'surname', 'id', 'zipcode', 'address', 'country'];
    const place = { group_id: idIn(group), sensor_id: null, name: 'Rowers' };
    const offer = {
      ...{ id, ...place, inviter: founder.username, expires: dates.expires, accepted: false, shows, sensors: [] },
    };
    assert.deepEqual(await receivedBy(friend), [offer]);
    assert.deepEqual((await friend.api.get(`/invitations/${id}`)).body, { invitation: offer });

    assert.deepEqual(await receivedBy(stranger), []);
    assertEnded(await stranger.api.get(`/invitations/${id}`));
    assertEnded(await acceptInvitation(stranger, id));
    assertEnded(await declineInvitation(stranger, id));
    assert.equal((await stranger.api.get(`${group}/invitations`)).status, 404);
    assert.equal((await stranger.api.delete(`${group}/invitations/${id}`)).status, 404);

    const accepted = await acceptInvitation(friend, id, { display_user_info: { show_username: true } });
    assert.deepEqual([accepted.status, accepted.body.invitation], [200, { ...offer, accepted: true }]);
    assert.deepEqual(await sensorsOf(friend, idIn(group)), [idIn(sensor)]);
    const { user } = (await friend.api.get(`${group}/users/${friend.id}?details=full`)).body;
    const { list_users, add_users } = user.group_permissions;
    assert.deepEqual([user.username, list_users, add_users], [friend.username, true, false]);
    assert.deepEqual([await receivedBy(friend), await sentBy(founder, group)], [[], []]);
  });

  it('to a sensor shares it, without a notice of a new share', async () => {
    await upload(founder, idIn(sensor), { value: 1, date: 1 });
    const token = await inviteByLink(founder, sensor);
    const { invitation } = (await friend.api.get(`/invitations/${token}`)).body;
    const { group_id, sensor_id, name, inviter, shows } = invitation;
    const offered = [null, idIn(sensor), 'boat house', founder.username, []];
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
    assert.equal((await receivedBy(friend))[0].sensor_id, idIn(sensor));
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
    const [link] = await sentBy(founder, group);
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
    assert.deepEqual(await sentBy(founder, group), []);
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
    assert.equal((await sentBy(founder, group))[0].uses_left, 1);
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
    assert.equal((await sentBy(founder, group)).length, 1);
    clock.advance(29 * DAY_MS);
    assert.deepEqual(await receivedBy(friend), []);
    assertEnded(await acceptInvitation(friend, long));
    assertEnded(await declineInvitation(friend, long));
    clock.advance(1);
    await platform.container.purge.run();
    assert.deepEqual(await platform.query('SELECT id FROM invitations WHERE group_id = ?', [idIn(group)]), []);
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
    assert.deepEqual([await receivedBy(friend), (await sentBy(founder, group))[0].declined], [[], true]);
    assertEnded(await acceptInvitation(friend, id));
    assert.equal((await memberIds()).length, 1);
    assert.equal(await invite(founder, group, { username: friend.username }), id);
    assert.equal((await receivedBy(friend)).length, 1);
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
    assert.deepEqual(await receivedBy(friend), []);

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
    assert.deepEqual(await sensorsOf(friend, idIn(group)), [pulse]);
  });

  it('accepts a user who had asked to join', async () => {
    const token = await inviteByLink(founder, group);
    await join(friend, idIn(group));
    assert.equal((await acceptInvitation(friend, token)).status, 200);
    assert.equal((await friend.api.get(`${group}/users`)).status, 200);
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
