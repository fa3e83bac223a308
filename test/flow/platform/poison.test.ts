import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOldestPoint } from '../../../src/alerts/evaluation/waiting-points';
import { buildAlarm } from '../../support/alarm';
import { buildMqttSource, buildNotification, buildSensor } from '../../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { startBroker } from '../../support/mqtt-broker';
import { Stopwatch } from '../../support/stopwatch';
import { subscribe } from '../../support/subscribe';
import { SupervisedWorker } from '../../support/supervised-worker';
import { until } from '../../support/until';

/** A worker starts again after each death, which takes some seconds on a busy machine. */
const RESTARTS_MS = 180_000;
/** Three processes, and one or two more that began before the deaths of the others were known. */
const MOST_DEATHS = 5;
const SOURCES = 20;
/** Sources are tried for some seven seconds: one after another these would take more than two minutes. */
const TOGETHER_MS = 90_000;

describe('work that ends its process', () => {
  const platform = usePlatform({ config: { SENSOR_PARTITIONS: '1' } });
  const receiver = useReceiver();
  const attacker = useUserPerTest(platform);
  const bystander = useUserPerTest(platform);
  const folder = mkdtempSync(join(tmpdir(), 'sensors-poison-'));
  const file = join(folder, 'patterns');
  const workers: SupervisedWorker[] = [];

  const startWorkers = async (count: number) => {
    const NODE_OPTIONS = `--require=${join(__dirname, '../../support/poison.cjs')}`;
    for (let index = 0; index < count; index += 1) {
      workers.push(new SupervisedWorker(platform, { NODE_OPTIONS, POISON_FILE: file }));
    }
    await Promise.all(workers.map((worker) => worker.start()));
  };
  const deaths = () => workers.reduce((sum, worker) => sum + worker.deaths, 0);
  const quarantine = () => platform.query('SELECT kind, thing_id AS id, owner_id AS ownerId, reason FROM quarantine');

  beforeEach(() => writeFileSync(file, ''));
  afterEach(async () => {
    for (const worker of workers.splice(0)) worker.stop();
    await platform.query('DELETE FROM quarantine');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  // First, because it has no worker yet.
  it('is a point: two workers that have seen it end a process set one point aside, not the one after it', async () => {
    const poison = await buildAlarm(attacker, {
      trigger: { expression: 'lower(sensor_data_value) == "hot"', repeat: 0 },
      notifications: [],
      sensor: { data_type: 'string' },
    });
    const sensorId = Number(poison.sensorId);
    for (const value of ['poison', 'HOT']) await attacker.api.post(`/sensors/${sensorId}/data`, { value });
    const { evaluationConsumer, database } = platform.container;
    const oldestPoint = await readOldestPoint(database.pool, [0], sensorId);
    const one = { partitions: [0], sensorId, mostPoints: 1, oldestPoint, unevaluated: 'not evaluated' };
    assert.equal(await evaluationConsumer.runOne(one), true);
    await assert.rejects(evaluationConsumer.runOne(one), /handled by another pass/);
    assert.equal(await evaluationConsumer.runOne({ partitions: [0], sensorId }), false);
    const { body } = await attacker.api.get(`/firings?sensor_id=${sensorId}`);
    assert.deepEqual(
      body.firings.map(({ variables }: { variables: { sensor_data_value: string } }) => variables.sensor_data_value),
      ['HOT'],
    );
  });

  it('is a point: it is set aside with an error on its trigger, and all others are evaluated', async () => {
    const destination = receiver.url;
    const poison = await buildAlarm(attacker, {
      trigger: { expression: 'lower(sensor_data_value) == "hot"', repeat: 60 },
      notifications: [{ type: 'url', destination, text: 'attacker' }],
      sensor: { data_type: 'string' },
    });
    const alarm = await buildAlarm(bystander, {
      trigger: { expression: 'sensor_data_value > 0' },
      notifications: [{ type: 'url', destination, text: 'bystander' }],
    });
    await attacker.api.post(`/sensors/${poison.sensorId}/data`, { value: 'poison' });
    await bystander.api.post(`/sensors/${alarm.sensorId}/data`, { value: 1 });
    await startWorkers(2);
    const received = (text: string) => receiver.received.some(({ form }) => form.text === text);
    await until('the bystander has the alert', async () => received('bystander'), RESTARTS_MS);
    const connection = async () => {
      const { body } = await attacker.api.get(`/sensors/${poison.sensorId}/triggers/${poison.triggerId}`);
      return body.trigger;
    };
    await until('the trigger has the error', async () => (await connection()).last_error !== '', RESTARTS_MS);
    assert.match(
      (await connection()).last_error,
      /not evaluated: set aside, because it ended each process that did it/,
    );
    const before = deaths();
    assert.ok(before >= 3 && before <= MOST_DEATHS, `${before} workers have died`);
    assert.deepEqual(
      (await quarantine()).map(({ kind, id, ownerId }) => [kind, String(id), String(ownerId)]),
      [['evaluation', String(attacker.id), String(attacker.id)]],
    );
    // Decisions are stored in Redis a moment after the commit.
    await until('the decision is recorded', async () => {
      const { body } = await attacker.api.get(`/sensors/${poison.sensorId}/triggers/${poison.triggerId}/decisions`);
      return body.decisions[0]?.reason === 'cannot-be-evaluated';
    });

    // A point that is harmless is evaluated, apart from all others. A worker that began before it knew of the account may
    // end as well; then no further point ends one.
    await attacker.api.post(`/sensors/${poison.sensorId}/data`, { value: 'poison' });
    await attacker.api.post(`/sensors/${poison.sensorId}/data`, { value: 'HOT' });
    await until('the harmless point has fired', async () => received('attacker'));
    const known = deaths();
    assert.ok(known <= MOST_DEATHS, `${known} workers have died`);
    await attacker.api.post(`/sensors/${poison.sensorId}/data`, { value: 'poison' });
    const waits = async () => (await platform.query('SELECT 1 FROM inbox_batches LIMIT 1')).length > 0;
    await until('nothing waits', async () => !(await waits()), RESTARTS_MS);
    assert.equal(deaths(), known);
  });

  it('is a delivery: it fails with the reason, and others arrive', async () => {
    writeFileSync(file, 'text=poison');
    const notification = await buildNotification(attacker, { destination: receiver.url, text: 'poison' });
    const harmless = await buildNotification(bystander, { destination: receiver.url, text: 'harmless' });
    await startWorkers(1);
    await attacker.api.post(`/notifications/${notification}/test`, {});
    const delivery = async () =>
      (await attacker.api.get(`/deliveries?notification_id=${notification}`)).body.deliveries[0];
    await until('the delivery has failed', async () => (await delivery())?.status === 'failed', RESTARTS_MS);
    assert.match((await delivery()).attempts.at(-1).error, /set aside, because it ended each process that did it/);
    const before = deaths();
    assert.ok(before >= 3 && before <= MOST_DEATHS, `${before} workers have died`);
    await bystander.api.post(`/notifications/${harmless}/test`, {});
    await until('the other one arrives', async () => receiver.received.some(({ form }) => form.text === 'harmless'));
    assert.equal(deaths(), before);
  });

  it('is an MQTT source: its worker dies three times, and the sources of others are tried together', async () => {
    const broker = await startBroker();
    try {
      const topics = { url: broker.url, topics: ['a'] };
      const poison = await buildMqttSource(attacker, { ...topics, client_id: 'the-poison' });
      const others = await Promise.all(Array.from({ length: SOURCES }, () => buildMqttSource(bystander, topics)));
      writeFileSync(file, 'the-poison');
      await startWorkers(1);
      const stateOf = async (user: typeof attacker, id: string) =>
        (await user.api.get(`/mqtt_sources/${id}`)).body.mqtt_source;
      await until('the worker has died', () => deaths() >= 3, RESTARTS_MS);
      const watch = new Stopwatch();
      const isConnected = async (id: string) => (await stateOf(bystander, id)).state === 'connected';
      await until(
        'the others are connected',
        async () => !(await Promise.all(others.map(isConnected))).includes(false),
        RESTARTS_MS,
      );
      const tookMs = watch.stop();
      assert.ok(tookMs < TOGETHER_MS, `the others were connected after ${tookMs} ms`);
      await until('it is set aside', async () => (await quarantine()).length > 0);
      assert.deepEqual(
        (await quarantine()).map(({ kind, id }) => [kind, String(id)]),
        [['source', poison]],
      );
      assert.match((await stateOf(attacker, poison)).last_error, /set aside/);
      assert.ok(deaths() <= MOST_DEATHS, `${deaths()} workers have died`);
    } finally {
      await broker.close();
    }
  });

  it('is an event: it is set aside, and the other events of the user are dispatched', async () => {
    await subscribe(bystander, receiver.url, 'add_sensor', { text: '{{subject_id}}' });
    const first = await buildSensor(bystander);
    const [event] = await platform.query('SELECT id FROM events ORDER BY id DESC LIMIT 1');
    writeFileSync(file, `done_user_id AS doneUserId\\s+FROM events WHERE id IN \\((?:\\d+, )*${event?.id}\\b`);
    const second = await buildSensor(bystander);
    await startWorkers(1);
    await until('the second event has arrived', async () => receiver.received.length > 0, RESTARTS_MS);
    assert.deepEqual(
      receiver.received.map(({ form }) => form.text),
      [second],
      `not of ${first}`,
    );
    assert.ok(deaths() >= 3 && deaths() <= MOST_DEATHS, `${deaths()} workers have died`);
    assert.deepEqual(
      (await quarantine()).map(({ kind, id }) => [kind, Number(id)]),
      [['event', Number(event?.id)]],
    );
  });
});
