import assert from 'node:assert/strict';
import {
  isTokenOf,
  readRecipientToken,
  recipientToken,
} from '../../../../src/notifications/notifications/recipient-token';

describe('the token of the links in mails to a recipient', () => {
  const recipient = { id: 17, address: 'ward@example.org', secret: 'one' };

  it('names the recipient, and is of no use for any other', () => {
    const read = readRecipientToken(recipientToken(recipient)) ?? assert.fail('not read');
    assert.equal(read.id, 17);
    assert.ok(isTokenOf(read.signature, recipient));
    for (const other of [{ id: 18 }, { address: 'other@example.org' }, { secret: 'two' }]) {
      assert.ok(!isTokenOf(read.signature, { ...recipient, ...other }), JSON.stringify(other));
    }
  });

  it('is read in exactly its own form', () => {
    const token = recipientToken(recipient);
    for (const text of ['', 'a', token.slice(1), token.slice(0, -1), `${token}A`, ` ${token}`, `b${token.slice(1)}`]) {
      assert.equal(readRecipientToken(text), null, text);
    }
  });
});
