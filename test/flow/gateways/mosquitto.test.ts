import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { MOSQUITTO_PUB, skipWithout } from '../../support/agents/programs';
import { startCuttable } from '../../support/cuttable';
import { buildMqttSource } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { HAS_MOSQUITTO, startMosquitto } from '../../support/mosquitto';
import { connectOtherClient } from '../../support/other-client';
import { startWorkerElsewhere } from '../../support/other-process';
import { until } from '../../support/until';

describe('an MQTT source at Mosquitto', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  before(function () {
    if (!HAS_MOSQUITTO) {
      console.log('      Mosquitto is not installed: these tests are skipped');
      this.skip();
    }
  });
  after(() => platform.container.mqttSources.close());

  const valuesOf = async (name: string) =>
    (
      await platform.query(
        `SELECT p.value FROM data_points p JOIN series s ON s.sensor_id = p.sensor_id
         WHERE s.owner_id = ? AND s.name = ? ORDER BY p.date_ms`,
        [user.id, name],
      )
    ).map(({ value }) => String(value));

  const isSubscribed = async (id: string) => {
    const [row] = await platform.query('SELECT subscribed FROM mqtt_sources WHERE id = ?', [id]);
    return row?.subscribed !== null;
  };

  for (const version of [4, 5]) {
    it(`has no gap and nothing twice after a kill, with version ${version} of the protocol`, async () => {
      const broker = await startMosquitto();
      const route = await startCuttable(broker.url);
      const other = await connectOtherClient(platform);
      const topic = `version/${version}`;
      let worker: ChildProcess | undefined;
      await platform.container.mqttSources.close();
      try {
        worker = await startWorkerElsewhere(platform, platform.container.config.redisUrl);
        const url = route.url.replace(/\/$/, '');
        const fields = { url, topics: [topic], decoder: 'plain', protocol_version: version };
        const id = await buildMqttSource(user, fields);
        await until('it has subscribed', () => isSubscribed(id));
        await broker.publish(topic, '1');
        await until('it is stored', async () => (await valuesOf(topic)).length === 1);
        await other.beginTransaction();
        await other.query('SELECT id FROM users WHERE id = ? FOR UPDATE', [user.id]);
        for (const value of ['2', '3']) await broker.publish(topic, value);
        await until('the transaction waits', async () => {
          const [row] = await platform.query(
            "SELECT COUNT(*) AS waiting FROM information_schema.processlist WHERE info LIKE '%FROM users WHERE id%FOR UPDATE'",
          );
          return Number(row?.waiting) > 0;
        });
        route.freeze(); // from here on no acknowledgement arrives
        await other.rollback();
        await until('they are stored', async () => (await valuesOf(topic)).length >= 2);
        const ended = once(worker, 'exit');
        worker.kill('SIGKILL');
        await ended;
        for (const value of ['4', '5', '6']) await broker.publish(topic, value);
        platform.container.mqttSources.open();
        await until('all are stored', async () => (await valuesOf(topic)).includes('6'));
        assert.deepEqual(await valuesOf(topic), ['1', '2', '3', '4', '5', '6']);
      } finally {
        worker?.kill('SIGKILL');
        await other.end();
        await route.close();
        await broker.close();
      }
    });
  }

  it('stores many messages in few commits', async () => {
    const broker = await startMosquitto();
    platform.container.mqttSources.open();
    try {
      const fields = { url: broker.url, topics: ['many/#'], decoder: 'json', protocol_version: 5 };
      const id = await buildMqttSource(user, fields);
      await until('it has subscribed', () => isSubscribed(id));
      const messages = Array.from({ length: 2_000 }, (_, index) => index);
      await Promise.all(messages.map((index) => broker.publish(`many/${index % 10}`, JSON.stringify({ index }))));
      const count = async () => (await Promise.all(messages.slice(0, 10).map((at) => valuesOf(`many/${at}`)))).flat();
      await until('all are stored', async () => (await count()).length >= 2_000);
      const indexes = (await count()).map((value) => JSON.parse(value).index);
      assert.deepEqual(
        indexes.sort((a, b) => a - b),
        messages,
      );
    } finally {
      await platform.container.mqttSources.close();
      await broker.close();
    }
  });

  it('lets messages beyond the limit of sensors wait without stopping the others, and stores them later', async () => {
    const broker = await startMosquitto();
    platform.container.mqttSources.open();
    try {
      const id = await buildMqttSource(user, {
        url: broker.url,
        topics: ['limit/#'],
        decoder: 'plain',
        create_limit: 1,
      });
      const get = async () => (await user.api.get(`/mqtt_sources/${id}`)).body.mqtt_source;
      await until('it is connected', async () => (await get()).state === 'connected');
      await broker.publish('limit/known', '0');
      await until('it is stored', async () => (await valuesOf('limit/known')).length === 1);
      for (let n = 1; n <= 8; n += 1) await broker.publish(`limit/${n}`, String(n));
      for (let n = 1; n <= 500; n += 1) await broker.publish('limit/known', String(n));
      await until('the others are stored', async () => (await valuesOf('limit/known')).length === 501);
      await until('they are counted', async () => (await get()).waiting === 8);
      await user.api.put(`/mqtt_sources/${id}`, { mqtt_source: { create_limit: 100 } });
      for (let n = 1; n <= 8; n += 1)
        await until(`${n} is stored`, async () => (await valuesOf(`limit/${n}`)).length === 1);
      assert.equal((await valuesOf('limit/known')).length, 501, 'nothing twice');
    } finally {
      await platform.container.mqttSources.close();
      await broker.close();
    }
  });

  it('stores what mosquitto_pub sends, a retained message as well, once', async function () {
    await skipWithout(this, MOSQUITTO_PUB);
    const broker = await startMosquitto();
    const publish = async (topic: string, lines: string, ...options: string[]) => {
      const { hostname, port } = new URL(broker.url);
      const to = ['-h', hostname, '-p', port, '-q', '1', '-t', topic, '-l', ...options];
      const program = spawn('mosquitto_pub', to, { stdio: ['pipe', 'ignore', 'inherit'] });
      program.stdin.end(lines);
      assert.deepEqual(await once(program, 'exit'), [0, null]);
    };
    try {
      await publish('shell/retained', '17\n', '-r');
      platform.container.mqttSources.open();
      const fields = { url: broker.url, topics: ['shell/#'], decoder: 'plain', protocol_version: 5 };
      const id = await buildMqttSource(user, fields);
      await until('it has subscribed', () => isSubscribed(id));
      const values = Array.from({ length: 500 }, (_, index) => String(index));
      await publish('shell/values', `${values.join('\n')}\n`);
      await until('all are stored', async () => (await valuesOf('shell/values')).length >= values.length);
      assert.deepEqual(await valuesOf('shell/values'), values);
      assert.deepEqual(await valuesOf('shell/retained'), ['17']);
    } finally {
      await platform.container.mqttSources.close();
      await broker.close();
    }
  });
});
