import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  previousSignsUntil,
  readReplacedSecrets,
  replaceSecret,
  SIGNS_ON_MS,
  signingSecrets,
} from '../../../../src/notifications/notifications/signing-secrets';

const DAY_MS = 86_400_000;

describe('the secrets of a notification', () => {
  const replaced = [
    { secret: 'b', replacedMs: 10 * DAY_MS },
    { secret: 'a', replacedMs: 9.5 * DAY_MS },
  ];

  it('continue to sign for a day after they were replaced', () => {
    assert.deepEqual(signingSecrets('c', [], 0), ['c']);
    assert.deepEqual(signingSecrets('c', replaced, 10.5 * DAY_MS - 1), ['c', 'b', 'a']);
    assert.deepEqual(signingSecrets('c', replaced, 10.5 * DAY_MS), ['c', 'b']);
    assert.deepEqual(signingSecrets('c', replaced, 11 * DAY_MS), ['c']);
    assert.equal(previousSignsUntil(replaced), 11 * DAY_MS);
    assert.equal(previousSignsUntil([]), null);
  });

  it('sign five times at most, the newest first', () => {
    const many = ['g', 'f', 'e', 'd', 'c', 'b'].map((secret) => ({ secret, replacedMs: DAY_MS }));
    assert.deepEqual(signingSecrets('h', many, DAY_MS), ['h', 'g', 'f', 'e', 'd']);
  });

  it('are stored as a bounded list, newest first', () => {
    assert.deepEqual(readReplacedSecrets(null), []);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 * DAY_MS }), { maxLength: 40 }), (pauses) => {
        let [nowMs, list] = [0, readReplacedSecrets(null)];
        pauses.forEach((pause, index) => {
          nowMs += pause;
          list = readReplacedSecrets(JSON.stringify(replaceSecret(String(index), list, nowMs)));
          assert.equal(list[0]?.secret, String(index));
        });
        assert.ok(list.length <= 20);
        assert.ok(list.every((one, index) => index === 0 || one.replacedMs <= (list[index - 1]?.replacedMs ?? 0)));
        const signing = signingSecrets('now', list, nowMs);
        assert.ok(signing.length <= 5 && signing[0] === 'now');
        assert.ok(list.filter(({ replacedMs }) => nowMs - replacedMs < SIGNS_ON_MS).length >= signing.length - 1);
      }),
    );
  });
});
