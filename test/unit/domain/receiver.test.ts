import assert from 'node:assert/strict';
import type { AttemptOutcome } from '../../../src/domain/delivery-schedule';
import { isReceiverFailure, receiverOf } from '../../../src/domain/receiver';

describe('receiverOf', () => {
  const cases: [string, string, string][] = [
    ['url', 'https://Example.org/a?b=c', 'example.org:443'],
    ['url', 'http://example.org/', 'example.org:80'],
    ['url', 'https://example.org:443/other', 'example.org:443'],
    ['url', 'http://example.org:8080/', 'example.org:8080'],
    ['url', 'http://[::1]:9/', '[::1]:9'],
    ['url', 'http://bücher.example/', 'xn--bcher-kva.example:80'],
    ['url', 'x', 'none'],
    ['email', 'ward@example.org', 'smtp'],
  ];
  for (const [type, destination, receiver] of cases) {
    it(`${destination} is answered for by ${receiver}`, () => assert.equal(receiverOf(type, destination), receiver));
  }

  it('is the same however often it is asked for', () => {
    // Node's own URL.canParse changes its mind once it is compiled.
    for (let count = 0; count < 20_000; count += 1) receiverOf('url', 'http://bücher.example/');
    assert.equal(receiverOf('url', 'http://bücher.example/'), 'xn--bcher-kva.example:80');
  });

  it('is never longer than its column', () => {
    assert.equal(receiverOf('url', `http://${'a.'.repeat(200)}example/`).length, 255);
  });
});

describe('isReceiverFailure', () => {
  const status = (statusCode: number): AttemptOutcome => ({ kind: 'retry-later', reason: '', statusCode });
  const cases: [string, string, AttemptOutcome, number, boolean][] = [
    ['delivers at once', 'url', { kind: 'delivered', statusCode: 200 }, 50, false],
    ['delivers slowly', 'url', { kind: 'delivered', statusCode: 200 }, 3_000, true],
    ['times out', 'url', { kind: 'retry-later', reason: 'timed out' }, 10_000, true],
    ['cannot be reached', 'url', { kind: 'retry-later', reason: 'connection refused' }, 1, true],
    ['is overloaded', 'url', status(503), 1, true],
    ['has had enough', 'url', status(429), 1, true],
    ['does not know this path', 'url', status(404), 1, false],
    ['wants no more of it', 'url', { kind: 'refused', reason: '', statusCode: 410 }, 1, false],
    ['knows no such mailbox', 'email', { kind: 'refused', reason: '', statusCode: 550 }, 1, false],
    ['takes no mail for this mailbox now', 'email', { kind: 'retry-later', reason: '' }, 1, false],
    ['is a mail server that is away', 'email', { kind: 'retry-later', reason: '', ours: true }, 1, true],
  ];
  for (const [what, type, outcome, durationMs, expected] of cases) {
    it(`says ${expected ? 'yes' : 'no'} when a receiver ${what}`, () =>
      assert.equal(isReceiverFailure(type, outcome, durationMs), expected));
  }
});
