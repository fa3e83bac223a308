import assert from 'node:assert/strict';
import { withoutEcho } from '../../../src/operators/without-echo';

describe('the answer of a receiver, without what was sent to it', () => {
  const sent = JSON.stringify({
    text: 'Cold store: 31.25 °C in Bob’s freezer-7',
    trigger: 'Too warm',
    token: 'abc123',
  });

  for (const [what, answer, shown] of [
    [
      'keeps what the receiver says',
      '{"error":"invalid_payload","code":400}',
      '{"error":"invalid_payload","code":400}',
    ],
    ['keeps names of fields', 'missing field "trigger"', 'missing field "trigger"'],
    ['leaves out texts', 'cannot parse Cold store', 'cannot parse …'],
    ['leaves out numbers', 'value 31.25 is refused', 'value … is refused'],
    ['leaves out parts of words, in any letter case', 'unknown FREEZER', 'unknown …'],
    ['leaves out words within other words', 'no hook abc123:9', 'no hook …'],
    ['shows pages without their tags', '<html><body><h1>Bad   Request</h1></body></html>', 'Bad Request'],
  ] as const) {
    it(what, () => assert.equal(withoutEcho(answer, [sent]), shown));
  }

  it('leaves out what a form or a plain text had', () => {
    assert.equal(withoutEcho('no room kitchen', ['text=Kitchen%20is%20warm&id=7']), 'no room …');
    assert.equal(withoutEcho('Kitchen?', ['the kitchen']), '…?');
  });

  it('leaves out the address', () => {
    const address = 'https://hooks.example/services/T024/key-99?token=hush';
    assert.equal(withoutEcho('Cannot POST /services/T024/key-99', [sent, address]), 'Cannot POST /…');
    assert.equal(withoutEcho('token hush is wrong', [address]), '… is wrong');
  });

  it('shows at most 200 characters', () => {
    assert.ok(withoutEcho('x '.repeat(5_000), []).length <= 202);
  });
});
