import assert from 'node:assert/strict';
import { DECOY_HASH, Passwords } from '../../../../src/people/accounts/passwords';

const DIGEST = '5f4dcc3b5aa765d61d8327deb882cf99';
const CHECK = { address: '192.0.2.1', admit: async () => undefined };

describe('passwords', () => {
  const passwords = new Passwords();

  it('match without regard to the letter case of their digits', async () => {
    const stored = await passwords.hash(DIGEST.toUpperCase());
    assert.match(stored, /^\$argon2id\$/);
    assert.ok(await passwords.matches(stored, DIGEST, CHECK));
    assert.ok(await passwords.matches(stored, DIGEST.toUpperCase(), CHECK));
    assert.ok(!(await passwords.matches(stored, DIGEST.replace('5', '6'), CHECK)));
  });

  it('take as long to check for an unknown user as for a known one', async () => {
    const cost = (hash: string) => hash.split('$').slice(0, 4).join('$');
    assert.equal(cost(DECOY_HASH), cost(await passwords.hash(DIGEST)));
    assert.equal(await passwords.matches(undefined, DIGEST, CHECK), false);
  });

  it('are checked round-robin by address, and too many of one address are refused', async () => {
    const order: string[] = [];
    const check = (address: string) =>
      passwords.matches(undefined, DIGEST, {
        address,
        admit: async () => {
          order.push(address);
        },
      });
    const flood = Promise.allSettled(Array.from({ length: 110 }, () => check('192.0.2.1')));
    await check('192.0.2.2');
    // Two were being checked already, and the addresses alternate.
    assert.ok(order.indexOf('192.0.2.2') <= 3, `${order.indexOf('192.0.2.2')} came first`);
    const refused = (await flood).filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 8);
  });
});
