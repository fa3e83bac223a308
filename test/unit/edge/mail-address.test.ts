import assert from 'node:assert/strict';
import { addressKey, mailboxKey } from '../../../src/edge/mail-address';

describe('the address of a mail', () => {
  it('is the same recipient in any letter case, and another one with a tag', () => {
    assert.equal(addressKey('Ward@Example.org'), addressKey('ward@example.ORG'));
    assert.notEqual(addressKey('ward+x@example.org'), addressKey('ward@example.org'));
  });

  it('is counted by its mailbox', () => {
    const same = ['ward@example.org', 'WARD@example.org', 'ward+x@example.org', 'ward+x+y@EXAMPLE.org'];
    assert.equal(new Set(same.map(mailboxKey)).size, 1);
    assert.equal(mailboxKey('ward@exämple.org'), mailboxKey('ward@xn--exmple-cua.org'));
    const different = ['ward@example.org', 'ward@example.com', 'w.ard@example.org', '+x@example.org', '+y@example.org'];
    assert.equal(new Set(different.map(mailboxKey)).size, different.length);
  });

  it('is not that of another domain whose name begins in the same way', () => {
    for (const end of ['/', '#', '?', '\\', '%2f']) {
      const longer = `ward@example.org${end}a.intruder.example`;
      assert.notEqual(mailboxKey(longer), mailboxKey('ward@example.org'), longer);
    }
    assert.equal(mailboxKey('ward@example.org.'), mailboxKey('ward@example.org'));
  });
});
