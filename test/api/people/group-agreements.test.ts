import assert from 'node:assert/strict';
import { buildGroup, buildSensor, type Fields } from '../../support/factories';
import { accept, join, shareWithGroup } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

const PERSON = {
  name: 'Grace',
  surname: 'Hopper',
  country: 'Netherlands',
  address: 'Main street 1',
  zipcode: '1234 AB',
};

describe('what a member agreed to show', () => {
  const platform = usePlatform();
  const founder = useUserPerTest(platform, PERSON);
  const member = useUserPerTest(platform, PERSON);
  const viewer = useUserPerTest(platform);
  let groupId: string;

  beforeEach(async () => {
    groupId = await buildGroup(founder, { public: 1, required_show_country: 0 });
    await join(member, groupId);
    await join(viewer, groupId);
  });

  const change = async ({ api }: TestUser, group: Fields) =>
    assert.equal((await api.put(`/groups/${groupId}`, { group })).status, 200);
  /** The names of the details that the viewer sees of the user. */
  const seen = async ({ id }: TestUser) => {
    // The list is in the order of ids, which the founder sees of everybody.
    const [known, shown] = await Promise.all(
      [founder, viewer].map(async ({ api }) => (await api.get(`/groups/${groupId}/users`)).body.users),
    );
    const members = known.filter(({ accepted }: { accepted: boolean }) => accepted);
    return Object.keys(shown[members.findIndex((one: { id: string }) => one.id === id)]).sort();
  };
  const agreed = ['address', 'id', 'name', 'surname', 'zipcode'];
  const WIDE = { required_show_email: 1, required_show_username: 1, required_show_country: 1 };
  const NARROW = { required_show_first_name: 0, required_show_address: 0 };

  for (const [what, mayEdit] of [
    ['a member without the right to edit the group', false],
    ['a member with the right to edit the group', true],
  ] as const) {
    it(`is not widened by ${what}`, async () => {
      await change(mayEdit ? founder : viewer, WIDE);
      for (const user of [founder, member]) assert.deepEqual(await seen(user), agreed);
    });
  }

  it('is widened by the member alone', async () => {
    await change(founder, WIDE);
    const display_user_info = { show_email: 1 };
    await member.api.put(`/groups/${groupId}/users/${member.id}`, { display_user_info });
    assert.deepEqual(await seen(member), [...agreed, 'email'].sort());
  });

  it('is narrowed by a member with the right to edit the group, and stays so', async () => {
    await change(founder, NARROW);
    for (const user of [founder, member]) assert.deepEqual(await seen(user), ['id', 'surname', 'zipcode']);
    await change(founder, { required_show_first_name: 1, required_show_address: 1 });
    assert.deepEqual(await seen(member), ['id', 'surname', 'zipcode']);
    await change(founder, { anonymous: 1 });
    assert.deepEqual(await seen(member), []);
    await change(founder, { anonymous: 0 });
    assert.deepEqual(await seen(member), []);
  });

  it('is not narrowed by other members, nor by changes of other fields after theirs', async () => {
    await change(viewer, { ...NARROW, anonymous: 1 });
    await change(founder, { name: 'sailors' });
    assert.deepEqual(await seen(member), agreed);
    await change(founder, { required_show_first_name: 0 });
    assert.deepEqual(await seen(member), ['address', 'id', 'surname', 'zipcode']);
  });

  it('is what the group asks for when they join, after changes by any member', async () => {
    await change(viewer, { ...WIDE, ...NARROW });
    const late = await platform.user(PERSON);
    await join(late, groupId);
    assert.deepEqual(await seen(late), ['country', 'email', 'id', 'surname', 'username', 'zipcode']);
    await member.api.delete(`/groups/${groupId}/users/${member.id}`);
    await join(member, groupId);
    assert.deepEqual(await seen(member), await seen(late));
  });

  it('is what the group asked for when they asked to join, less what an editor gave up meanwhile', async () => {
    await change(founder, { public: 0 });
    const waiting = await platform.user(PERSON);
    await join(waiting, groupId);
    await change(founder, { ...WIDE, ...NARROW });
    await join(waiting, groupId, { display_user_info: { show_email: 1 } });
    await accept(founder, groupId, waiting);
    assert.deepEqual(await seen(waiting), ['id', 'surname', 'zipcode']);
  });

  it('is what others see of the owner of a sensor, in all lists', async () => {
    const sensorId = await buildSensor(member);
    await shareWithGroup(member, groupId, sensorId);
    await change(viewer, WIDE);
    for (const path of [`/groups/${groupId}/sensors?details=full`, '/sensors?owned=0']) {
      const { owner } = (await viewer.api.get(path)).body.sensors[0];
      assert.deepEqual([owner.name, owner.email, owner.username], ['Grace', '', ''], path);
    }
    await change(founder, { required_show_first_name: 0 });
    const { owner } = (await viewer.api.get(`/sensors/${sensorId}`)).body.sensor;
    assert.deepEqual([owner.id, owner.name, owner.surname], [member.id, '', 'Hopper']);
  });

  it('is kept when changes of the group and requests to join come at the same time', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => platform.user(PERSON)));
    await Promise.all([change(founder, { required_show_surname: 0 }), ...users.map((one) => join(one, groupId))]);
    for (const one of users) assert.equal((await seen(one)).includes('surname'), false);
  });
});
