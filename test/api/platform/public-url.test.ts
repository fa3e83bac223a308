import assert from 'node:assert/strict';
import { usePlatform, useUser } from '../../support/hooks';
import { rawRequest } from '../../support/raw-request';

const PUBLIC_URL = 'https://sensors.example.org';
/** As a proxy passes it on that does not know of it. */
const SENT_BY_CLIENT = { 'X-Forwarded-Host': 'evil.example.org', 'X-Forwarded-Proto': 'https' };

describe('with PUBLIC_URL, behind a proxy that passes on what clients say of the host', () => {
  const platform = usePlatform({ config: { PUBLIC_URL, TRUST_PROXY: '1' } });
  const user = useUser(platform);

  const create = (headers: Record<string, string>) =>
    platform.anonymous.post(
      '/sensors',
      { sensor: { name: 'lamp' } },
      { Cookie: `session_id=${user.session}`, ...headers },
    );

  it('is that the host in locations, and in the description of OAuth 2', async () => {
    const { headers } = await create(SENT_BY_CLIENT);
    assert.match(headers.get('location') ?? '', /^https:\/\/sensors\.example\.org\/sensors\/\d+$/);
    const path = '/.well-known/oauth-authorization-server';
    assert.equal((await platform.anonymous.get(path, SENT_BY_CLIENT)).body.issuer, PUBLIC_URL);
  });

  it('does a page of that other host not become one of ours', async () => {
    const origin = { Origin: 'https://evil.example.org' };
    for (const headers of [origin, { ...origin, ...SENT_BY_CLIENT }]) {
      const { status, body } = await create(headers);
      assert.deepEqual([status, body.code], [403, 'foreign_page'], JSON.stringify(headers));
    }
  });

  it('are pages of the public host ours, whatever the proxy calls this server, and those of the host that it was asked for', async () => {
    for (const headers of [{ Origin: PUBLIC_URL }, { Origin: platform.url }] as Record<string, string>[]) {
      assert.equal((await create(headers)).status, 201, JSON.stringify(headers));
      assert.equal((await create({ ...headers, ...SENT_BY_CLIENT })).status, 201, JSON.stringify(headers));
    }
    const headers = { Host: 'api:8080', Cookie: `session_id=${user.session}`, Origin: PUBLIC_URL };
    assert.equal((await rawRequest(platform.url, '/sensors?name=lamp', { method: 'POST', headers })).status, 201);
  });
});
