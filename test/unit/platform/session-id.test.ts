import assert from 'node:assert/strict';
import { hashSecret, isSessionId, newSessionId } from '../../../src/platform/secrets';

describe('session ids', () => {
  it('are 27 letters and digits, and unique', () => {
    const ids = Array.from({ length: 1000 }, () => newSessionId());
    assert.equal(new Set(ids).size, 1000);
    for (const id of ids) assert.match(id, /^[0-9A-Za-z]{27}$/);
  });

  it('use each of the 62 characters with equal probability', () => {
    let drawn = 0;
    const id = newSessionId((below) => {
      assert.equal(below, 62);
      return drawn++ % below;
    });
    assert.equal(id, '0123456789ABCDEFGHIJKLMNOPQ');
  });

  it('are distinguished from other strings without a query', () => {
    assert.ok(isSessionId(newSessionId()));
    for (const text of [
      '',
      'a'.repeat(26),
      'a'.repeat(28),
      `${'a'.repeat(26)}\n`,
      `${'a'.repeat(26)}'`,
      'é'.repeat(27),
    ]) {
      assert.ok(!isSessionId(text));
    }
  });

  it('are stored as a SHA-256 hash', () => {
    assert.equal(hashSecret('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
