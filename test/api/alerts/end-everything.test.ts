import assert from 'node:assert/strict';
import { apiClient } from '../../support/api-client';
import { registerApplication } from '../../support/applications';
import { buildSensor, createKey } from '../../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { recordMails } from '../../support/mails';
import { obtainAccess, signedApi } from '../../support/oauth1';
import { OAuth2Flow, statusWith } from '../../support/oauth2';
import { startApiElsewhere } from '../../support/other-process';
import { required } from '../../support/platform';
import { subscribe } from '../../support/subscribe';
import { until } from '../../support/until';

const NEW = 'b'.repeat(32);
const WARNING = 'keys and applications may still use the account: see GET /keys and GET /oauth/authorizations';

describe('a new password', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const developer = useUserPerTest(platform);
  const receiver = useReceiver();

  /** Every way into the account but sessions: whether it still leads there, at each of the platform's processes. */
  const openWays = async () => {
    const { secret } = await createKey(user);
    const flow = new OAuth2Flow(platform, await registerApplication(developer));
    const tokens = await flow.tokens(user);
    const unusedCode = await flow.code(user);
    const first = await registerApplication(developer, { name: 'Signed' });
    const signed = signedApi(platform.url, first, await obtainAccess(platform, { user, application: first }));
    const service = new OAuth2Flow(platform, await registerApplication(user, { type: 'service' }));
    const requestToken = () => service.request('/oauth2/token', { grant_type: 'client_credentials' });
    const serviceToken = (await requestToken()).body.access_token;
    return async (url = platform.url) => ({
      key: await statusWith({ url }, secret),
      token: await statusWith({ url }, tokens.access_token),
      refreshed: (await flow.refresh(tokens.refresh_token)).status,
      exchanged: (await flow.exchange(unusedCode)).status,
      signed: (await signed.get('/sensors')).status,
      'token of a service': await statusWith({ url }, serviceToken),
      'new token of a service': (await requestToken()).status,
    });
  };
  const ENDED = {
    ...{ key: 401, token: 401, refreshed: 400, exchanged: 400, signed: 401 },
    ...{ 'token of a service': 401, 'new token of a service': 401 },
  };

  const resetToken = async (): Promise<string> => {
    const { sent } = recordMails(platform);
    await platform.anonymous.post('/requestPasswordReset', { username: user.username });
    return /token=([\w-]+)/.exec(sent[0]?.text ?? '')?.[1] ?? '';
  };

  for (const [how, change] of [
    [
      'POST /change_password',
      () =>
        user.api.post('/change_password', {
          ...{ current_password: user.password, new_password: NEW, end_everything: true },
        }),
    ],
    ['PUT /users/{id}', () => user.api.put(`/users/${user.id}`, { user: { password: NEW, end_everything: 'true' } })],
    [
      'POST /resetPassword',
      async () =>
        platform.anonymous.post('/resetPassword', { token: await resetToken(), password: NEW, end_everything: 1 }),
    ],
  ] as const) {
    it(`by ${how} ends all keys, permissions and tokens on request`, async () => {
      const ways = await openWays();
      const [{ id: keyId }] = (await user.api.get('/keys')).body.keys;
      await subscribe(user, receiver.url, 'delete_key');
      await subscribe(user, receiver.url, 'revoke_application');
      const foreign = await createKey(developer);
      const response = await change();
      assert.deepEqual([response.status, response.body.warning], [200, undefined]);
      assert.deepEqual(await ways(), ENDED);
      assert.equal(await statusWith(platform, foreign.secret), 200, 'those of others go on');
      await platform.settle();
      const events = receiver.received.map(({ form }) => form.event).sort();
      assert.deepEqual(events, ['delete_key', 'revoke_application', 'revoke_application']);
      assert.ok(receiver.received.some(({ form }) => form.subject_id === keyId));
    });
  }

  it('ends them at once in another process, which has just used them', async () => {
    const { child, url } = await startApiElsewhere(platform, required('REDIS_URL'));
    try {
      await until(
        'the other process is ready',
        async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true,
      );
      const { secret } = await createKey(user);
      const sensorId = await buildSensor(user);
      const elsewhere = apiClient(url, { Authorization: `Bearer ${secret}` });
      const upload = async () => (await elsewhere.post(`/sensors/${sensorId}/data`, { value: 1 })).status;
      assert.deepEqual([await upload(), await upload()], [201, 201]);
      await user.api.post('/change_password', {
        ...{ current_password: user.password, new_password: NEW, end_everything: true },
      });
      assert.equal(await upload(), 401);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('lets a service have new tokens once its owner has rotated its secret', async () => {
    const application = await registerApplication(user, { type: 'service' });
    await user.api.post('/change_password', {
      ...{ current_password: user.password, new_password: NEW, end_everything: true },
    });
    const rotated = (await user.api.post(`/oauth/applications/${application.id}/rotate`)).body.application;
    const service = new OAuth2Flow(platform, { ...application, consumer_secret: rotated.consumer_secret });
    assert.equal((await service.request('/oauth2/token', { grant_type: 'client_credentials' })).status, 200);
  });

  it('lets keys and applications go on otherwise, and says so in the answer and by mail', async () => {
    const { sent } = recordMails(platform);
    const change = (from: string, to: string, more = {}) =>
      user.api.post('/change_password', { current_password: from, new_password: to, ...more });
    assert.deepEqual((await change(user.password, NEW)).body, {}, 'there are none');
    const { secret } = await createKey(user);
    assert.deepEqual((await change(NEW, user.password)).body, { warning: WARNING });
    assert.equal(await statusWith(platform, secret), 200);
    assert.deepEqual((await user.api.put(`/users/${user.id}`, { user: { password: NEW } })).body.warning, WARNING);
    await change(NEW, user.password, { end_everything: true });
    const [none = '', stays = '', , ended = ''] = sent.map(({ text }) => text);
    assert.ok(!/keys/i.test(none), none);
    assert.match(stays, /^All other sessions have ended with it\. Keys, and applications .* go on as before/m);
    assert.match(ended, /all keys and all permissions of applications have ended/);
  });
});
