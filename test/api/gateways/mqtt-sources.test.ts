import assert from 'node:assert/strict';
import { apiClient } from '../../support/api-client';
import { AUTHORITY, SERVER } from '../../support/certificates';
import { buildMqttSource, buildSensor, createKey } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';
import { codeBlocksIn, readPage } from '../../support/markdown';

const SOURCE = {
  name: 'broker at home',
  url: 'mqtts://broker.example.org',
  username: 'platform',
  topics: ['tele/+/SENSOR', 'home/#'],
  decoder: 'tasmota',
};

describe('MQTT sources', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUserPerTest(platform);
  const stranger = useUser(platform);

  const post = (source: object) => user.api.post('/mqtt_sources', { mqtt_source: source });
  const put = (id: string, source: object) => user.api.put(`/mqtt_sources/${id}`, { mqtt_source: source });
  const sealedOf = async (id: string) =>
    (await platform.query('SELECT password FROM mqtt_sources WHERE id = ?', [id]))[0]?.password;

  it('are created, listed, changed and deleted', async () => {
    const { status, body, headers } = await post({ ...SOURCE, password: 'secret' });
    assert.equal(status, 201);
    const { id, client_id } = body.mqtt_source;
    assert.equal(headers.get('location'), `${platform.url}/mqtt_sources/${id}`);
    assert.match(client_id, /^sdp-[0-9a-f]{16}$/);
    assert.deepEqual(body.mqtt_source, {
      ...{ id, ...SOURCE, password: '…', client_id, protocol_version: 4, ca_certificate: null, enabled: true },
      ...{ create_limit: 1_000, state: 'connecting', last_error: '', last_message: null, unreadable: 0 },
      ...{ retained: 'changes', refused: 0, waiting: 0, unchanged: 0, repeated: 0, ignored: 0, incomplete: 0 },
      created: clock.now() / 1000,
    });
    assert.deepEqual((await user.api.get(`/mqtt_sources/${id}`)).body, body);
    const other = await post({ ...SOURCE, username: undefined, client_id: 'mine', topics: ['a', 'a', '+/b'] });
    assert.deepEqual([other.body.mqtt_source.topics, other.body.mqtt_source.password], [['a', '+/b'], '']);
    assert.deepEqual((await user.api.get('/mqtt_sources?total=1')).body, {
      mqtt_sources: [body.mqtt_source, other.body.mqtt_source],
      total: 2,
    });
    const changes = { name: 'b', enabled: false, protocol_version: 5, topics: ['c'], ca_certificate: AUTHORITY };
    const changed = await put(id, { ...changes, decoder: 'json', create_limit: 5 });
    assert.equal(changed.status, 200);
    const expected = { ...body.mqtt_source, ...changes, decoder: 'json', create_limit: 5, state: 'off' };
    assert.deepEqual(changed.body.mqtt_source, expected);
    assert.equal((await put(id, { ca_certificate: null })).body.mqtt_source.ca_certificate, null);
    assert.equal((await put(id, { username: null, password: null })).body.mqtt_source.username, '');
    assert.deepEqual((await user.api.delete(`/mqtt_sources/${id}`)).body, {});
    assert.equal((await user.api.get(`/mqtt_sources/${id}`)).status, 404);
  });

  it('are created by the requests of docs/mqtt.md', async () => {
    const requests = codeBlocksIn(readPage('docs/mqtt.md')).filter(({ language }) => language === 'json');
    assert.equal(requests.length, 6);
    for (const { heading, text } of requests) {
      const { status, body } = await user.api.post('/mqtt_sources', JSON.parse(text));
      assert.equal(status, 201, `${heading}: ${JSON.stringify(body)}`);
    }
  });

  it('refuse what no broker and no topic is', async () => {
    const refusals: [object, string][] = [
      [{ ...SOURCE, name: '' }, 'mqtt_source.name'],
      [{ ...SOURCE, name: undefined }, 'mqtt_source.name'],
      ...[
        '',
        'broker',
        'http://broker.example',
        'mqtt://',
        'mqtt://a@b.example',
        'mqtt://b.example/path',
        'mqtt://b:0',
      ].map((url): [object, string] => [{ ...SOURCE, url }, 'mqtt_source.url']),
      [{ ...SOURCE, url: `mqtt://${'b'.repeat(2_000)}` }, 'mqtt_source.url'],
      [{ ...SOURCE, url: 'ws://b.example/#x' }, 'mqtt_source.url'],
      [{ ...SOURCE, topics: undefined }, 'mqtt_source.topics'],
      [{ ...SOURCE, topics: [] }, 'mqtt_source.topics'],
      [{ ...SOURCE, topics: Array.from({ length: 51 }, (_, index) => `t/${index}`) }, 'mqtt_source.topics'],
      ...['', 'a/#/b', 'a#', 'a/b+', '+a', '$share/g/a', 'a\u0000b', 'x'.repeat(1_001)].map(
        (topic): [object, string] => [{ ...SOURCE, topics: ['a', topic] }, 'mqtt_source.topics[1]'],
      ),
      [{ ...SOURCE, decoder: 'xml' }, 'mqtt_source.decoder'],
      [{ ...SOURCE, decoder: undefined }, 'mqtt_source.decoder'],
      [{ ...SOURCE, protocol_version: 3 }, 'mqtt_source.protocol_version'],
      [{ ...SOURCE, client_id: 'a\nb' }, 'mqtt_source.client_id'],
      [{ ...SOURCE, create_limit: -1 }, 'mqtt_source.create_limit'],
      [{ ...SOURCE, password: '…' }, 'mqtt_source.password'],
      [{ ...SOURCE, ca_certificate: 'x' }, 'mqtt_source.ca_certificate'],
      [{ ...SOURCE, ca_certificate: SERVER.cert }, 'mqtt_source.ca_certificate'],
    ];
    for (const [source, field] of refusals) {
      const { status, body } = await post(source);
      assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, [field]], JSON.stringify([source, body]));
    }
    assert.deepEqual((await user.api.get('/mqtt_sources')).body.mqtt_sources, []);
  });

  it('keep the password encrypted, for its broker alone', async () => {
    const { id } = (await post({ ...SOURCE, password: 'secret' })).body.mqtt_source;
    const sealed = await sealedOf(id);
    assert.ok(!String(sealed).includes('secret'));
    for (const same of [{ password: '…' }, { name: 'n' }, { url: 'mqtts://BROKER.example.org:8883' }]) {
      assert.equal((await put(id, same)).status, 200);
      assert.equal(await sealedOf(id), sealed, 'nothing changed');
    }
    const moved = ['mqtts://other.example.org', 'mqtts://broker.example.org:8884', 'mqtt://broker.example.org:8883'];
    for (const url of moved) {
      for (const kept of [{}, { password: '…' }]) {
        const { status, body } = await put(id, { url, ...kept });
        assert.deepEqual([status, Object.keys(body.fields)], [400, ['mqtt_source.password']], url);
      }
    }
    assert.equal((await put(id, { url: moved[0], password: 'other' })).body.mqtt_source.password, '…');
    assert.notEqual(await sealedOf(id), sealed);
    assert.equal((await put(id, { password: null })).body.mqtt_source.password, '');
    assert.equal((await put(id, { url: moved[1] })).status, 200, 'without a password there is none to protect');
  });

  it('belong to their owner, need the scope write to change, and end with the account', async () => {
    const id = await buildMqttSource(user);
    for (const answer of [
      await stranger.api.get(`/mqtt_sources/${id}`),
      await stranger.api.put(`/mqtt_sources/${id}`, { mqtt_source: { name: 'mine' } }),
      await stranger.api.delete(`/mqtt_sources/${id}`),
      await user.api.get('/mqtt_sources/x'),
    ]) {
      assert.equal(answer.status, 404);
    }
    const as = async (fields: object) =>
      apiClient(platform.url, { Authorization: `Bearer ${(await createKey(user, { ...fields })).secret}` });
    const reader = await as({ scopes: ['read'] });
    assert.equal((await reader.get('/mqtt_sources')).body.mqtt_sources.length, 1);
    assert.equal((await reader.post('/mqtt_sources', { mqtt_source: SOURCE })).body.code, 'insufficient_scope');
    const limited = await as({ sensors: [await buildSensor(user)] });
    assert.equal((await limited.get(`/mqtt_sources/${id}`)).status, 403);
    assert.equal((await user.api.delete(`/users/${user.id}`)).status, 200);
    assert.deepEqual(await platform.query('SELECT id FROM mqtt_sources WHERE id = ?', [id]), []);
  });

  it('are at most 20, even when requests come at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 22 }, () => post(SOURCE)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(20).fill(201), 409, 409]);
  });

  it('have at most 5 different certificates', async () => {
    const certificates = Array.from({ length: 6 }, (_, count) => `${AUTHORITY}${'\n'.repeat(count)}`);
    for (const ca_certificate of [...certificates.slice(0, 5), AUTHORITY]) {
      assert.equal((await post({ ...SOURCE, ca_certificate })).status, 201);
    }
    const refused = await post({ ...SOURCE, ca_certificate: certificates[5] });
    assert.equal(refused.status, 409);
    assert.match(refused.body.error ?? refused.body.message, /5 different certificates/);
    const { id } = (await post(SOURCE)).body.mqtt_source;
    assert.equal((await put(id, { ca_certificate: certificates[5] })).status, 409);
    assert.equal((await put(id, { ca_certificate: AUTHORITY })).status, 200);
  });

  it('show the state of the worker only as long as it has the lease', async () => {
    const id = await buildMqttSource(user);
    const lease = (untilMs: number) =>
      platform.query("UPDATE mqtt_sources SET state = 'connected', leased_until_ms = ? WHERE id = ?", [untilMs, id]);
    const state = async () => (await user.api.get(`/mqtt_sources/${id}`)).body.mqtt_source.state;
    await lease(clock.now() + 1);
    assert.equal(await state(), 'connected');
    await lease(clock.now() - 1);
    assert.equal(await state(), 'connecting');
  });
});
