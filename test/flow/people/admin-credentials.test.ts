import assert from 'node:assert/strict';
import { adminOf } from '../../support/admin';
import { createKey } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

describe('npm run admin, on the credentials of a user,', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const { admin, json } = adminOf(platform);

  it('lists and ends sessions and keys, without any secret', async () => {
    const other = await platform.user();
    const key = await createKey(other);
    const listed = await admin('--json', 'keys', 'list', other.username);
    const [shown] = JSON.parse(listed.output).credentials;
    assert.equal(String(shown.id), key.id);
    assert.ok(!listed.output.includes(key.secret) && !/hash/i.test(listed.output));
    assert.equal((await json('keys', 'end', other.username, '--id', key.id)).ended, 1);
    const byKey = await platform.anonymous.get('/sensors', { Authorization: `Bearer ${key.secret}` });
    assert.deepEqual([byKey.status, (await other.api.get('/sensors')).status], [401, 200]);
    assert.equal((await json('sessions', 'end', `id:${other.id}`, '--all')).ended, 1);
    assert.equal((await other.api.get('/sensors')).status, 401);
    const foreign = await admin('keys', 'end', user.username, '--id', key.id);
    assert.deepEqual([foreign.exitCode, foreign.errors], [1, `error: the key ${key.id} of this user does not exist\n`]);
  });
});
