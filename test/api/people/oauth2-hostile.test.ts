import assert from 'node:assert/strict';
import { registerApplication } from '../../support/applications';
import { usePlatform, useUser } from '../../support/hooks';
import { OAuth2Flow, statusWith } from '../../support/oauth2';
import { rawRequest } from '../../support/raw-request';

const LONG = 'x'.repeat(10_000);
const VALUES = [
  'é',
  '🦜',
  '\u0000',
  '\ud800',
  '%',
  '%zz',
  "' OR 1=1",
  '<script>',
  '\r\nSet-Cookie: x=1',
  ' ',
  LONG,
  '__proto__',
];
const NAMES = {
  '/oauth2/authorize': [
    'client_id',
    'redirect_uri',
    'response_type',
    'scope',
    'state',
    'code_challenge',
    'code_challenge_method',
  ],
  '/oauth2/token': [
    'grant_type',
    'code',
    'redirect_uri',
    'code_verifier',
    'refresh_token',
    'scope',
    'client_id',
    'client_secret',
  ],
  '/oauth2/revoke': ['token', 'token_type_hint'],
  '/oauth2/introspect': ['token', 'token_type_hint'],
  '/oauth/login': ['username', 'password', 'next', 'form_token'],
  '/oauth/authorize': ['oauth_token'],
  '/oauth/request_token': ['oauth_consumer_key', 'oauth_signature', 'oauth_callback'],
};

describe('hostile parameters of OAuth 2 and its pages', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  it('cause no error of the server, and no header of theirs', async () => {
    const flow = new OAuth2Flow(platform, await registerApplication(user));
    const good: Record<string, Record<string, string>> = {
      '/oauth2/authorize': Object.fromEntries(new URLSearchParams(flow.address().split('?')[1])),
      '/oauth2/token': { grant_type: 'authorization_code', code: 'oac_x' },
    };
    for (const [path, names] of Object.entries(NAMES)) {
      for (const name of names) {
        for (const value of VALUES) {
          const form = new URLSearchParams({ ...good[path], [name]: value }).toString();
          const asked = path.endsWith('authorize');
          const headers = asked
            ? { Cookie: `session_id=${user.session}` }
            : { ...flow.basic(), 'Content-Type': 'application/x-www-form-urlencoded' };
          const request = asked ? { headers } : { method: 'POST', headers, body: form };
          const { status, headers: got } = await rawRequest(platform.url, asked ? `${path}?${form}` : path, request);
          assert.ok(status < 500, `${status} ${path} ${name} ${JSON.stringify(value.slice(0, 20))}`);
          assert.ok(!String(got['set-cookie'] ?? '').includes('x=1'));
        }
      }
    }
  });

  it('as JSON cause none either', async () => {
    const flow = new OAuth2Flow(platform, await registerApplication(user));
    for (const value of [null, 1, true, [], ['code', 'code'], {}, { toString: 1 }]) {
      for (const name of NAMES['/oauth2/token']) {
        const body = JSON.stringify({ grant_type: 'authorization_code', code: 'x', [name]: value });
        const headers = { ...flow.basic(), 'Content-Type': 'application/json' };
        const { status } = await rawRequest(platform.url, '/oauth2/token', { method: 'POST', headers, body });
        assert.ok(status === 400 || status === 401, `${status} ${body}`);
      }
    }
  });

  it('in the headers cause none either', async () => {
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    const sent = VALUES.filter((value) => value !== LONG);
    for (const Authorization of [
      ...sent.map(basic),
      ...sent.map((one) => basic(`${one}:${one}`)),
      'Basic',
      'Basic !',
    ]) {
      const headers = { Authorization, 'Content-Type': 'application/x-www-form-urlencoded' };
      const { status } = await rawRequest(platform.url, '/oauth2/token', {
        method: 'POST',
        headers,
        body: 'grant_type=x',
      });
      assert.ok(status === 400 || status === 401, `${status} ${Authorization.slice(0, 40)}`);
    }
    for (const token of ['oat_', `oat_${'!'.repeat(43)}`, `oat_${'x'.repeat(42)}\u00e9`]) {
      assert.equal(await statusWith(platform, token), 401);
    }
  });
});
