import assert from 'node:assert/strict';
import { authorize, CALLBACK, registerApplication } from '../../support/applications';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { rawRequest } from '../../support/raw-request';
import { settle } from '../../support/settle';
import { subscribe } from '../../support/subscribe';

describe('applications', () => {
  const platform = usePlatform();
  const owner = useUserPerTest(platform);
  const stranger = useUserPerTest(platform);

  it('are registered with a key and a secret, which is shown only then', async () => {
    const { status, body, headers } = await owner.api.post('/oauth/register_app', {
      application: { name: 'Weather', description: 'A map', type: 'web', callback_url: [CALLBACK, `${CALLBACK}/2`] },
    });
    const { id, created, consumer_key, consumer_secret, ...rest } = body.application;
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `${platform.url}/oauth/applications/${id}`);
    assert.deepEqual(rest, {
      name: 'Weather',
      description: 'A map',
      type: 'web',
      callback_urls: [CALLBACK, `${CALLBACK}/2`],
    });
    assert.match(consumer_key, /^[0-9A-Za-z]{32}$/);
    assert.match(consumer_secret, /^[0-9A-Za-z]{43}$/);
    assert.ok(Math.abs(created - Date.now() / 1000) < 60);
    const shown = (await owner.api.get(`/oauth/applications/${id}`)).body;
    assert.deepEqual(shown, { application: { id, created, consumer_key, ...rest } });
    assert.deepEqual((await owner.api.get('/oauth/applications?total=1')).body, {
      applications: [shown.application],
      total: 1,
    });
    const [row] = await platform.query('SELECT * FROM applications WHERE id = ?', [id]);
    assert.ok(!JSON.stringify(row).includes(consumer_secret));
  });

  it('are registered by a form, by a query and with bare fields', async () => {
    const fields = { name: 'Old', type: 'native', callback: 'http://www.example.org' };
    const form = new URLSearchParams(fields).toString();
    const headers = { 'X-SESSION_ID': owner.session, 'Content-Type': 'application/x-www-form-urlencoded' };
    const answers = [
      await owner.api.post('/oauth/register_app', fields),
      await owner.api.post('/oauth/register_app', form, { 'Content-Type': headers['Content-Type'] }),
      await owner.api.post(`/oauth/register_app.json?${form}`),
      await owner.api.post('/oauth/register_app', { application: fields }),
    ];
    for (const { status, body } of answers) {
      assert.equal(status, 201, JSON.stringify(body));
      assert.deepEqual(body.application.callback_urls, ['http://www.example.org']);
    }
    const list = `${form}&callback=${encodeURIComponent('https://other.example.org/a?b=c')}`;
    const { bytes } = await rawRequest(platform.url, '/oauth/register_app', { method: 'POST', headers, body: list });
    assert.deepEqual(JSON.parse(bytes.toString()).application.callback_urls, [
      'http://www.example.org',
      'https://other.example.org/a?b=c',
    ]);
  });

  for (const [why, fields, field] of [
    ['no name', { name: undefined }, 'application.name'],
    ['no type', { type: undefined }, 'application.type'],
    ['an unknown type', { type: 'desktop' }, 'application.type'],
    ['no callback', { callback_url: undefined }, 'application.callback_url'],
    [
      '21 callbacks',
      { callback_url: Array.from({ length: 21 }, (_, i) => `${CALLBACK}/${i}`) },
      'application.callback_url',
    ],
    ['a relative callback', { callback_url: '/allowed' }, 'application.callback_url'],
    ['a callback that is a script', { callback_url: 'javascript:alert(1)' }, 'application.callback_url'],
    [
      'a script of a native application',
      { callback_url: 'javascript:alert(1)', type: 'native' },
      'application.callback_url',
    ],
    ['a callback with a fragment', { callback_url: `${CALLBACK}#top` }, 'application.callback_url'],
    ['a callback with a password', { callback_url: 'https://a:b@example.org/' }, 'application.callback_url'],
    ['a callback with a line break', { callback_url: `${CALLBACK}\n/x` }, 'application.callback_url'],
    ['a callback beyond ASCII', { callback_url: 'https://bücher.example/' }, 'application.callback_url'],
    [
      'a callback with a backslash',
      { callback_url: 'https://example.org\\@evil.example/' },
      'application.callback_url',
    ],
    ['a scheme of its own for the web', { callback_url: 'com.example.app:/back' }, 'application.callback_url'],
    ['a scheme without a dot', { callback_url: 'myapp:/back', type: 'native' }, 'application.callback_url'],
    ['a name that is too long', { name: 'n'.repeat(256) }, 'application.name'],
  ] as const) {
    it(`are refused with ${why}`, async () => {
      const application = { name: 'Weather', type: 'web', callback_url: CALLBACK, ...fields };
      const { status, body } = await owner.api.post('/oauth/register_app', { application });
      assert.deepEqual([status, body.code, Object.keys(body.fields)], [400, 'invalid_input', [field]], body.error);
    });
  }

  it('may call back a scheme of their own when they are native, and nothing when they are a service', async () => {
    await registerApplication(owner, { type: 'native', callback_url: 'com.example.app:/back' });
    await registerApplication(owner, { type: 'native', callback_url: undefined });
    await registerApplication(owner, { type: 'service', callback_url: undefined });
  });

  it('are changed but for their type, and take back a whole record', async () => {
    const { id, consumer_secret: _, ...record } = await registerApplication(owner);
    const path = `/oauth/applications/${id}`;
    const changed = await owner.api.put(path, { application: { ...record, name: 'Map' } });
    assert.deepEqual(changed.body.application, { ...record, id, name: 'Map' });
    const callbacks = await owner.api.put(path, { callback_url: `${CALLBACK}/new` });
    assert.deepEqual(callbacks.body.application.callback_urls, [`${CALLBACK}/new`]);
    const edited = { ...callbacks.body.application, callback_url: `${CALLBACK}/newer` };
    const replaced = await owner.api.put(path, { application: edited });
    assert.deepEqual(replaced.body.application.callback_urls, [`${CALLBACK}/newer`], 'what is replaced must be gone');
    assert.equal((await owner.api.put(path, { application: { type: 'native' } })).status, 400);
    assert.equal((await owner.api.get(path)).body.application.name, 'Map');
  });

  it('get another secret when it is replaced', async () => {
    const { id, consumer_key, consumer_secret } = await registerApplication(owner);
    const { status, body } = await owner.api.post(`/oauth/applications/${id}/rotate`);
    assert.deepEqual([status, body.application.consumer_key], [200, consumer_key]);
    assert.notEqual(body.application.consumer_secret, consumer_secret);
    const { clientSecrets } = platform.container.services;
    assert.equal(await clientSecrets.authenticate(consumer_key, consumer_secret, '127.0.0.1'), null);
    const found = await clientSecrets.authenticate(consumer_key, body.application.consumer_secret, '127.0.0.1');
    assert.equal(String(found?.id), id);
  });

  it('do not exist for others', async () => {
    const { id } = await registerApplication(owner);
    const path = `/oauth/applications/${id}`;
    assert.equal((await stranger.api.get(path)).status, 404);
    assert.equal((await stranger.api.put(path, { name: 'Mine' })).status, 404);
    assert.equal((await stranger.api.post(`${path}/rotate`)).status, 404);
    assert.equal((await stranger.api.delete(path)).status, 404);
    assert.deepEqual((await stranger.api.get('/oauth/applications')).body.applications, []);
  });

  it('are at most a hundred of a user', async () => {
    const first = await registerApplication(owner);
    await platform.query(
      `INSERT INTO applications (owner_id, name, description, type, callback_urls, consumer_key, encrypted_secret, created_ms)
       SELECT ?, '', '', 'web', '[]', CONCAT(?, seq), '', 0 FROM (${numbers(99)}) n`,
      [owner.id, `k${owner.id}-`],
    );
    const fields = { name: 'One more', type: 'service' };
    const { status, body } = await owner.api.post('/oauth/register_app', fields);
    assert.deepEqual([status, body.code], [409, 'conflict']);
    await owner.api.delete(`/oauth/applications/${first.id}`);
    assert.equal((await owner.api.post('/oauth/register_app', fields)).status, 201);
  });

  it('end with what they were allowed when they are deleted, and when the account is', async () => {
    const application = await registerApplication(owner);
    await authorize(platform, { user: stranger, application });
    assert.deepEqual((await owner.api.delete(`/oauth/applications/${application.id}`)).body, {});
    assert.equal((await owner.api.get(`/oauth/applications/${application.id}`)).status, 404);
    assert.equal(await platform.container.services.clientSecrets.find(application.consumer_key), null);
    assert.deepEqual((await stranger.api.get('/oauth/authorizations')).body.authorizations, []);
    await platform.container.purge.run();
    const rows = await platform.query(
      'SELECT 1 FROM applications a, authorizations z WHERE ? IN (a.id, z.application_id)',
      [application.id],
    );
    assert.deepEqual(rows, []);

    const other = await registerApplication(owner);
    await authorize(platform, { user: stranger, application: other });
    await authorize(platform, { user: owner, application: await registerApplication(stranger) });
    await owner.api.delete(`/users/${owner.id}`);
    assert.equal(await platform.container.services.clientSecrets.find(other.consumer_key), null);
    assert.deepEqual(await platform.query('SELECT 1 FROM users WHERE id = ?', [owner.id]), []);
    assert.deepEqual(await platform.query('SELECT 1 FROM applications WHERE owner_id = ?', [owner.id]), []);
  });
});

describe('authorizations', () => {
  const platform = usePlatform();
  const owner = useUserPerTest(platform);
  const user = useUserPerTest(platform);
  const receiver = useReceiver();

  it('are listed and revoked by the user who gave them, and by nobody else', async () => {
    const application = await registerApplication(owner, { name: 'Map' });
    const id = await authorize(platform, { user, application });
    const { body } = await user.api.get('/oauth/authorizations?total=1');
    const [{ created, ...listed }] = body.authorizations;
    assert.ok(Math.abs(created - Date.now() / 1000) < 60);
    assert.deepEqual(listed, {
      id,
      application: { id: application.id, name: 'Map' },
      scopes: ['read'],
      expires: null,
      last_used: null,
    });
    assert.equal(body.total, 1);
    assert.equal((await owner.api.delete(`/oauth/authorizations/${id}`)).status, 404);
    assert.deepEqual((await user.api.delete(`/oauth/authorizations/${id}`)).body, {});
    assert.equal((await user.api.delete(`/oauth/authorizations/${id}`)).status, 404);
    assert.deepEqual((await user.api.get('/oauth/authorizations')).body, { authorizations: [] });
  });

  it('are one for each user and application, with the union of what was allowed', async () => {
    const application = await registerApplication(owner);
    const expiresMs = Date.now() + 3_600_000;
    const first = await authorize(platform, { user, application, expiresMs });
    const again = await authorize(platform, { user, application, expiresMs: expiresMs - 1_000 });
    assert.equal(again, first);
    const { authorizations } = (await user.api.get('/oauth/authorizations')).body;
    assert.deepEqual(
      authorizations.map((one: { id: string; expires: number }) => [one.id, one.expires]),
      [[first, expiresMs / 1000]],
    );
  });

  it('raise events for the user only', async () => {
    for (const event of ['authorize_application', 'revoke_application']) {
      await subscribe(user, receiver.url, event);
      await subscribe(owner, `${receiver.url}/owner`, event);
    }
    const application = await registerApplication(owner);
    const id = await authorize(platform, { user, application });
    await user.api.delete(`/oauth/authorizations/${id}`);
    await settle(platform.container);
    const events = receiver.received.map(({ form }) => [form.event, form.subject_id, form.user_id]);
    assert.deepEqual(events, [
      ['authorize_application', application.id, user.id],
      ['revoke_application', application.id, user.id],
    ]);
  });
});

function numbers(count: number): string {
  return Array.from({ length: count }, (_, index) => `SELECT ${index} AS seq`).join(' UNION ALL ');
}
