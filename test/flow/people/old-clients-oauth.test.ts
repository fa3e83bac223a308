import assert from 'node:assert/strict';
import { registerApplication } from '../../support/applications';
import { usePlatform, useUser } from '../../support/hooks';
import type { Token } from '../../support/oauth1';
import { type Call, idIn, type Kept, type Parameters, pythonClient } from '../../support/old-clients';
import { type OldConsumer, type OldSigner, pythonSigner, rubySigner } from '../../support/old-clients-oauth';

const CALLBACK = 'http://www.example.org';

describe('old clients in their OAuth mode', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let consumer: OldConsumer;

  before(async () => {
    const { consumer_key, consumer_secret } = await registerApplication(user, { callback_url: CALLBACK });
    consumer = { key: consumer_key, secret: consumer_secret };
  });

  const tokenIn = ({ status, json }: Kept): Token => {
    assert.equal(status, 200, JSON.stringify(json));
    return { key: json.oauth_token, secret: json.oauth_token_secret };
  };
  /** As the Python library does it for its user: the session goes along in the query of an empty POST. */
  const allow = async (token: Token): Promise<string> => {
    const parameters = { oauth_token: token.key, tok_expir: '1', action: 'ALLOW', session_id: user.session };
    const query = new URLSearchParams(parameters);
    const type = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: '*' };
    const { status, headers } = await platform.anonymous.post(`/oauth/provider_authorize?${query}`, '', type);
    assert.equal(status, 302);
    return new URL(headers.get('location') ?? '').searchParams.get('oauth_verifier') ?? '';
  };

  const clients: [string, OldSigner, 'GET' | 'POST'][] = [
    ['Python', pythonSigner, 'GET'],
    ['Ruby', rubySigner, 'POST'],
  ];
  for (const [name, sign, method] of clients) {
    describe(`in ${name}`, () => {
      let call: Call;

      it('obtain access', async () => {
        const asked = await sign(platform.url, consumer)(method, '/oauth/request_token', { oauth_callback: CALLBACK });
        const token = tokenIn(asked);
        const oauth_verifier = await allow(token);
        const access = await sign(platform.url, consumer, token)(method, '/oauth/access_token', { oauth_verifier });
        call = sign(platform.url, consumer, tokenIn(access));
        assert.equal((await call('GET', '/users/current.json')).json.user.id, user.id);
      });

      it('create, change, list and delete a sensor', async () => {
        const sensor = { name: 'Zoë & "x"=1', display_name: '', device_type: 'x', pager_type: '', data_type: 'float' };
        const created = await call('POST', '/sensors.json', { sensor });
        assert.equal(created.status, 201, JSON.stringify(created.json));
        const id = idIn(created);
        assert.equal(
          (await call('PUT', `/sensors/${id}.json`, { sensor: { ...sensor, name: 'top' } })).json.sensor.name,
          'top',
        );
        const template = { page: 0, per_page: 100, shared: 0, owned: 1, physical: 0, details: 'full' };
        const { sensors } = (await call('GET', '/sensors.json', template)).json;
        assert.equal(sensors.find((one: Parameters) => one.id === id).name, 'top');
        assert.equal((await call('DELETE', `/sensors/${id}.json`)).status, 200);
      });

      it('upload, read and find', async () => {
        const id = idIn(await call('POST', '/sensors.json', { sensor: { name: 'light' } }));
        const data = [
          { value: '{"lux": 5}', date: 1_343_055_000 },
          { value: 6, date: 1_343_055_001.5 },
        ];
        assert.equal((await call('POST', `/sensors/${id}/data.json`, { data })).status, 201);
        assert.equal((await call('POST', '/sensors/data.json', { sensors: [{ sensor_id: id, data }] })).status, 201);
        const range = {
          page: 0,
          per_page: 100,
          start_date: 0,
          end_date: 4_294_967_296,
          date: 0,
          next: 0,
          last: 0,
          sort: 'ASC',
          total: 1,
        };
        const read = (await call('GET', `/sensors/${id}/data.json`, range)).json;
        assert.deepEqual([read.total, read.data[0].value], [2, '{"lux": 5}']);
        const filter = {
          filter: { property_statement_groups: [[{ parameter_name: 'name', operator: 'equals', value: 'light' }]] },
        };
        assert.equal((await call('POST', '/sensors/find.json', filter)).status, 200);
      });

      it('read the reason of a failure from the body', async () => {
        const { status, json } = await call('POST', '/triggers.json', { trigger: { name: 'odd', expression: '1 +' } });
        assert.deepEqual([status, typeof json.error], [400, 'string']);
        const refused = await sign(platform.url, consumer, { key: 'unknown', secret: 'x' })(
          'GET',
          '/users/current.json',
        );
        assert.deepEqual([refused.status, typeof refused.json.error], [401, 'string']);
      });
    });
  }

  it('may use a session at the same time for what is not signed', async () => {
    assert.equal((await pythonClient(platform.url, user.session)('GET', '/users/current.json')).status, 200);
  });
});
