import assert from 'node:assert/strict';
import { OwnerShares } from '../../src/ingest/owner-shares';
import { runTurn } from '../../src/ingest/turn';
import { handleSensorTurn } from '../../workers/sensor-turn.worker';
import { type Alarm, buildAlarm } from '../support/alarm';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { type Receiver, startReceiver } from '../support/receiver';

const LARGE = 65_000;

describe('large values', () => {
  let platform: Platform;
  let receiver: Receiver;
  let user: TestUser;

  before(async () => {
    // One partition: everybody's sensors wait for the same turns.
    platform = await startPlatform({ config: { SENSOR_PARTITIONS: '1' } });
    receiver = await startReceiver();
    user = await platform.user();
  });
  after(async () => {
    await receiver.close();
    await platform.close();
  });

  const always = (text: string, sensor: Record<string, unknown> = {}): Promise<Alarm> =>
    buildAlarm(user, {
      sensor,
      trigger: { expression: '1' },
      notifications: [{ type: 'url', destination: receiver.url, text }],
    });
  const upload = async ({ sensorId }: Alarm, ...values: unknown[]) => {
    const data = values.map((value, index) => ({ value, date: 1_700_000_000 + index }));
    const answer = await user.api.post(`/sensors/${sensorId}/data`, { data });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  };
  const received = ({ sensorId }: Alarm) => receiver.received.filter(({ form }) => form.sensor_id === sensorId);

  it('come with the firing that they cause, two of them with every character escaped', async () => {
    const alarm = await always('sensor_data_value');
    const value = '"'.repeat(LARGE);
    await upload(alarm, value, value);
    await platform.settle();
    assert.equal(received(alarm)[0]?.form.text, value);
    const { firings } = (await user.api.get(`/sensors/${alarm.sensorId}/triggers/${alarm.triggerId}/firings`)).body;
    assert.equal(firings[0].variables.sensor_data_value, value);
  });

  it('come into a text as far as they fit', async () => {
    const alarm = await always('sensor_data_value '.repeat(500));
    await upload(alarm, 'ü'.repeat(30_000));
    await platform.settle();
    const text = String(received(alarm)[0]?.form.text);
    assert.ok(text.length > 65_000 && text.length < 80_000, String(text.length));
  });

  it('of which more wait than a turn can hold are all evaluated, in order', async () => {
    const { sensorId } = await always('');
    const trigger = { name: 'falls', expression: 'sensor_data_date <= last_sensor_data_date' };
    const { id } = (await user.api.post('/triggers', { trigger })).body.trigger;
    await user.api.post(`/sensors/${sensorId}/triggers`, { triggers: [{ trigger: { id } }] });
    for (const part of [0, 1, 2]) {
      const data = Array.from({ length: 150 }, (_, index) => ({
        value: `${part} ${index} ${'x'.repeat(LARGE)}`,
        date: 1_700_000_000 + part * 150 + index,
      }));
      assert.equal((await user.api.post(`/sensors/${sensorId}/data`, { data: data.reverse() })).status, 201);
    }
    await platform.settle();
    assert.deepEqual(await platform.query('SELECT id FROM inbox'), []);
    const [row] = await platform.query(`SELECT last_data_value AS value, times_triggered AS times, last_error AS error
                               FROM sensor_triggers WHERE trigger_id = ${id}`);
    assert.match(row?.value, /^2 149 /);
    assert.deepEqual([row?.times, row?.error], [0, null]);
  });

  it('of one user fail no upload of another that is stored with them', async () => {
    const data = Array.from({ length: 100 }, (_, index) => ({ value: "'".repeat(LARGE), date: 1_700_000_000 + index }));
    const users = await Promise.all([1, 2, 3].map(() => platform.user()));
    const paths = await Promise.all(
      users.map(
        async ({ api }) =>
          `/sensors/${(await api.post('/sensors', { sensor: { name: 'quotes' } })).body.sensor.id}/data`,
      ),
    );
    const answers = await Promise.all(users.map(({ api }, index) => api.post(String(paths[index]), { data })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201],
    );
    assert.equal(
      (await platform.query('SELECT COUNT(*) AS count FROM data_points WHERE value LIKE "\'\'%"'))[0]?.count,
      300,
    );
  });

  it('that cannot be handled at all keep no other sensor waiting', async () => {
    const [sick, healthy] = [await always('sick'), await always('healthy')];
    await platform.query(`CREATE TRIGGER refuse BEFORE INSERT ON firings FOR EACH ROW
                 IF NEW.sensor_id = ${sick.sensorId} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'; END IF`);
    await upload(sick, 1);
    await upload(healthy, 1);
    await handleSensorTurn({ partition: 0 }, platform.container);
    assert.deepEqual(await platform.query('SELECT sensor_id AS id FROM inbox'), [{ id: Number(sick.sensorId) }]);
    await platform.query('DROP TRIGGER refuse');
    await platform.settle();
    assert.deepEqual([received(sick).length, received(healthy).length], [1, 1]);
  });

  it('wait without keeping the inactivity of another sensor waiting', async () => {
    const busy = await always('');
    for (const name of Array.from({ length: 20 }, (_, index) => `trigger ${index}`)) {
      const { id } = (await user.api.post('/triggers', { trigger: { name, expression: '0' } })).body.trigger;
      await user.api.post(`/sensors/${busy.sensorId}/triggers`, { triggers: [{ trigger: { id } }] });
    }
    const quiet = await buildAlarm(user, {
      trigger: { inactivity: 60 },
      notifications: [{ type: 'url', destination: receiver.url, text: 'silent' }],
    });
    await platform.query('UPDATE sensor_triggers SET silent_since_ms = 1, due_at_ms = 60001 WHERE trigger_id = ?', [
      quiet.triggerId,
    ]);
    await upload(busy, ...Array.from({ length: 60 }, () => 'x'.repeat(LARGE)));
    const { database, clock, config } = platform.container;
    const setting = { pool: database.pool, clock, partitionCount: config.partitions, shares: new OwnerShares() };
    await runTurn(setting, { partition: 0 });
    assert.notDeepEqual(await platform.query('SELECT id FROM inbox'), []);
    assert.equal((await platform.query(`SELECT id FROM firings WHERE sensor_id = ${quiet.sensorId}`)).length, 1);
    await platform.settle();
  });
});
