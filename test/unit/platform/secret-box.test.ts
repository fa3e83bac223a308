import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { SecretBox } from '../../../src/platform/secret-box';
import { isSameSecret } from '../../../src/platform/secrets';

describe('the box of secrets', () => {
  const key = randomBytes(32);
  const box = new SecretBox(() => key);

  it('opens what it sealed, for the same owner only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), (secret, owner, other) => {
        const sealed = box.seal(secret, owner);
        assert.match(sealed, /^[\w-]+$/);
        assert.equal(box.open(sealed, owner), secret);
        if (owner !== other) assert.throws(() => box.open(sealed, other), /SECRETS_KEY/);
      }),
    );
  });

  it('opens what is void from a time on until then, for the same owner only', () => {
    const sealed = box.sealUntil({ user: 7 }, 'a', 1_000);
    assert.deepEqual(box.openUntil(sealed, 'a', 999), { user: 7 });
    for (const [text, owner, nowMs] of [
      [sealed, 'a', 1_000],
      [sealed, 'b', 999],
      [`${sealed}x`, 'c', 0],
      ['', 'a', 0],
    ] as const)
      assert.equal(box.openUntil(text, owner, nowMs), undefined);
  });

  it('seals the same secret differently each time', () => {
    assert.notEqual(box.seal('secret', 'a'), box.seal('secret', 'a'));
  });

  it('refuses what was changed, cut or sealed with another key', () => {
    const sealed = box.seal('a secret of some length', 'a');
    const changed = Buffer.from(sealed, 'base64url');
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    for (const wrong of [changed.toString('base64url'), sealed.slice(0, -4), sealed.slice(0, 30), 'x', '']) {
      assert.throws(() => box.open(wrong, 'a'), Error, wrong);
    }
    assert.throws(() => new SecretBox(() => randomBytes(32)).open(sealed, 'a'), /SECRETS_KEY/);
  });
});

describe('the comparison of secrets', () => {
  it('is that of their texts', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => isSameSecret(a, b) === (a === b)));
    fc.assert(fc.property(fc.string(), (a) => isSameSecret(a, a)));
  });
});
