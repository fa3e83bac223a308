import assert from 'node:assert/strict';
import { registerApplication } from '../../support/applications';
import { buildSensor, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { rawExchange, rawRequest } from '../../support/raw-request';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('what needs a credential, or holds a secret, is kept by no cache', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let id: string;

  before(async () => {
    id = await buildSensor(user);
    await upload(user, id, { value: 1, date: 1 });
  });

  const require = async (
    path: string,
    status: number,
    { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
  ) => {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await rawRequest(platform.url, path, { method, headers: { ...type, ...headers }, body: text });
    assert.equal(response.status, status, `${method} ${path}: ${response.text}`);
    assert.equal(response.headers['cache-control'], 'no-store', `${method} ${path} ${status}`);
    return response;
  };
  const session = () => ({ 'X-SESSION_ID': user.session });
  const cookie = () => ({ ...BROWSER, Cookie: `session_id=${user.session}` });

  it('whatever is read, in whatever format, by whatever credential', async () => {
    const made = await require('/keys', 201, {
      method: 'POST',
      headers: session(),
      body: { key: { name: 'x', scopes: ['read'] } },
    });
    const { secret } = JSON.parse(made.text).key;
    for (const headers of [session(), cookie(), { Authorization: `Bearer ${secret}` }] as Record<string, string>[]) {
      for (const path of ['/sensors', '/users/current', `/sensors/${id}/data`, `/sensors/${id}/data.csv`]) {
        await require(path, 200, { headers });
        await require(path, 200, { headers, method: 'HEAD' });
      }
    }
    await require(`/sensors/${id}/data.ndjson?session_id=${user.session}`, 200);
    await require(`/sensors?API_KEY=${secret}`, 200);
  });

  it('what hands out secrets', async () => {
    const { username, password } = user;
    await require('/login', 200, { method: 'POST', body: { username, password } });
    const application = await registerApplication(user);
    await require(`/oauth/applications/${application.id}/rotate`, 200, { method: 'POST', headers: session() });
  });

  it('changes, and what is refused', async () => {
    await require(`/sensors/${id}`, 200, { method: 'PUT', headers: session(), body: { sensor: { name: 'y' } } });
    await require('/login', 401, { method: 'POST', body: { username: 'nobody', password: 'f'.repeat(32) } });
    await require('/sensors', 401);
    await require('/sensors', 401, { headers: { Authorization: 'Bearer key_unknown' } });
    await require('/sensors', 400, { headers: { ...session(), Authorization: 'Bearer key_unknown' } });
    await require('/sensors', 403, {
      ...{ method: 'POST', body: { sensor: { name: 'x' } } },
      headers: { ...cookie(), 'Sec-Fetch-Site': 'cross-site' },
    });
    await require('/sensors/99999999', 404, { headers: session() });
    await require('/sensors', 405, { method: 'PATCH', headers: session() });
    await require('/sensors/%zz', 400, { headers: session() });
  });

  it('what node refuses before anything reads the credential', async () => {
    const head = `GET /sensors HTTP/1.1\r\nHost: x\r\nX-SESSION_ID: ${user.session}\r\nContent-Length: x\r\n\r\n`;
    assert.match(await rawExchange(platform.url, head), /^HTTP\/1\.1 400 .*\r\nCache-Control: no-store\r\n/s);
  });

  it('uploads, however they are answered', async () => {
    for (const headers of [session(), { ...session(), Origin: 'https://pages.example.org' }]) {
      await require(`/sensors/${id}/data`, 201, { method: 'POST', headers, body: { value: 1 } });
      await require(`/sensors/${id}/data`, 400, { method: 'POST', headers, body: { value: null } });
    }
    const large = Array.from({ length: 3_000 }, (_, date) => ({ value: 'x'.repeat(20), date }));
    await require(`/sensors/${id}/data`, 201, { method: 'POST', headers: session(), body: { data: large } });
  });

  it('pages for people, the board and the page of operators', async () => {
    for (const path of ['/oauth/register_app', '/oauth/authorizations']) {
      await require(path, 200, { headers: BROWSER });
      await require(path, 200, { headers: cookie() });
    }
    await require('/oauth2/authorize?client_id=unknown', 400, { headers: cookie() });
    await require('/unsubscribe?token=x', 200, { headers: BROWSER });
    const board = { Authorization: `Basic ${Buffer.from('operator:board-password').toString('base64')}` };
    for (const path of ['/admin', '/admin/queues', '/admin/queues/api/queues']) {
      await require(path, 401);
      await require(path, 200, { headers: board });
    }
  });
});
