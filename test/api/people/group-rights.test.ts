import assert from 'node:assert/strict';
import { buildGroup, buildSensor, upload } from '../../support/factories';
import { accept, join, shareWithGroup } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

const RIGHTS = [
  'list_users',
  'add_users',
  'remove_users',
  'list_sensors',
  'add_sensors',
  'remove_sensors',
  'edit_group',
];

describe('rights in a group', () => {
  const platform = usePlatform();
  const founder = useUserPerTest(platform);
  const member = useUserPerTest(platform);
  const waiting = useUserPerTest(platform);
  const asking = useUserPerTest(platform);
  let groupId: string;
  /** A sensor of the founder, in the group. */
  let shared: string;
  /** A sensor of the member, not in the group. */
  let own: string;

  beforeEach(async () => {
    [shared, own] = [await buildSensor(founder), await buildSensor(member)];
    groupId = await buildGroup(founder);
    await shareWithGroup(founder, groupId, shared);
    await join(member, groupId);
    await accept(founder, groupId, member);
    await join(waiting, groupId);
    await join(asking, groupId);
  });

  /** Gives the member exactly these rights. */
  const allow = async (rights: readonly string[]) => {
    const group_permissions = Object.fromEntries(RIGHTS.map((right) => [right, rights.includes(right) ? 1 : 0]));
    const response = await founder.api.put(`/groups/${groupId}/users/${member.id}`, { group_permissions });
    assert.equal(response.status, 200, JSON.stringify(response.body));
  };

  interface Act {
    what: string;
    /** Any of them is enough. */
    rights: readonly string[];
    act: (caller: TestUser) => Promise<{ status: number }>;
    done: number;
    refused: number;
  }
  const acts: Act[] = [
    {
      what: 'listing the members',
      rights: ['list_users'],
      act: ({ api }) => api.get(`/groups/${groupId}/users`),
      done: 200,
      refused: 403,
    },
    {
      what: 'reading a member',
      rights: ['list_users'],
      act: ({ api }) => api.get(`/groups/${groupId}/users/${founder.id}?details=full`),
      done: 200,
      refused: 403,
    },
    {
      what: 'accepting a user who waits',
      rights: ['add_users'],
      act: (caller) => accept(caller, groupId, asking),
      done: 201,
      refused: 403,
    },
    {
      what: 'removing a member',
      rights: ['remove_users'],
      act: ({ api }) => api.delete(`/groups/${groupId}/users/${founder.id}`),
      done: 200,
      refused: 403,
    },
    {
      what: 'leaving by deleting the group',
      rights: ['remove_users'],
      act: ({ api }) => api.delete(`/groups/${groupId}`),
      done: 200,
      refused: 403,
    },
    {
      what: 'changing the rights of a member',
      rights: ['add_users', 'edit_group'],
      act: ({ api }) => api.put(`/groups/${groupId}/users/${founder.id}`, { group_permissions: { list_users: 0 } }),
      done: 200,
      refused: 403,
    },
    {
      what: 'changing their own rights',
      rights: ['add_users', 'edit_group'],
      act: ({ id, api }) => api.put(`/groups/${groupId}/users/${id}`, { group_permissions: { remove_sensors: 1 } }),
      done: 200,
      refused: 403,
    },
    {
      what: 'listing the sensors',
      rights: ['list_sensors'],
      act: ({ api }) => api.get(`/groups/${groupId}/sensors`),
      done: 200,
      refused: 403,
    },
    {
      what: 'listing the sensors by the filter of all sensors',
      rights: ['list_sensors'],
      act: ({ api }) => api.get(`/sensors?group_id=${groupId}`),
      done: 200,
      refused: 403,
    },
    {
      what: 'reading a sensor',
      rights: ['list_sensors'],
      act: ({ api }) => api.get(`/sensors/${shared}`),
      done: 200,
      refused: 404,
    },
    {
      what: 'reading the data of a sensor',
      rights: ['list_sensors'],
      act: ({ api }) => api.get(`/sensors/${shared}/data`),
      done: 200,
      refused: 404,
    },
    {
      what: 'adding a sensor of their own',
      rights: ['add_sensors'],
      act: ({ api }) => api.post(`/groups/${groupId}/sensors`, { sensors: [{ id: own }] }),
      done: 201,
      refused: 403,
    },
    {
      what: 'removing the sensor of another member',
      rights: ['remove_sensors'],
      act: ({ api }) => api.delete(`/groups/${groupId}/sensors/${shared}`),
      done: 200,
      refused: 403,
    },
  ];

  for (const { what, rights, act, done, refused } of acts) {
    for (const right of rights) {
      it(`allow ${what} with ${right} alone`, async () => {
        await allow([right]);
        assert.equal((await act(member)).status, done);
      });
    }

    it(`refuse ${what} without ${rights.join(' or ')}, whatever else is allowed`, async () => {
      await allow(RIGHTS.filter((right) => !rights.includes(right)));
      assert.equal((await act(member)).status, refused);
    });

    it(`refuse ${what} to those who wait, to strangers, and after leaving`, async () => {
      const stranger = await platform.user();
      assert.equal((await act(waiting)).status, refused);
      assert.equal((await act(stranger)).status, refused);
      await founder.api.put(`/groups/${groupId}`, { group: { hidden: 1 } });
      assert.equal((await act(stranger)).status, 404);
      await founder.api.put(`/groups/${groupId}`, { group: { hidden: 0 } });
      await allow(RIGHTS);
      await member.api.delete(`/groups/${groupId}/users/${member.id}`);
      assert.equal((await act(member)).status, refused);
    });
  }

  it('are not required to change the group, to leave it, or to show more personal details', async () => {
    await allow([]);
    const mine = `/groups/${groupId}/users/${member.id}`;
    assert.equal((await member.api.get(mine)).status, 200);
    assert.equal((await member.api.put(mine, { display_user_info: { show_email: 1 } })).status, 200);
    assert.equal((await member.api.put(`/groups/${groupId}`, { group: { description: 'x' } })).status, 200);
    assert.equal((await member.api.delete(mine)).status, 200);
  });

  it('may be sent back unchanged by a member without the right to change them', async () => {
    await allow(['list_users']);
    const mine = `/groups/${groupId}/users/${member.id}`;
    const record = (await member.api.get(`${mine}?details=full`)).body.user;
    const display_user_info = { ...record.display_user_info, show_email: true };
    const response = await member.api.put(mine, { ...record, display_user_info });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    assert.equal((await member.api.get(`${mine}?details=full`)).body.user.display_user_info.show_email, true);
    const group_permissions = { ...record.group_permissions, add_users: true };
    assert.equal((await member.api.put(mine, { ...record, group_permissions })).status, 403);
  });

  it('do not allow a change of the details that another member shows', async () => {
    const theirs = `/groups/${groupId}/users/${member.id}`;
    const change = (body: unknown) => founder.api.put(theirs, body).then(({ status }) => status);
    assert.equal(await change({ display_user_info: { show_email: 1 } }), 403);
    assert.equal(await change({ display_user_info: { show_email: 0 }, group_permissions: { add_users: 1 } }), 200);
    const { user } = (await founder.api.get(`${theirs}?details=full`)).body;
    assert.deepEqual([user.group_permissions.add_users, user.display_user_info.show_email], [true, false]);
  });

  it('change only where they are given', async () => {
    await allow(['list_users', 'add_sensors']);
    const response = await founder.api.put(`/groups/${groupId}/users/${member.id}`, {
      group_permissions: { list_users: '0', edit_group: true, add_users: '', remove_users: null },
    });
    const { group_permissions } = response.body.user;
    assert.deepEqual(
      RIGHTS.filter((right) => group_permissions[right]),
      ['add_sensors', 'edit_group'],
    );
    const wrong = { group_permissions: { edit_group: 'perhaps' } };
    assert.equal((await founder.api.put(`/groups/${groupId}/users/${member.id}`, wrong)).status, 400);
  });

  it('may be given on acceptance; the others are the defaults of the time when the user asked', async () => {
    await founder.api.put(`/groups/${groupId}`, { group: { default_add_sensors: 0, default_remove_users: 1 } });
    const fields = { group_permissions: { edit_group: 1 }, display_user_info: { show_email: 1 } };
    const { group_permissions, display_user_info } = (await accept(founder, groupId, waiting, fields)).body.users[0];
    assert.deepEqual(
      RIGHTS.filter((right) => group_permissions[right]),
      ['list_users', 'list_sensors', 'add_sensors', 'edit_group'],
    );
    assert.equal(display_user_info.show_email, false, 'members choose themselves what they show');
  });

  it('that are withdrawn take effect with the next request', async () => {
    await upload(founder, shared, { value: 1 });
    await allow(['list_sensors']);
    const reads = [`/sensors/${shared}`, `/sensors/${shared}/data`, `/sensors/data?sensor_id[]=${shared}`];
    for (const path of reads) assert.equal((await member.api.get(path)).status, 200, path);
    await allow([]);
    for (const path of reads) assert.equal((await member.api.get(path)).status, 404, path);
    assert.equal((await member.api.get('/sensors?owned=0')).body.total, 0);
  });
});
