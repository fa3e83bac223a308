import assert from 'node:assert/strict';
import { CALLBACK, registerApplication } from '../../support/applications';
import { usePlatform, useUser } from '../../support/hooks';
import { oauth1Client, obtainAccess, tokenIn } from '../../support/oauth1';

describe('a decision about a request token of OAuth 1.0a', () => {
  const platform = usePlatform();
  const owner = useUser(platform);
  const user = useUser(platform);

  it('is taken from a program that keeps cookies and sends its session as a parameter, too', async () => {
    const decideBy = async (session_id: string) => {
      const client = oauth1Client(platform.url, await registerApplication(owner));
      const token = tokenIn(await client('POST', '/oauth/request_token', { oauth: { oauth_callback: CALLBACK } }));
      const form = new URLSearchParams({ oauth_token: token.key, tok_expir: '1', action: 'ALLOW', session_id });
      const headers = { Cookie: `session_id=${user.session}`, 'Content-Type': 'application/x-www-form-urlencoded' };
      return (await platform.anonymous.post('/oauth/provider_authorize', form.toString(), headers)).status;
    };
    assert.equal(await decideBy(user.session), 302);
    assert.equal(await decideBy('a guess of another page'), 403);
    assert.equal(await decideBy(''), 403);
  });

  it('gives a service access to the account of its owner only', async () => {
    const service = await registerApplication(owner, { type: 'service', callback_url: undefined });
    const client = oauth1Client(platform.url, service);
    const token = tokenIn(await client('POST', '/oauth/request_token', { oauth: { oauth_callback: 'oob' } }));
    const headers = { Cookie: `session_id=${user.session}`, Accept: 'text/html' };
    const page = await platform.anonymous.get(`/oauth/authorize?oauth_token=${token.key}`, headers);
    assert.equal(page.status, 403);
    const query = new URLSearchParams({ oauth_token: token.key, tok_expir: '1', action: 'ALLOW' });
    const refused = await user.api.post(`/oauth/provider_authorize?${query}`);
    assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
    const access = await obtainAccess(platform, { user: owner, application: service });
    assert.equal((await client('GET', '/users/current', { token: access })).json.user.id, owner.id);
  });
});
