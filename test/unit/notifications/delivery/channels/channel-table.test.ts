import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHANNELS, channelOf, receiverOf } from '../../../../../src/notifications/delivery/channels';

describe('the table of channels', () => {
  const receivers: [string, string, string][] = [
    ['url', 'https://Example.org/a?b=c', 'example.org:443'],
    ['url', 'http://example.org/', 'example.org:80'],
    ['url', 'https://example.org:443/other', 'example.org:443'],
    ['url', 'http://example.org:8080/', 'example.org:8080'],
    ['url', 'http://[::1]:9/', '[::1]:9'],
    ['url', 'http://bücher.example/', 'xn--bcher-kva.example:80'],
    ['url', 'x', 'none'],
    ['email', 'ward@example.org', 'smtp'],
  ];
  for (const [type, destination, receiver] of receivers) {
    it(`names ${receiver} as the receiver of ${destination}`, () =>
      assert.equal(receiverOf(type, destination), receiver));
  }

  it('names the same receiver however often it is asked', () => {
    // Node's own URL.canParse changes its result once it is compiled.
    for (let count = 0; count < 20_000; count += 1) receiverOf('url', 'http://bücher.example/');
    assert.equal(receiverOf('url', 'http://bücher.example/'), 'xn--bcher-kva.example:80');
  });

  it('names no receiver that is longer than its column', () => {
    assert.equal(receiverOf('url', `http://${'a.'.repeat(200)}example/`).length, 255);
  });

  const destinations: [string, string, string | null][] = [
    ['url', 'http://example.org/a', null],
    ['url', 'https://bücher.example/é', null],
    ['url', `https://example.org/${'a'.repeat(1_980)}`, null],
    ['url', `https://example.org/${'a'.repeat(1_981)}`, 'must be at most 2000 characters'],
    ['url', 'example.org', 'must be a URL'],
    ['url', 'ftp://example.org/', 'must be an http or https URL'],
    ['url', 'https://user@example.org/', 'must not hold credentials'],
    ['url', 'https://example.org/\r\nX-Header: 1', 'must not hold line breaks or control characters'],
    ['url', 'https://example.org/\u2028x', 'must not hold line breaks or control characters'],
    ['email', 'ward@example.org', null],
    ['email', 'ward@example.org, other@example.org', 'must be one email address'],
    ['email', 'Ward <ward@example.org>', 'must be one email address'],
    ['email', `${'a'.repeat(65)}@example.org`, 'must be one email address'],
    ['email', `a@${'b'.repeat(253)}`, 'must be one email address'],
  ];
  for (const [type, destination, problem] of destinations) {
    it(`${problem ? 'refuses' : 'accepts'} ${destination.slice(0, 40)} for ${type}`, () =>
      assert.equal(channelOf(type).checkDestination(destination), problem));
  }

  it('is what the API document offers', () => {
    const document = readFileSync(join(__dirname, '../../../../../src/generated/openapi.json'), 'utf8');
    const { ChannelType } = JSON.parse(document).components.schemas;
    assert.deepEqual(ChannelType.enum, Object.keys(CHANNELS));
  });

  it('throws for a channel that this release does not have, instead of taking it for another', () => {
    for (const type of ['sms', '', 'toString', '__proto__']) {
      assert.throws(() => receiverOf(type, 'http://example.org/'), /this release has no channel/);
    }
  });
});
