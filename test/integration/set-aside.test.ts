import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queuePrefix } from '../../jobs/queues';
import { BegunWork } from '../../src/fairness/quarantine/begun-work';
import { PackOldPoints } from '../../src/maintenance/pack-old-points';
import { handleTraining } from '../../workers/training.worker';
import { adminOf } from '../support/admin';
import { chunksOf, countRows } from '../support/chunks';
import { buildMqttSource, buildSensor, buildTrigger, upload } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { startBroker } from '../support/mqtt-broker';
import { buildLearningService } from '../support/recognition';
import { Stopwatch } from '../support/stopwatch';
import { until } from '../support/until';

const ROOT = join(__dirname, '../..');
const AGE_MS = 60_000;
/** Sources are tried for some seven seconds: 20 of them one after another would take more than two minutes. */
const TOGETHER_MS = 90_000;

/** The work runs in this process, as that of a worker; three processes have begun it before and not ended it. */
describe('work that has ended three processes', function () {
  this.timeout(180_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const { admin, json } = adminOf(platform);
  const folder = mkdtempSync(join(tmpdir(), 'sensors-poison-'));
  const former = { ...process.env };

  before(() => {
    const { mysqlUrl, redisUrl, redisPrefix, dataDir } = platform.container.config;
    const hooks = ['scripts/swc-hook.cjs', 'test/support/poison.cjs'].map((file) => `--require=${join(ROOT, file)}`);
    // The lone process has the environment of its parent.
    Object.assign(process.env, { MYSQL_URL: mysqlUrl, REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix });
    Object.assign(process.env, { DATA_DIR: dataDir, NODE_OPTIONS: hooks.join(' '), POISON_FILE: join(folder, 'file') });
  });
  beforeEach(() => platform.query('DELETE FROM quarantine'));
  after(() => {
    platform.container.lone.close();
    for (const name of Object.keys(process.env)) if (!(name in former)) delete process.env[name];
    Object.assign(process.env, former);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Plants the work, and the pattern of the packet that ends the process which does it. */
  const plant = async (kind: string, id: string, poison: string) => {
    writeFileSync(join(folder, 'file'), poison);
    const key = `${queuePrefix(platform.container.config.redisPrefix)}:begun:${kind}:${id}`;
    for (const dead of ['first', 'second', 'third']) await platform.container.redis.hset(key, dead, 1);
  };
  const setAside = async () =>
    (await json('quarantine', 'list')) as { kind: string; thingId: number; reason: string }[];

  it('is done by the lone process, if it does not end that one', async () => {
    const id = await buildOld();
    await plant('packing', id, 'nothing matches this');
    await pack();
    assert.ok((await chunksOf(platform, id)).length > 0);
    assert.deepEqual(await setAside(), []);
  });

  it('is packing: the points of the sensor stay rows, and those of others are packed', async () => {
    const [poison, harmless] = [await buildOld(), await buildOld()];
    const rows = await countRows(platform, poison);
    await plant('packing', poison, `FROM data_points WHERE sensor_id = ${poison} .*FOR UPDATE`);
    await pack();
    assert.deepEqual([(await chunksOf(platform, poison)).length, await countRows(platform, poison)], [0, rows]);
    assert.ok((await chunksOf(platform, harmless)).length > 0);
    assert.deepEqual(
      (await setAside()).map(({ kind, thingId }) => [kind, thingId]),
      [['packing', Number(poison)]],
    );
    const verified = await admin('verify', '--quiet');
    assert.match(verified.output, /no-work-is-set-aside/);
    await json('quarantine', 'release', 'packing', poison);
    writeFileSync(join(folder, 'file'), '');
    await pack();
    assert.ok((await chunksOf(platform, poison)).length > 0, 'it is tried again once it is released');
  });

  it('is training: the jobs of the service fail, with the reason', async () => {
    const sensorId = await buildSensor(user);
    const { id: service } = await buildLearningService(user, [sensorId]);
    await platform.query(
      `INSERT INTO training_jobs (service_id, label, start_ms, end_ms, points, status, created_ms)
       VALUES (?, 'still', 1, 2, 1, 'pending', 1)`,
      [service],
    );
    await plant('training', service, `training_jobs.*service_id.? = ${service} .*LIMIT 1`);
    assert.equal(await handleTraining({ serviceId: Number(service) }, platform.container), 'alone');
    const [job] = await platform.query('SELECT status, error FROM training_jobs WHERE service_id = ?', [service]);
    assert.equal(job?.status, 'failed');
    assert.match(String(job?.error), /set aside/);
    assert.deepEqual(
      (await setAside()).map(({ kind }) => kind),
      ['training'],
    );
  });

  it('is a selector: its trigger says why, and other selectors are followed', async () => {
    const sensorId = await buildSensor(user);
    await user.api.put(`/sensors/${sensorId}/metatags`, { metatags: { kind: ['poison', 'cold'] } });
    const selecting = (value: string) => ({
      expression: 'sensor_data_value > 0',
      selector: { filter: { metatag_statement_groups: [[{ metatag_name: 'kind', operator: 'equal', value }]] } },
    });
    const poison = await buildTrigger(user, selecting('poison'));
    const harmless = await buildTrigger(user, selecting('cold'));
    await platform.query('DELETE FROM sensor_triggers');
    await user.api.put(`/sensors/${sensorId}/metatags`, { metatags: { kind: ['poison', 'cold', 'new'] } });
    await plant('selector', poison, "SELECT.*'poison'");
    const connected = async () =>
      (await platform.query('SELECT trigger_id AS id FROM sensor_triggers')).map(({ id }) => String(id));
    await until('the other one is followed', async () => {
      await platform.container.services.selectorFollower.run();
      return (await connected()).length > 0;
    });
    const errorOf = async (id: string) => (await user.api.get(`/triggers/${id}`)).body.trigger.selector_error;
    assert.match(await errorOf(poison), /set aside/);
    assert.equal(await errorOf(harmless), '');
    assert.deepEqual(await connected(), [harmless]);
  });

  it('is a selector that the lone process could not follow: it waits, and is followed later', async () => {
    const sensorId = await buildSensor(user);
    const selector = {
      filter: { metatag_statement_groups: [[{ metatag_name: 'kind', operator: 'equal', value: 'late' }]] },
    };
    const triggerId = await buildTrigger(user, { expression: 'sensor_data_value > 0', selector });
    await user.api.put(`/sensors/${sensorId}/metatags`, { metatags: { kind: ['late'] } });
    await plant('selector', triggerId, 'nothing matches this');
    const { lone, services } = platform.container;
    lone.close();
    const connections = async () =>
      (await platform.query('SELECT id FROM sensor_triggers WHERE trigger_id = ?', [triggerId])).length;
    const { MYSQL_URL } = process.env;
    process.env.MYSQL_URL = 'mysql://nobody@127.0.0.1:1/nothing';
    await assert.rejects(services.selectorFollower.run(), /could not be done alone/);
    assert.equal(await connections(), 0);
    process.env.MYSQL_URL = MYSQL_URL;
    await until('it is followed', async () => {
      await services.selectorFollower.run().catch(() => undefined); // the former process may still end
      return (await connections()) === 1;
    });
  });

  it('is no work that one process has begun three times, or that has ended', async () => {
    const { redisClient, config } = platform.container;
    const [first, second, third, fourth] = Array.from(
      { length: 4 },
      () => new BegunWork(redisClient, config.redisPrefix),
    );
    const deaths = [];
    for (const process of [first, first, first, second, third, fourth])
      deaths.push(await process?.begin('selector', [1]));
    assert.deepEqual(deaths, [0, 0, 0, 1, 2, 3]);
    fourth?.end('selector', [1]);
    assert.equal(await first?.begin('selector', [1]), 0);
  });

  it('is an MQTT source: it is not connected, and its error says why', async () => {
    // Lone processes see the loopback network only if the setting is theirs, too.
    process.env.DELIVERY_ALLOW_NETWORKS = '127.0.0.0/8';
    const broker = await startBroker();
    try {
      const id = await buildMqttSource(user, { url: broker.url, topics: ['a'] });
      await plant('source', id, 'MQTT'); // its first packet
      platform.container.mqttSources.open();
      const source = async () => (await user.api.get(`/mqtt_sources/${id}`)).body.mqtt_source;
      await until('it is set aside', async () => /set aside/.test((await source()).last_error));
      assert.equal((await source()).state, 'failed');
      assert.deepEqual(
        (await setAside()).map(({ kind, thingId }) => [kind, thingId]),
        [['source', Number(id)]],
      );
    } finally {
      await platform.container.mqttSources.close();
      await broker.close();
    }
  });

  it('is one of 21 MQTT sources: the 20 of another user are tried together, and connected first', async () => {
    process.env.DELIVERY_ALLOW_NETWORKS = '127.0.0.0/8';
    const [other, broker] = [await platform.user(), await startBroker()];
    try {
      const topics = { url: broker.url, topics: ['a'] };
      const bad = await buildMqttSource(user, { ...topics, client_id: 'the-bad-one' });
      const good = await Promise.all(Array.from({ length: 20 }, () => buildMqttSource(other, topics)));
      await Promise.all([bad, ...good].map((id) => plant('source', id, 'the-bad-one')));
      const watch = new Stopwatch();
      platform.container.mqttSources.open();
      const states = async () => (await other.api.get('/mqtt_sources')).body.mqtt_sources as { state: string }[];
      await until(
        'the others are connected',
        async () => (await states()).every(({ state }) => state === 'connected'),
        300_000,
      );
      const tookMs = watch.stop();
      assert.ok(tookMs < TOGETHER_MS, `after ${tookMs} ms`);
      const found = async () => (await setAside()).map(({ kind, thingId }) => [kind, thingId]);
      await until('the bad one is set aside', async () => (await found()).length > 0);
      assert.deepEqual(await found(), [['source', Number(bad)]]);
    } finally {
      await platform.container.mqttSources.close();
      await broker.close();
    }
  });

  it('is a request: it is refused, and other requests of the user, and of others, are not', async () => {
    const sensorId = await buildSensor(user);
    const key = `request:${user.id}:POST /triggers/backtest`;
    for (const dead of ['first', 'second', 'third']) {
      await platform.container.redis.hset(
        `${queuePrefix(platform.container.config.redisPrefix)}:begun:${key}`,
        dead,
        1,
      );
    }
    const rule = { trigger: { expression: 'sensor_data_value > 0' }, sensor_ids: [sensorId] };
    const { status, body, headers } = await user.api.post('/triggers/backtest', rule);
    assert.deepEqual([status, headers.get('retry-after')], [503, '3600']);
    assert.match(body.error, /has ended each of 3 processes that answered it/);
    assert.equal((await user.api.get(`/sensors/data?sensor_id=${sensorId}`)).status, 200);
    const other = await platform.user();
    const own = { ...rule, sensor_ids: [await buildSensor(other)] };
    assert.equal((await other.api.post('/triggers/backtest', own)).status, 200);
    assert.deepEqual(
      (await setAside()).map(({ kind, thingId }) => [kind, thingId]),
      [['request', Number(user.id)]],
    );
  });

  it('is no request that several users make at the same time, or that processes answer which are alive', async () => {
    const sensorId = await buildSensor(user);
    const path = `/sensors/data?sensor_id=${sensorId}`;
    const answers = await Promise.all(Array.from({ length: 12 }, () => user.api.get(path)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const prefix = queuePrefix(platform.container.config.redisPrefix);
    for (const alive of ['a', 'b', 'c']) {
      await platform.container.redis.hset(`${prefix}:begun:request:${user.id}:GET /sensors/data`, alive, 1);
      await platform.container.redis.set(`${prefix}:alive:${alive}`, '1', 'PX', 60_000);
    }
    assert.equal((await user.api.get(path)).status, 200);
  });

  const buildOld = async () => {
    const id = await buildSensor(user);
    const start = Math.floor(Date.now() / 1_000) - 40 * 86_400;
    await upload(
      user,
      id,
      Array.from({ length: 3_000 }, (_, index) => ({ value: index, date: start + index * 60 })),
    );
    return id;
  };
  const pack = async () => {
    const { database, clock, logger, careful } = platform.container;
    const task = new PackOldPoints(database.pool, clock, AGE_MS, { number: 0, of: 1 }, logger, careful);
    for (let position = 0, isDone = false; !isDone; ) ({ position, isDone } = await task.step(position));
  };
});
