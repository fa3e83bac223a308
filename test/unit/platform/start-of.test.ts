import assert from 'node:assert/strict';
import { startOf } from '../../../src/platform/start-of';

describe('startOf', () => {
  it('leaves a text that fits', () => {
    assert.equal(startOf('', 0), '');
    assert.equal(startOf('abc', 3), 'abc');
    assert.equal(startOf('a😀', 3), 'a😀');
  });

  it('cuts between characters', () => {
    assert.equal(startOf('abc', 2), 'ab');
    assert.equal(startOf('a😀b', 2), 'a');
    assert.equal(startOf('a😀b', 3), 'a😀');
  });
});
