import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isSignedBy, readUnsubscribeToken, unsubscribeToken } from '../../../src/rules/unsubscribe-token';

describe('the token of a link to unsubscribe', () => {
  const subscription = { notificationId: 17, destination: 'ward@example.org' };

  it('is valid for exactly one notification, address and secret', () => {
    const read = readUnsubscribeToken(unsubscribeToken(subscription, 'one')) ?? assert.fail('not read');
    assert.equal(read.notificationId, 17);
    assert.ok(isSignedBy(read.signature, subscription, ['two', 'one']));
    assert.ok(!isSignedBy(read.signature, subscription, ['two']));
    assert.ok(!isSignedBy(read.signature, subscription, []));
    assert.ok(!isSignedBy(read.signature, { ...subscription, notificationId: 18 }, ['one']));
    assert.ok(!isSignedBy(read.signature, { ...subscription, destination: 'other@example.org' }, ['one']));
  });

  it('is distinguished from any other string', () => {
    fc.assert(fc.property(fc.string(), (text) => readUnsubscribeToken(text) === null));
    const token = unsubscribeToken(subscription, 'one');
    for (const text of [`${token}A`, token.slice(0, -1), ` ${token}`, `${token}\n`, `-${token}`]) {
      assert.equal(readUnsubscribeToken(text), null, JSON.stringify(text));
    }
  });
});
