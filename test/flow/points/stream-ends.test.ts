import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import OAuth from 'oauth-1.0a';
import { registerApplication } from '../../support/applications';
import { openStream, useStreams } from '../../support/event-stream';
import { buildSensor, createKey, share, upload } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { obtainAccess, type Token } from '../../support/oauth1';

describe('streams whose credential or access ends', () => {
  const platform = usePlatform();
  const ada = useUserPerTest(platform);
  const { stream, keep } = useStreams(platform, ada);

  it('end when their user may not see the sensor any more, or the credential ends', async () => {
    const bob = await platform.user();
    const id = await buildSensor(ada);
    await share(ada, id, bob);
    const path = `/sensors/${id}/data/stream`;
    const session = (await platform.anonymous.post('/login', { username: ada.username, password: ada.password })).body;
    const key = await createKey(ada, { scopes: ['read'], sensors: [id] });
    const deleted = await createKey(ada);
    const expiring = await createKey(ada, { expires: Math.ceil(Date.now() / 1000) + 3_600 });
    const bearer = (secret: string) => openStream(platform.url, path, { Authorization: `Bearer ${secret}` });
    const application = await registerApplication(ada);
    const token = await obtainAccess(platform, { user: ada, application });
    const signed = authorizationOf(application, token, `${platform.url}${path}`);
    const streams = {
      signed: await openStream(platform.url, path, signed),
      shared: await stream(path, bob),
      cookie: await openStream(platform.url, path, { Cookie: `session_id=${session.session_id}` }),
      limited: await bearer(key.secret),
      deleted: await bearer(deleted.secret),
      expired: await bearer(expiring.secret),
      stays: await stream(path),
    };
    keep(...Object.values(streams));
    await upload(ada, id, { value: 1 });
    for (const one of Object.values(streams)) await one.has(1);
    await ada.api.delete(`/sensors/${id}/users/${bob.id}`);
    await platform.anonymous.post('/logout', {}, { 'X-SESSION_ID': session.session_id });
    await ada.api.put(`/keys/${key.id}`, { key: { sensors: [await buildSensor(ada)] } });
    await ada.api.delete(`/keys/${deleted.id}`);
    await platform.query('UPDATE api_keys SET expires_ms = ? WHERE id = ?', [Date.now(), expiring.id]);
    const reasons: Record<string, unknown> = {};
    for (const name of ['shared', 'cookie', 'limited', 'deleted', 'expired'] as const) {
      const last = await streams[name].over();
      reasons[name] = last?.event === 'end' && last.data.reason;
    }
    const [credential, access] = ['credential_ended', 'access_ended'];
    assert.deepEqual(reasons, {
      shared: access,
      cookie: credential,
      limited: credential,
      deleted: credential,
      expired: credential,
    });
    await upload(ada, id, { value: 2 });
    await streams.stays.has(2);
    await streams.signed.has(2); // its timestamp and nonce counted when it arrived
    assert.equal(streams.shared.news.length, 1);
  });
});

/** The header of a request that an application signs. */
function authorizationOf(
  { consumer_key: key, consumer_secret: secret }: { consumer_key: string; consumer_secret: string },
  token: Token,
  url: string,
): Record<string, string> {
  const client = new OAuth({
    consumer: { key, secret },
    signature_method: 'HMAC-SHA1',
    hash_function: (text, signingKey) => createHmac('sha1', signingKey).update(text).digest('base64'),
  });
  return { ...client.toHeader(client.authorize({ method: 'GET', url }, token)) };
}
