import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { MD5_SCRIPT } from '../../../src/http/pages/md5.script';

describe('the MD5 function of the page for a new password', () => {
  const md5: (text: string) => string = runInNewContext(`${MD5_SCRIPT}; md5`, { TextEncoder, Uint8Array, Uint32Array });

  it('returns the MD5 digest that clients send, for every text', () => {
    const expected = (text: string) => createHash('md5').update(text).digest('hex');
    const text = fc.string({ unit: 'grapheme', maxLength: 150 });
    fc.assert(fc.property(text, (value) => assert.equal(md5(value), expected(value))));
    for (let length = 0; length < 140; length += 1) assert.equal(md5('a'.repeat(length)), expected('a'.repeat(length)));
  });
});
