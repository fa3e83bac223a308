import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hintOf, isKeySecret, isSessionId, newKeySecret, newSessionId } from '../../../src/platform/secrets';

describe('the secret of a key', () => {
  it('is its prefix and 43 letters and digits, each of them drawn', () => {
    assert.equal(
      newKeySecret(() => 0),
      `key_${'0'.repeat(43)}`,
    );
    assert.equal(
      newKeySecret((below) => below - 1),
      `key_${'z'.repeat(43)}`,
    );
    let drawn = 0;
    newKeySecret((below) => {
      assert.equal(below, 62);
      return drawn++;
    });
    assert.equal(drawn, 43);
  });

  it('is never the same', () => {
    const secrets = new Set(Array.from({ length: 1_000 }, () => newKeySecret()));
    assert.equal(secrets.size, 1_000);
    for (const secret of secrets) assert.ok(isKeySecret(secret));
  });

  it('is nothing else', () => {
    for (const text of [
      '',
      'key_',
      newSessionId(),
      `key_${'a'.repeat(42)}`,
      `key_${'a'.repeat(44)}`,
      `KEY_${'a'.repeat(43)}`,
    ]) {
      assert.equal(isKeySecret(text), false, text);
    }
    fc.assert(fc.property(fc.string(), (text) => !isKeySecret(text) && !isKeySecret(`${newKeySecret()}${text}x`)));
    assert.equal(isSessionId(newKeySecret()), false);
  });

  it('has its last four characters as a hint', () => {
    assert.equal(hintOf(`key_${'a'.repeat(39)}x7Qd`), 'x7Qd');
  });
});
