import assert from 'node:assert/strict';
import { GuardedPasswords } from '../../../../src/people/accounts/guarded-passwords';
import { Passwords } from '../../../../src/people/accounts/passwords';
import type { GuessedLogin } from '../../../../src/people/accounts/refused-logins';
import { TooMany } from '../../../../src/platform/errors';

const DIGEST = '5f4dcc3b5aa765d61d8327deb882cf99';
const WRONG = 'ffffffffffffffffffffffffffffffff';

describe('passwords that are guarded against guessing', () => {
  const passwords = new Passwords();
  let stored: string;

  before(async () => {
    stored = await passwords.hash(DIGEST);
  });

  /** Counts refusals by name, as `RefusedLogins` does, without Redis and without an end of the window. */
  const guard = (limit: number) => {
    const counts = new Map<string, number>();
    const refusedLogins = {
      check: async ({ name }: GuessedLogin) => {
        if ((counts.get(name) ?? 0) >= limit) throw new TooMany('too many', 1);
      },
      count: async ({ name }: GuessedLogin) => {
        counts.set(name, (counts.get(name) ?? 0) + 1);
      },
    };
    const guarded = new GuardedPasswords(passwords, refusedLogins);
    return (digest: string, { name = 'ada', hash = stored }: { name?: string; hash?: string | null } = {}) =>
      guarded.matches(hash, { guessed: { kind: 'account', name, isKnown: false }, address: '192.0.2.1', digest });
  };

  it('are refused for a name after too many wrong ones, even the right one, and for no other name', async () => {
    const matches = guard(2);
    assert.equal(await matches(DIGEST), true);
    assert.deepEqual([await matches(WRONG), await matches(WRONG)], [false, false]);
    await assert.rejects(matches(DIGEST), TooMany);
    assert.equal(await matches(DIGEST, { name: 'grace' }), true);
  });

  it('are counted without a hash, too', async () => {
    const matches = guard(1);
    assert.equal(await matches(DIGEST, { hash: null }), false);
    await assert.rejects(matches(DIGEST, { hash: null }), TooMany);
  });

  it('are not found by sending many guesses at once', async () => {
    const matches = guard(3);
    const guesses = [...Array.from({ length: 12 }, () => WRONG), DIGEST].map((digest) => matches(digest));
    const found = (await Promise.allSettled(guesses)).map((one) => one.status === 'fulfilled' && one.value);
    assert.deepEqual(
      found,
      Array.from({ length: 13 }, () => false),
    );
  });
});
