import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import { digestOf } from '../../../src/api/pages/password';
import { GERMAN } from '../../../src/platform/words/german';
import { authorize, registerApplication } from '../../support/applications';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';
import { rawRequest } from '../../support/raw-request';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const FOREIGN: readonly OutgoingHttpHeaders[] = [
  { Origin: 'https://evil.example.org' },
  { Origin: 'null' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
];

/** A label and a reason as a German sentence. */
function inGerman(label: keyof typeof GERMAN, reason: keyof typeof GERMAN): string {
  const sentence = `${GERMAN[label]} ${GERMAN[reason]}.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

describe('the forms of pages about applications', () => {
  const platform = usePlatform();
  const developer = useUser(platform);
  const user = useUserPerTest(platform, { password: digestOf('secret') });

  const get = (path: string, cookie = '') =>
    rawRequest(platform.url, path, { headers: { ...BROWSER, Cookie: cookie } });
  const post = (path: string, form: Record<string, string>, headers: OutgoingHttpHeaders) =>
    rawRequest(platform.url, path, {
      method: 'POST',
      headers: { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form).toString(),
    });
  const tokenIn = (text: string, form = /action="[^"]*"|method="post">/) => {
    const rest = text.slice(text.search(form));
    return /name="form_token" value="([\w-]+)"/.exec(rest)?.[1] ?? assert.fail('no token');
  };
  const session = () => `session_id=${user.session}`;

  describe('that log in', () => {
    const open = async () => {
      const { headers, text } = await get('/oauth/register_app');
      const [cookie = ''] = /form_id=[\w-]+/.exec(String(headers['set-cookie'])) ?? [];
      return { cookie, form_token: tokenIn(text) };
    };
    const form = (more: Record<string, string>) => ({
      username: user.username,
      password: 'secret',
      next: '/oauth/register_app',
      ...more,
    });

    it('set the cookie of a session, and lead to the page that asked', async () => {
      const { cookie, form_token } = await open();
      const next = '/oauth2/authorize?client_id=a%20b&state=%26';
      const answer = await post('/oauth/login', form({ form_token, next }), { Cookie: cookie });
      assert.deepEqual([answer.status, answer.headers.location], [303, platform.url + next]);
      assert.match(
        String(answer.headers['set-cookie']),
        /^session_id=[0-9A-Za-z]{27}; Path=\/; HttpOnly; SameSite=Lax$/,
      );
    });

    it('lead to no other site', async () => {
      const { cookie, form_token } = await open();
      for (const next of [
        'https://evil.example.org/',
        '//evil.example.org/oauth/register_app',
        '/\\evil.example.org',
        '/oauth/register_app.evil.example.org',
        '/oauth/register_app/../../x',
        '/users/current',
        'oauth/register_app',
        '',
      ]) {
        for (const path of ['/oauth/login', '/oauth/logout']) {
          const answer = await post(path, form({ form_token, next }), { Cookie: cookie });
          assert.deepEqual([answer.status, answer.headers.location], [400, undefined], `${path} ${next}`);
          assert.equal(answer.headers['set-cookie'], undefined);
        }
      }
    });

    it('are refused when another site sends them, and without the cookie that goes with the form', async () => {
      const { cookie, form_token } = await open();
      const another = await open();
      const attempts: [string, OutgoingHttpHeaders][] = [
        ['', { Cookie: cookie }],
        [form_token, {}],
        [another.form_token, { Cookie: cookie }],
        ...FOREIGN.map((headers): [string, OutgoingHttpHeaders] => [form_token, { Cookie: cookie, ...headers }]),
      ];
      for (const [token, headers] of attempts) {
        const { status, headers: got } = await post('/oauth/login', form({ form_token: token }), headers);
        assert.deepEqual([status, got['set-cookie']], [403, undefined], JSON.stringify([token, headers]));
      }
    });
  });

  it('are in the language that the browser prefers, in English if it names none of theirs', async () => {
    for (const [accepted, language] of [
      ['', 'en'],
      ['fr', 'en'],
      ['en-GB,de;q=0.5', 'en'],
      ['fr,de-CH;q=0.8,en;q=0.5', 'de'],
    ]) {
      const headers = { ...BROWSER, ...(accepted && { 'Accept-Language': accepted }) };
      const { text, headers: answered } = await rawRequest(platform.url, '/oauth/register_app', { headers });
      assert.match(text, new RegExp(`<html lang="${language}">`), accepted);
      assert.match(String(answered.vary), /Accept-Language/);
    }
  });

  it('register nothing without their token, or for another site', async () => {
    const { text } = await get('/oauth/register_app', session());
    const form_token = tokenIn(text);
    const form = { name: 'x', type: 'native' };
    const attempts: [Record<string, string>, OutgoingHttpHeaders][] = [
      [form, {}],
      [{ ...form, form_token: tokenIn(text, /oauth\/logout/) }, {}],
      ...FOREIGN.map((headers): [Record<string, string>, OutgoingHttpHeaders] => [{ ...form, form_token }, headers]),
    ];
    for (const [sent, headers] of attempts) {
      const { status } = await post('/oauth/register_app', sent, { Cookie: session(), ...headers });
      assert.equal(status, 403, JSON.stringify([sent, headers]));
    }
    assert.deepEqual((await user.api.get('/oauth/applications')).body.applications, []);
    assert.equal((await post('/oauth/register_app', { ...form, form_token }, { Cookie: session() })).status, 201);
  });

  it('say which field of an application is wrong, and why', async () => {
    const { text } = await get('/oauth/register_app', session());
    const form_token = tokenIn(text);
    const errorOf = async (form: Record<string, string>, language = 'en') => {
      const headers = { Cookie: session(), 'Accept-Language': language };
      const answer = await post('/oauth/register_app', { form_token, ...form }, headers);
      return [answer.status, /role="alert">([^<]*)/.exec(answer.text)?.[1]];
    };
    assert.deepEqual(await errorOf({ name: 'x', type: 'web' }), [400, 'An address to return to is required.']);
    const german = await errorOf({ name: 'x', type: 'web', callback_url: 'https://example.org/#top' }, 'de');
    assert.deepEqual(german, [400, inGerman('an address to return to', 'must have no fragment')]);
    const long = await errorOf({ name: 'x'.repeat(256), type: 'native' });
    assert.deepEqual(long, [400, 'The name must be at most 255 characters.']);
    const { body } = await user.api.post('/oauth/register_app', { name: 'x', type: 'web' });
    assert.equal(body.error, 'application.callback_url is required for an application of the type web');
  });

  it('revoke nothing without their token, for another site, or of another user', async () => {
    const application = await registerApplication(developer);
    const id = await authorize(platform, { user, application });
    const path = `/oauth/authorizations/${id}`;
    const form_token = tokenIn((await get('/oauth/authorizations', session())).text, /_METHOD/);
    const form = { _METHOD: 'DELETE', form_token };
    const attempts: [Record<string, string>, OutgoingHttpHeaders][] = [
      [{ _METHOD: 'DELETE' }, { Cookie: session() }],
      [form, { Cookie: `session_id=${developer.session}` }],
      ...FOREIGN.map((headers): [Record<string, string>, OutgoingHttpHeaders] => [
        form,
        { Cookie: session(), ...headers },
      ]),
    ];
    for (const [sent, headers] of attempts) assert.equal((await post(path, sent, headers)).status, 403);
    assert.equal((await user.api.get('/oauth/authorizations')).body.authorizations.length, 1);
    const answer = await post(path, form, { Cookie: session() });
    assert.deepEqual([answer.status, answer.headers.location], [303, `${platform.url}/oauth/authorizations`]);
    assert.deepEqual((await user.api.get('/oauth/authorizations')).body.authorizations, []);
  });

  it('leave the JSON of all other clients as it is', async () => {
    const headers = { Cookie: session() };
    const list = await rawRequest(platform.url, '/oauth/authorizations', { headers });
    assert.deepEqual(JSON.parse(list.text), { authorizations: [] });
    const withHeader = await rawRequest(platform.url, '/oauth/authorizations', {
      headers: { ...BROWSER, 'X-SESSION_ID': user.session },
    });
    assert.deepEqual(JSON.parse(withHeader.text), { authorizations: [] });
    const nobody = await rawRequest(platform.url, '/oauth/authorizations', {});
    assert.equal(nobody.status, 401);
  });
});
