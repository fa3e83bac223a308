import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { AddressGuard } from '../../src/channels/address-guard';
import { UrlChannel } from '../../src/channels/url.channel';
import { systemClock } from '../../src/clock';
import { outgoing, SIGNING_SECRET } from '../support/channel-suite';
import { startReceiver } from '../support/receiver';

interface Case {
  headers: Record<string, string>;
  body: string;
  secret: string;
}

const DOCUMENT = readFileSync(join(__dirname, '../../docs/webhooks.md'), 'utf8');
const SECOND_SECRET = `whsec_${Buffer.from('another secret, 24 bytes').toString('base64')}`;

/** The code that the document shows, in the language of its fence. */
function snippet(language: string): string {
  return new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(DOCUMENT)?.[1] ?? assert.fail(`no ${language}`);
}

describe('the code that docs/webhooks.md shows to receivers', () => {
  let cases: [Case, boolean][];

  before(async () => {
    const receiver = await startReceiver();
    const channel = new UrlChannel(new AddressGuard(['127.0.0.0/8']), systemClock);
    const signingSecrets = [SIGNING_SECRET, SECOND_SECRET];
    await channel.send(outgoing({ destination: receiver.url, text: 'zu heiß: 31 °C', signingSecrets }));
    await Promise.all([channel.close(), receiver.close()]);
    const [request] = receiver.received;
    const headers = Object.fromEntries(
      Object.entries(request?.headers ?? {}).map(([key, value]) => [key, String(value)]),
    );
    const genuine = { headers, body: request?.rawBody ?? '', secret: SIGNING_SECRET };
    const changed = (change: Record<string, string>) => ({ ...genuine, headers: { ...headers, ...change } });
    const { 'webhook-id': _id, ...withoutId } = headers;
    cases = [
      [genuine, true],
      [{ ...genuine, secret: SECOND_SECRET }, true],
      [{ ...genuine, secret: `whsec_${Buffer.alloc(24).toString('base64')}` }, false],
      [{ ...genuine, body: `${genuine.body}&x=1` }, false],
      [changed({ 'webhook-id': 'msg_other' }), false],
      [changed({ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) }), false],
      [changed({ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 301) }), false],
      [changed({ 'webhook-timestamp': 'now' }), false],
      [changed({ 'webhook-signature': '' }), false],
      [changed({ 'webhook-signature': 'v1,' }), false],
      [changed({ 'webhook-signature': String(headers['webhook-signature']).replaceAll('v1', 'v2') }), false],
      [{ ...genuine, headers: withoutId }, false],
      [{ ...genuine, headers: {} }, false],
    ];
  });

  it('verifies genuine requests in Node, and refuses all others', () => {
    const context = createContext({ require, Buffer });
    runInContext(snippet('js'), context);
    for (const [{ headers, body, secret }, expected] of cases) {
      const isGenuine = runInContext('isGenuine', context)(headers, body, secret);
      assert.equal(isGenuine, expected, JSON.stringify({ headers, secret }));
    }
  });

  it('verifies genuine requests in Python, and refuses all others', function () {
    const version = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']);
    if (version.status !== 0) this.skip();
    const read =
      'import json, sys\nprint(json.dumps([is_genuine(c["headers"], c["body"].encode(), c["secret"]) for c in json.load(sys.stdin)]))';
    const { stdout, stderr } = spawnSync('python3', ['-c', `${snippet('python')}\n${read}`], {
      input: JSON.stringify(cases.map(([one]) => one)),
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    assert.deepEqual(
      JSON.parse(stdout),
      cases.map(([, expected]) => expected),
    );
  });
});
