import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Cuttable, startCuttable } from '../../support/cuttable';
import { buildMqttSource } from '../../support/factories';
import { useCuttable, usePlatform, useUser } from '../../support/hooks';
import { type Broker, startBroker } from '../../support/mqtt-broker';
import { connectOtherClient } from '../../support/other-client';
import { startWorkerElsewhere } from '../../support/other-process';
import { type Platform, registerUser, type TestUser } from '../../support/platform';
import { until } from '../../support/until';

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

const stateOf = async ({ api }: TestUser, id: string) => (await api.get(`/mqtt_sources/${id}`)).body.mqtt_source;

async function valuesOf(platform: Platform, user: TestUser, name: string): Promise<string[]> {
  const sql = `SELECT p.value FROM data_points p JOIN series s ON s.sensor_id = p.sensor_id
    WHERE s.owner_id = ? AND s.name = ? ORDER BY p.date_ms`;
  return (await platform.query(sql, [user.id, name])).map(({ value }) => String(value));
}

describe('an MQTT source in several processes', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let broker: Broker;
  let worker: ChildProcess | undefined;

  beforeEach(async () => {
    broker = await startBroker();
  });
  afterEach(async () => {
    worker?.kill('SIGKILL');
    await platform.container.mqttSources.close();
    await broker.close();
  });

  it('has no gap and nothing twice when its worker is killed between the commit and the acknowledgement', async () => {
    const route: Cuttable = await startCuttable(broker.url);
    const other = await connectOtherClient(platform);
    try {
      worker = await startWorkerElsewhere(platform, platform.container.config.redisUrl);
      await buildMqttSource(user, { url: route.url.replace(/\/$/, ''), topics: ['k'], decoder: 'plain' });
      await until('it subscribes', () => broker.subscribed.length > 0);
      await broker.publish('k', '1');
      await until('the first is acknowledged', () => broker.acknowledged.length === 1);
      await other.beginTransaction();
      await other.query('SELECT id FROM users WHERE id = ? FOR UPDATE', [user.id]);
      for (const value of ['2', '3']) await broker.publish('k', value);
      await until('the transaction waits', async () => {
        const [row] = await platform.query(
          "SELECT COUNT(*) AS waiting FROM information_schema.processlist WHERE info LIKE '%FROM users WHERE id%FOR UPDATE'",
        );
        return Number(row?.waiting) > 0;
      });
      route.freeze(); // from here on no acknowledgement arrives
      await other.rollback();
      await until('they are stored', async () => (await valuesOf(platform, user, 'k')).length >= 2);
      const ended = once(worker, 'exit');
      worker.kill('SIGKILL');
      await ended;
      assert.deepEqual(broker.acknowledged, ['1']);
      for (const value of ['4', '5']) await broker.publish('k', value);
      platform.container.mqttSources.open();
      await until('all are acknowledged', () => broker.acknowledged.includes('5'));
      assert.deepEqual(broker.acknowledged.sort(), numbers(1, 5));
      assert.deepEqual(await valuesOf(platform, user, 'k'), numbers(1, 5));
    } finally {
      await other.end();
      await route.close();
    }
  });

  it('has one connection, which another worker takes over when the first one ends', async () => {
    worker = await startWorkerElsewhere(platform, platform.container.config.redisUrl);
    await buildMqttSource(user, { url: broker.url, topics: ['w'], decoder: 'plain' });
    await until('it subscribes', () => broker.subscribed.length > 0);
    platform.container.mqttSources.open();
    for (const value of numbers(1, 20)) await broker.publish('w', value);
    await until('all are acknowledged', () => broker.acknowledged.length === 20);
    const ended = once(worker, 'exit');
    worker.kill('SIGTERM');
    for (const value of numbers(21, 40)) await broker.publish('w', value);
    await ended;
    await until('all others are acknowledged', () => broker.acknowledged.length === 40);
    assert.deepEqual(await valuesOf(platform, user, 'w'), numbers(1, 40));
    assert.equal(broker.connects.length, 2);
    assert.equal(broker.clients, 1);
  });
});

describe('an MQTT source without its database', () => {
  const mysql = useCuttable('MYSQL_URL');
  const platform = usePlatform(() => ({ config: { MYSQL_URL: mysql.url } }));
  let broker: Broker;
  let user: TestUser;

  beforeEach(async () => {
    user = await registerUser(platform.url, platform.anonymous);
    broker = await startBroker();
    platform.container.mqttSources.open();
  });
  afterEach(async () => {
    await platform.container.mqttSources.close();
    await broker.close();
  });

  it('stores messages once whose commit has succeeded, though its answer is lost', async () => {
    await buildMqttSource(user, { url: broker.url, topics: ['a'], decoder: 'plain' });
    await until('it subscribes', () => broker.subscribed.length > 0);
    await broker.publish('a', '1');
    await until('it is acknowledged', () => broker.acknowledged.length === 1);
    mysql.holdAnswers('INSERT INTO data_points');
    await broker.publish('a', '2');
    await until('it is stored', async () => (await valuesOf(platform, user, 'a')).length === 2);
    await mysql.cut();
    await mysql.restore();
    await broker.publish('a', '3');
    await until('all are acknowledged', () => broker.acknowledged.length === 3);
    assert.deepEqual(await valuesOf(platform, user, 'a'), numbers(1, 3));
  });

  it('loses nothing: messages wait until they are stored', async () => {
    await buildMqttSource(user, { url: broker.url, topics: ['m'], decoder: 'plain' });
    await until('it subscribes', () => broker.subscribed.length > 0);
    await broker.publish('m', '1');
    await until('it is acknowledged', () => broker.acknowledged.length === 1);
    await mysql.cut();
    for (const value of numbers(2, 30)) await broker.publish('m', value);
    assert.deepEqual(broker.acknowledged, ['1']);
    await mysql.restore();
    await until('all are acknowledged', () => broker.acknowledged.length === 30);
    assert.deepEqual(await valuesOf(platform, user, 'm'), numbers(1, 30));
  });
});

describe('an MQTT source beyond the limit of points', () => {
  const platform = usePlatform({ config: { RATE_LIMIT_POINTS: '2' } });
  const user = useUser(platform);

  it('loses nothing: the broker keeps the messages', async () => {
    const broker = await startBroker();
    platform.container.mqttSources.open();
    try {
      const id = await buildMqttSource(user, { url: broker.url, topics: ['q'], decoder: 'plain' });
      await until('it subscribes', () => broker.subscribed.length > 0);
      for (const value of numbers(1, 25)) await broker.publish('q', value);
      await until('the allowance is used', () => broker.acknowledged.length === 25);
      for (const value of numbers(26, 30)) await broker.publish('q', value);
      await until('it waits', async () => (await stateOf(user, id)).last_error.includes('too many data points'));
      await until('all are acknowledged', () => broker.acknowledged.length === 30);
      assert.deepEqual(await valuesOf(platform, user, 'q'), numbers(1, 30));
    } finally {
      await platform.container.mqttSources.close();
      await broker.close();
    }
  });
});

describe('an MQTT source at a private address', () => {
  const platform = usePlatform({ config: { DELIVERY_ALLOW_NETWORKS: '' } });
  const user = useUser(platform);

  it('is not connected to, whatever the address looks like', async () => {
    const broker = await startBroker();
    platform.container.mqttSources.open();
    try {
      const port = new URL(broker.url).port;
      const hosts = ['127.0.0.1', 'localhost', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]'];
      const ids: string[] = [];
      for (const host of hosts) {
        for (const scheme of ['mqtt', 'mqtts', 'ws']) {
          ids.push(await buildMqttSource(user, { url: `${scheme}://${host}:${port}` }));
        }
      }
      for (const id of ids) {
        await until('it is refused', async () => (await stateOf(user, id)).state === 'failed');
        assert.match((await stateOf(user, id)).last_error, /^this installation refuses to connect/);
      }
      assert.deepEqual(broker.connects, []);
    } finally {
      await platform.container.mqttSources.close();
      await broker.close();
    }
  });
});
