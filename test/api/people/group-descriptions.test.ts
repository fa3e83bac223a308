import assert from 'node:assert/strict';
import { buildGroup, type Fields } from '../../support/factories';
import { accept, join } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';

describe('what users outside learn of a group, and what they get when they are accepted', () => {
  const platform = usePlatform();
  const founder = useUserPerTest(platform);
  const applicant = useUserPerTest(platform);

  const described = (fields: Fields) => buildGroup(founder, { description: 'where we meet', ...fields });
  const seenIn = async (path: string, id: string) => {
    const { groups } = (await applicant.api.get(`${path}?per_page=1000&sort_field=description`)).body;
    return groups.find((group: { id: string }) => group.id === id)?.description;
  };

  for (const hidden of [false, true]) {
    it(`shows the description of a ${hidden ? 'hidden' : 'private'} group once they are accepted`, async () => {
      const group = await described({ hidden });
      assert.equal(await seenIn('/groups/all', group), hidden ? undefined : '');
      await join(applicant, group);
      assert.equal(await seenIn('/groups', group), '');
      await accept(founder, group, applicant);
      assert.equal(await seenIn('/groups', group), 'where we meet');
    });
  }

  it('shows that of a public group to everybody', async () => {
    assert.equal(await seenIn('/groups/all', await described({ public: true })), 'where we meet');
  });

  it('gives them the rights that new members got when they asked', async () => {
    const group = await described({});
    await join(applicant, group);
    await founder.api.put(`/groups/${group}`, { group: { default_add_users: true, default_list_users: false } });
    await accept(founder, group, applicant);
    const { user } = (await founder.api.get(`/groups/${group}/users/${applicant.id}?details=full`)).body;
    assert.equal(user.group_permissions.add_users, false);
    assert.equal(user.group_permissions.list_users, true);
  });
});
