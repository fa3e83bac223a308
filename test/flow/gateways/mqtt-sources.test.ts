import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { AUTHORITY } from '../../support/certificates';
import { buildMqttSource } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { type Broker, startBroker } from '../../support/mqtt-broker';
import { connectOtherClient } from '../../support/other-client';
import { until } from '../../support/until';

describe('MQTT sources and their brokers', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let broker: Broker;

  before(() => platform.container.mqttSources.open());
  after(() => platform.container.mqttSources.close());
  beforeEach(async () => {
    broker = await startBroker();
  });
  afterEach(async () => {
    await platform.query('DELETE FROM mqtt_sources');
    await broker.close();
  });

  const get = async (id: string) => (await user.api.get(`/mqtt_sources/${id}`)).body.mqtt_source;
  const put = (id: string, mqtt_source: object) => user.api.put(`/mqtt_sources/${id}`, { mqtt_source });
  const valuesOf = async (name: string) =>
    (
      await platform.query(
        `SELECT p.value FROM data_points p JOIN series s ON s.sensor_id = p.sensor_id
         WHERE s.owner_id = ? AND s.name = ? ORDER BY p.date_ms`,
        [user.id, name],
      )
    ).map(({ value }) => String(value));
  const connected = async (fields: object) => {
    const id = await buildMqttSource(user, { url: broker.url, ...fields });
    await until('it is connected', async () => (await get(id)).state === 'connected');
    await until('it has subscribed', () => broker.subscribed.length > 0);
    return id;
  };

  it('become points of sensors that appear, and are acknowledged in their order', async () => {
    const id = await connected({ topics: ['a/#'], decoder: 'plain' });
    for (let value = 1; value <= 50; value += 1) await broker.publish('a/number', String(value));
    await broker.publish('a/text', 'warm', { qos: 0 });
    await until('all are acknowledged', () => broker.acknowledged.length === 50);
    const expected = Array.from({ length: 50 }, (_, index) => String(index + 1));
    assert.deepEqual(broker.acknowledged, expected);
    assert.deepEqual(await valuesOf('a/number'), expected);
    await until('the text is stored', async () => (await valuesOf('a/text')).join() === 'warm');
    const { last_error, last_message, unreadable } = await get(id);
    assert.deepEqual([last_error, unreadable], ['', 0]);
    assert.ok(last_message > 0);
    const { sensors } = (await user.api.get('/sensors?details=full')).body;
    const sensor = sensors.find(({ name }: { name: string }) => name === 'a/number');
    assert.deepEqual([sensor.data_type, sensor.device_type], ['float', 'mqtt']);
  });

  it('are acknowledged only after the commit', async () => {
    await connected({ topics: ['b'] });
    const other = await connectOtherClient(platform);
    try {
      await other.beginTransaction();
      await other.query('SELECT id FROM users WHERE id = ? FOR UPDATE', [user.id]);
      await broker.publish('b', '{"v":1}');
      await broker.publish('b', '{"v":2}');
      await until('the transaction waits', async () => {
        const [row] = await platform.query(
          "SELECT COUNT(*) AS waiting FROM information_schema.processlist WHERE info LIKE '%FROM users WHERE id%FOR UPDATE'",
        );
        return Number(row?.waiting) > 0;
      });
      assert.deepEqual(broker.acknowledged, []);
      assert.deepEqual(await valuesOf('b'), []);
    } finally {
      await other.rollback();
      await other.end();
    }
    await until('both are acknowledged', () => broker.acknowledged.length === 2);
    assert.deepEqual(await valuesOf('b'), ['{"v":1}', '{"v":2}']);
  });

  it('go on after a restart of the broker, with what it kept', async () => {
    await connected({ topics: ['c'], decoder: 'plain' });
    await broker.publish('c', '1');
    await until('it is acknowledged', () => broker.acknowledged.length === 1);
    await broker.cut();
    for (const value of ['2', '3']) await broker.publish('c', value);
    await broker.restore();
    await until('the others are acknowledged', () => broker.acknowledged.length === 3);
    assert.deepEqual(await valuesOf('c'), ['1', '2', '3']);
    assert.deepEqual(broker.subscribed, ['c'], 'subscribing again would bring retained messages again');
  });

  it('wait a second after a connection that lasted some seconds, and longer and longer after others', async () => {
    const id = await connected({ topics: ['e'] });
    /** How long it waits after a connection of such a length that follows eight failures. */
    const pauseAfter = async (lastedMs: number) => {
      await broker.cut();
      await until('it has failed', async () => (await get(id)).state === 'failed');
      await broker.restore();
      await platform.query('UPDATE mqtt_sources SET failures = 8, next_try_ms = 0 WHERE id = ?', [id]);
      await until('it is connected again', async () => (await get(id)).state === 'connected');
      await sleep(lastedMs);
      await broker.cut();
      await until('it has failed again', async () => (await get(id)).state === 'failed');
      const [row] = await platform.query('SELECT next_try_ms AS nextMs FROM mqtt_sources WHERE id = ?', [id]);
      await broker.restore();
      return Number(row?.nextMs) - Date.now();
    };
    assert.ok((await pauseAfter(5_500)) <= 1_000);
    assert.ok((await pauseAfter(0)) > 100_000);
  });

  it('name what can never be read, count it, and go on', async () => {
    const id = await connected({ topics: ['d/#'] });
    const hostile: [string, string | Buffer][] = [
      ['d/json', '{"v":'],
      ['d/utf8', Buffer.of(0xff, 0xfe)],
      ['d/deep', '['.repeat(5_000) + ']'.repeat(5_000)],
      ['d/large', `"${'x'.repeat(70_000)}"`],
      ['d/huge', Buffer.alloc(3_000_000, 'x')],
      [`d/${'x'.repeat(3_000)}`, '1'],
      ['d/__proto__', '{"__proto__":{"x":1},"constructor":2}'],
    ];
    for (const [topic, payload] of hostile) await broker.publish(topic, payload);
    await broker.publish('d/last', '{"v":1}');
    await until('the last one is acknowledged', () => broker.acknowledged.at(-1) === '{"v":1}');
    assert.equal(broker.acknowledged.length, hostile.length + 1);
    assert.deepEqual(await valuesOf('d/last'), ['{"v":1}']);
    await until('they are counted', async () => (await get(id)).unreadable === 6);
    assert.match((await get(id)).last_error, /^the message of d\/x+… has a topic that is too long$/);
  });

  it('are connected to by TLS and by WebSocket, with a password', async () => {
    for (const transport of ['mqtts', 'ws'] as const) {
      const other = await startBroker(transport);
      try {
        other.password = 'secret';
        const ca = transport === 'mqtts' ? { ca_certificate: AUTHORITY } : {};
        const login = { username: 'u', password: 'wrong', ...ca };
        const id = await buildMqttSource(user, { url: other.url, topics: ['e'], protocol_version: 4, ...login });
        await until('the password is refused', async () => (await get(id)).state === 'failed');
        assert.match((await get(id)).last_error, /Connection refused/);
        await put(id, { password: 'secret' });
        await until('it subscribes', () => other.subscribed.length > 0);
        await other.publish('e', '1');
        await until('it is acknowledged', () => other.acknowledged.length === 1);
      } finally {
        await other.close();
      }
    }
    assert.deepEqual(await valuesOf('e'), ['1', '1']);
    const strange = await startBroker('mqtts');
    try {
      const id = await buildMqttSource(user, { url: strange.url });
      await until('the certificate is refused', async () => (await get(id)).state === 'failed');
      assert.match((await get(id)).last_error, /^tls: /);
      assert.deepEqual(strange.connects, []);
    } finally {
      await strange.close();
    }
  });

  it('learn from the discovery of Home Assistant, also on an earlier connection', async () => {
    const config = { name: 'Temperature', uniq_id: 'kitchen_t', stat_t: '~/state', unit_of_meas: '°C' };
    const discovery = { ...config, '~': 'kitchen', val_tpl: '{{ value_json.t | round(1) }}', dev: { name: 'Kitchen' } };
    await broker.publish('homeassistant/sensor/kitchen/t/config', JSON.stringify(discovery), { retain: true });
    await connected({ topics: ['homeassistant/#'], decoder: 'homeassistant' });
    await until('it subscribes to the state', () => broker.subscribed.includes('kitchen/state'));
    await broker.publish('kitchen/state', '{"t":21.26}');
    await until('it is acknowledged', () => broker.acknowledged.includes('{"t":21.26}'));
    await broker.cut();
    await broker.publish('kitchen/state', '{"t":22.3}');
    await broker.restore();
    await until('it is acknowledged', () => broker.acknowledged.includes('{"t":22.3}'));
    assert.deepEqual(await valuesOf('homeassistant/sensor/kitchen_t'), ['21.3', '22.3']);
    const { sensors } = (await user.api.get('/sensors?details=full')).body;
    const sensor = sensors.find(({ name }: { name: string }) => name === 'Kitchen Temperature');
    assert.deepEqual([sensor.device_type, sensor.unit], ['homeassistant', '°C']);
  });

  it('keep what discovery said in rows, which end with the source or with its decoder', async () => {
    const topic = 'homeassistant/sensor/row/t/config';
    const id = await connected({ topics: ['homeassistant/#'], decoder: 'homeassistant' });
    const rows = () =>
      platform.query('SELECT CAST(topic AS CHAR) AS topic, content FROM mqtt_descriptions WHERE source_id = ?', [id]);
    await broker.publish(topic, '{"uniq_id":"r","stat_t":"row/1"}');
    await until('it is stored', async () => (await rows()).length === 1);
    await broker.publish(topic, '{"uniq_id":"r","stat_t":"row/2"}');
    await until('it is replaced', async () => String((await rows())[0]?.content).includes('row/2'));
    assert.deepEqual(
      (await rows()).map((row) => row.topic),
      [topic],
    );
    await broker.publish(topic, '');
    await until('it is gone', async () => (await rows()).length === 0);
    await broker.publish(topic, '{"uniq_id":"r","stat_t":"row/3"}');
    await until('it is stored again', async () => (await rows()).length === 1);
    await put(id, { decoder: 'plain' });
    assert.deepEqual(await rows(), []);
  });

  it('wait for a place with a reason, and get one of the owner with the most', async () => {
    const other = await platform.user();
    const ids: string[] = [];
    for (let account = 0; account < 5; account += 1) {
      const owner = account === 0 ? user : await platform.user();
      for (let index = 0; index < 20; index += 1) {
        ids.push(await buildMqttSource(owner, { url: broker.url, topics: ['p'], decoder: 'plain' }));
      }
    }
    await until('all places are taken', () => broker.clients === 100);
    const late = await buildMqttSource(other, { url: broker.url, topics: ['p'], decoder: 'plain' });
    const stateOf = async (state: string) =>
      (await platform.query('SELECT id, last_error FROM mqtt_sources WHERE state = ?', [state])).map((row) => ({
        id: String(row.id),
        error: String(row.last_error),
      }));
    await until('the late one is connected', async () => (await stateOf('connected')).some(({ id }) => id === late));
    await until('one waits', async () => (await stateOf('connecting')).length === 1);
    await until('it says so', async () => /waits for a place/.test((await stateOf('connecting'))[0]?.error ?? ''));
    assert.ok(ids.includes((await stateOf('connecting'))[0]?.id ?? ''));
    const metrics = await fetch(`${platform.url}/metrics`).then((answer) => answer.text());
    assert.match(metrics, /platform_backlog\{what="mqtt_sources"\} 1/);
  });

  it('follow changes of their rows', async () => {
    const id = await connected({ topics: ['f', 'g'], decoder: 'plain' });
    await put(id, { topics: ['g', 'h'] });
    await until('it subscribes to the new topic', () => broker.subscribed.includes('h'));
    assert.deepEqual(broker.subscribed, ['f', 'g', 'h']);
    for (const topic of ['f', 'g', 'h']) await broker.publish(topic, topic);
    await until('the others are acknowledged', () => broker.acknowledged.join() === 'g,h');
    await put(id, { enabled: false });
    assert.equal((await get(id)).state, 'off');
    await until('it is disconnected', () => broker.clients === 0);
    await broker.publish('g', 'kept');
    await put(id, { enabled: true });
    await until('the broker has kept it', () => broker.acknowledged.at(-1) === 'kept');
    await user.api.delete(`/mqtt_sources/${id}`);
    await until('it is disconnected', () => broker.clients === 0);
    assert.deepEqual(await valuesOf('f'), []);
  });
});
