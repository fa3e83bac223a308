import assert from 'node:assert/strict';
import { CHANNELS } from '../../../src/notifications/delivery/channels';
import { parseUrl } from '../../../src/platform/parse-url';

describe('parseUrl', () => {
  it('reads a URL, and nothing else', () => {
    assert.equal(parseUrl('https://example.org/a?b')?.host, 'example.org');
    for (const text of ['', 'x', '/path', 'http://', 'http://a b', '//example.org'])
      assert.equal(parseUrl(text), undefined);
  });

  it('accepts hosts with any letters, however many URLs were read before', () => {
    const texts = ['http://bücher.example/é', 'http://中.example/'];
    for (let i = 0; i < 200_000; i += 1) CHANNELS.url.checkDestination(`http://example.org/${i % 10}`);
    for (const text of texts) {
      assert.equal(CHANNELS.url.checkDestination(text), null, text);
      assert.match(CHANNELS.url.receiverOf(text), /^xn--/);
    }
  });
});
