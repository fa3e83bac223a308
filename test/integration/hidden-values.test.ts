import assert from 'node:assert/strict';
import { UrlChannel } from '../../src/notifications/delivery/channels/url.channel';
import { AddressGuard } from '../../src/outbound/address-guard';
import { outgoing, URL_CONTEXT } from '../support/channel-suite';
import { type Receiver, type ReceiverResponse, startReceiver } from '../support/receiver';

const SECRET = 's3cret/of+a&receiver';
const BASIC = `Basic ${Buffer.from(`ada:${SECRET}`).toString('base64')}`;

describe('the kept answer of a receiver that repeats the secrets of the request', () => {
  let receiver: Receiver;
  let channel: UrlChannel;

  before(async () => {
    receiver = await startReceiver();
    channel = new UrlChannel(new AddressGuard(['127.0.0.0/8']), URL_CONTEXT, 2_000);
  });
  after(async () => {
    await channel.close();
    await receiver.close();
  });

  const receivedAfter = async (
    response: ReceiverResponse,
    { headers = {}, secrets = {} }: { headers?: Record<string, string>; secrets?: Record<string, string> },
  ) => {
    receiver.responses.push(response);
    const shaped = { method: 'POST', contentType: null, body: null, caCertificate: null, success: null } as const;
    const destination = `${receiver.url}/hook`;
    const outcome = await channel.send(outgoing({ destination, request: { ...shaped, headers, secrets } }));
    return 'exchange' in outcome ? outcome.exchange?.received : undefined;
  };
  const answer =
    (body: string): ReceiverResponse =>
    (response) =>
      void response.writeHead(401).end(body);

  const echoes: [string, Record<string, string>, string, string][] = [
    ['without its scheme', { Authorization: `Bearer ${SECRET}` }, `unknown token ${SECRET}.`, 'unknown token ….'],
    ['with its scheme', { Authorization: `Bearer ${SECRET}` }, `Bearer ${SECRET}`, '…'],
    ['as the value of a parameter', { Authorization: `Token token="${SECRET}"` }, `no ${SECRET}`, 'no …'],
    ['as the value of a cookie', { Cookie: 'a=1; session=k3Jx9QmZ' }, 'k3Jx9QmZ has ended', '… has ended'],
    ['without the scheme Basic', { Authorization: BASIC }, `not ${BASIC.slice(6)}`, 'not …'],
    ['with the user of Basic', { Authorization: BASIC }, `not ada:${SECRET}`, 'not …'],
    ['without the user of Basic', { Authorization: BASIC }, `not ${SECRET}`, 'not …'],
    ['in JSON with escaped slashes', { 'X-Key': SECRET }, `{"key":"${SECRET.replace('/', '\\/')}"}`, '{"key":"…"}'],
    ['in HTML', { 'X-Key': SECRET }, `<p>${SECRET.replace('&', '&amp;')}</p>`, '<p>…</p>'],
    ['in a URL', { 'X-Key': SECRET }, `/in/${encodeURIComponent(SECRET)}`, '/in/…'],
    ['except a value of three characters', { 'X-Flag': 'yes' }, 'yes', 'yes'],
  ];
  for (const [title, headers, body, shown] of echoes) {
    it(`has no secret of a header ${title}`, async () => {
      assert.equal(await receivedAfter(answer(body), { headers }), shown);
    });
  }

  it('has no beginning of a secret where it ends after 2 KB', async () => {
    for (const room of [1, 5, 19]) {
      const body = `${'x'.repeat(2_048 - room)}${SECRET}, ${'y'.repeat(100)}`;
      const received = (await receivedAfter(answer(body), { secrets: { token: SECRET } })) ?? '';
      assert.ok(!received.includes('s3'), received.slice(-40));
    }
  });

  it('has no beginning of a long secret where its reading ends', async () => {
    const long = '/s3cret'.repeat(571);
    const body = `${'x'.repeat(2_000)}${encodeURIComponent(long).repeat(5)}`;
    const received = (await receivedAfter(answer(body), { secrets: { token: long } })) ?? '';
    assert.ok(!received.includes('s3'), received.slice(-40));
  });

  it('has no beginning of a secret where the connection was cut', async () => {
    const cut: ReceiverResponse = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write(`token ${SECRET.slice(0, 12)}`);
      setImmediate(() => response.destroy());
    };
    assert.equal(await receivedAfter(cut, { secrets: { token: SECRET } }), 'token …');
  });
});
