import assert from 'node:assert/strict';
import { DECOY_HASH, Passwords } from '../../../src/services/accounts/passwords';

const DIGEST = '5f4dcc3b5aa765d61d8327deb882cf99';

describe('passwords', () => {
  const passwords = new Passwords();

  it('match without regard to the letter case of their digits', async () => {
    const stored = await passwords.hash(DIGEST.toUpperCase());
    assert.match(stored, /^\$argon2id\$/);
    assert.ok(await passwords.matches(stored, DIGEST));
    assert.ok(await passwords.matches(stored, DIGEST.toUpperCase()));
    assert.ok(!(await passwords.matches(stored, DIGEST.replace('5', '6'))));
  });

  it('take as long to check for an unknown user as for a known one', async () => {
    const cost = (hash: string) => hash.split('$').slice(0, 4).join('$');
    assert.equal(cost(DECOY_HASH), cost(await passwords.hash(DIGEST)));
    assert.equal(await passwords.matches(undefined, DIGEST), false);
  });
});
