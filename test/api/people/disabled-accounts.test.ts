import assert from 'node:assert/strict';
import { apiClient } from '../../support/api-client';
import { authorize, registerApplication } from '../../support/applications';
import { openStream } from '../../support/event-stream';
import { buildMqttSource, buildSensor, create, createKey, upload } from '../../support/factories';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';
import { startBroker } from '../../support/mqtt-broker';
import { obtainAccess, signedApi } from '../../support/oauth1';
import { OAuth2Flow, statusWith } from '../../support/oauth2';
import type { TestUser } from '../../support/platform';
import { until } from '../../support/until';

describe('a disabled account', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const developer = useUser(platform);

  const set = (name: 'disable' | 'enable', { id, username }: Pick<TestUser, 'id' | 'username'>) =>
    platform.container.services.operations.userControl[name]({ userId: Number(id), username, operator: 'test' });

  it('is refused by tokens of OAuth 1.0a and OAuth 2, which work again afterwards', async () => {
    const application = await registerApplication(developer);
    const signed = signedApi(platform.url, application, await obtainAccess(platform, { user, application }));
    const flow = new OAuth2Flow(platform, application);
    const tokens = await flow.tokens(user, { scope: 'read' });
    await set('disable', user);
    const refused = await signed.get('/sensors');
    assert.deepEqual([refused.status, refused.body.code], [403, 'account_disabled']);
    assert.equal(await statusWith(platform, tokens.access_token), 403);
    const refreshed = await flow.refresh(tokens.refresh_token);
    assert.deepEqual([refreshed.status, refreshed.body.error], [400, 'invalid_grant']);
    const page = await flow.open(user, flow.address({ scope: 'read' }));
    assert.ok(page.status === 403 && /account is disabled/.test(page.text), page.text);
    await set('enable', user);
    assert.equal((await signed.get('/sensors')).status, 200);
    assert.equal(await statusWith(platform, tokens.access_token), 200);
    assert.equal((await flow.refresh(tokens.refresh_token)).status, 200);
  });

  it('takes its applications from their users until it is enabled', async () => {
    const owner = await platform.user();
    const application = await registerApplication(owner);
    const signed = signedApi(platform.url, application, await obtainAccess(platform, { user, application }));
    const { access_token } = await new OAuth2Flow(platform, application).tokens(user, { scope: 'read' });
    await authorize(platform, { user, application });
    await set('disable', owner);
    assert.equal((await signed.get('/sensors')).status, 401);
    assert.equal(await statusWith(platform, access_token), 401);
    assert.equal((await user.api.get('/sensors')).status, 200);
    await set('enable', owner);
    assert.equal((await signed.get('/sensors')).status, 200);
    assert.equal(await statusWith(platform, access_token), 200);
  });

  it('is refused by what agents send, with a large body as well, and its streams end', async () => {
    const sensor = await buildSensor(user);
    const { secret } = await createKey(user, { scopes: ['data:write', 'sensors:create'] });
    const lines = (count: number) => Array.from({ length: count }, (_, n) => `m,n=${n} v=1 1700000000`).join('\n');
    const send = (body: string) =>
      fetch(`${platform.url}/write?precision=s`, {
        method: 'POST',
        headers: { Authorization: `Token ${secret}` },
        body,
      });
    assert.equal((await send(lines(1))).status, 204);
    const stream = await openStream(platform.url, `/sensors/${sensor}/data/stream`, { 'X-SESSION_ID': user.session });
    assert.equal(stream.response.status, 200);
    await set('disable', user);
    for (const body of [lines(1), lines(50_000)]) assert.equal((await send(body)).status, 403);
    await stream.over();
  });

  it('disconnects its MQTT sources, and stores nothing that arrives meanwhile', async () => {
    const broker = await startBroker();
    platform.container.mqttSources.open();
    try {
      const id = await buildMqttSource(user, { url: broker.url, topics: ['a'], decoder: 'plain' });
      const state = async () => (await user.api.get(`/mqtt_sources/${id}`)).body.mqtt_source?.state;
      const count = async () =>
        (
          await platform.query(
            'SELECT p.value FROM data_points p JOIN series s ON s.sensor_id = p.sensor_id WHERE s.owner_id = ?',
            [user.id],
          )
        ).length;
      await until('it is connected', async () => (await state()) === 'connected');
      await until('it has subscribed', () => broker.subscribed.length > 0);
      await broker.publish('a', '1');
      await until('it is stored', async () => (await count()) === 1);
      await set('disable', user);
      await broker.publish('a', '2').catch(() => undefined); // nobody may be connected
      await until('it is disconnected', () => platform.container.mqttSources.describe().startsWith('0 '));
      assert.equal(await count(), 1);
      await set('enable', user);
      await until('it is connected again', async () => (await state()) === 'connected');
      await broker.publish('a', '3');
      await until('messages are stored again', async () => (await count()) > 1);
    } finally {
      await platform.container.mqttSources.close();
      await broker.close();
    }
  });

  it('keeps its data, and what it shares with users, and shows nothing to the public', async () => {
    const reader = await platform.user();
    const sensor = await buildSensor(user);
    await upload(user, sensor, { value: 7 });
    const shared = await user.api.post(`/sensors/${sensor}/users`, { user: { username: reader.username } });
    assert.equal(shared.status, 201, JSON.stringify(shared.body));
    const dashboard = { name: 'Cold store', tiles: [{ kind: 'value', sensors: [sensor], x: 0, y: 0, w: 3, h: 2 }] };
    const { id } = (await create(user, '/dashboards', { dashboard })).dashboard;
    const { public: token } = (await create(user, `/dashboards/${id}/public`, {})).dashboard;
    const publicly = async () => (await platform.anonymous.get(`/public/${token}`)).status;
    assert.equal(await publicly(), 200);
    await set('disable', user);
    assert.equal(await publicly(), 404);
    assert.equal((await reader.api.get(`/sensors/${sensor}/data?last=1`)).status, 200);
    assert.equal(
      (await apiClient(platform.url, {}).post('/login', { username: user.username, password: user.password })).status,
      403,
    );
    await set('enable', user);
    assert.equal(await publicly(), 200);
    const { data } = (await user.api.get(`/sensors/${sensor}/data?last=1`)).body;
    assert.equal(data[0].value, '7');
  });
});
