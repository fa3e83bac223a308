import assert from 'node:assert/strict';
import { runPass } from '../../../src/alerts/evaluation/pass';
import { TriggerStore } from '../../../src/alerts/trigger-store/trigger-store';
import { FairShareScheduler } from '../../../src/fairness/fair-share-scheduler';
import { handleEvaluation } from '../../../workers/evaluation.worker';
import { type Alarm, buildAlarm } from '../../support/alarm';
import { buildSensor, buildTrigger, connectNotification, connectTrigger, upload } from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';

const LARGE = 65_000;

describe('large values', () => {
  // With one partition the sensors of all users share the same passes.
  const platform = usePlatform({ config: { SENSOR_PARTITIONS: '1' } });
  const receiver = useReceiver();
  const user = useUser(platform);

  const always = (text: string, sensor: Record<string, unknown> = {}): Promise<Alarm> =>
    buildAlarm(user, {
      sensor,
      trigger: { expression: '1' },
      notifications: [{ type: 'url', destination: receiver.url, text }],
    });
  const send = ({ sensorId }: Alarm, ...values: unknown[]) => {
    const data = values.map((value, index) => ({ value, date: 1_700_000_000 + index }));
    return upload(user, sensorId, data);
  };
  const received = ({ sensorId }: Alarm) => receiver.received.filter(({ form }) => form.sensor_id === sensorId);

  it('are contained in the firing that they cause, even two of them with every character escaped', async () => {
    const alarm = await always('sensor_data_value');
    const value = '"'.repeat(LARGE);
    await send(alarm, value, value);
    await platform.settle();
    assert.equal(received(alarm)[0]?.form.text, value);
    const { firings } = (await user.api.get(`/sensors/${alarm.sensorId}/triggers/${alarm.triggerId}/firings`)).body;
    assert.equal(firings[0].variables.sensor_data_value, value);
  });

  it('are inserted into a text up to its maximum length', async () => {
    const alarm = await always('sensor_data_value '.repeat(500));
    await send(alarm, 'ü'.repeat(30_000));
    await platform.settle();
    const text = String(received(alarm)[0]?.form.text);
    assert.ok(text.length > 65_000 && text.length < 80_000, String(text.length));
  });

  it('are cut in the texts of a user who has many of them, and not in those of others', async () => {
    const neighbour = await platform.user();
    const other = await buildAlarm(neighbour, {
      trigger: { expression: '1' },
      notifications: [{ type: 'url', destination: receiver.url, text: 'sensor_data_value' }],
    });
    const many = await buildAlarm(user, {
      trigger: { expression: '1' },
      notifications: Array.from({ length: 20 }, () => ({ destination: receiver.url, text: 'sensor_data_value' })),
    });
    const ids = (await user.api.get(`/sensors/${many.sensorId}/triggers/${many.triggerId}/notifications`)).body;
    for (let count = 1; count < 5; count += 1) {
      const id = await buildTrigger(user, { expression: '1' });
      await connectTrigger(user, many.sensorId, id);
      for (const one of ids.notifications) await connectNotification(user, many.sensorId, id, one.id);
    }
    const value = 'x'.repeat(LARGE);
    await upload(neighbour, other.sensorId, { value });
    await send(many, value);
    await handleEvaluation({ partition: 0 }, platform.container);
    const lengths = (sensorId: string) =>
      platform.query(
        'SELECT COUNT(*) AS count, MAX(CHAR_LENGTH(text)) AS longest FROM deliveries WHERE sensor_id = ?',
        [sensorId],
      );
    assert.deepEqual(await lengths(many.sensorId), [{ count: 100, longest: Math.floor(4_194_304 / 100) }]);
    assert.deepEqual(await lengths(other.sensorId), [{ count: 1, longest: LARGE }]);
    await platform.settle();
  });

  it('are all evaluated in order when more of them wait than fit into a pass', async () => {
    const { sensorId } = await always('');
    const id = await buildTrigger(user, { expression: 'sensor_data_date <= last_sensor_data_date' });
    await connectTrigger(user, sensorId, id);
    for (const part of [0, 1, 2]) {
      const data = Array.from({ length: 150 }, (_, index) => ({
        value: `${part} ${index} ${'x'.repeat(LARGE)}`,
        date: 1_700_000_000 + part * 150 + index,
      }));
      await upload(user, sensorId, data.reverse());
    }
    await platform.settle();
    assert.deepEqual(await platform.query('SELECT id FROM inbox_batches'), []);
    const [row] = await platform.query(`SELECT last_data_value AS value, times_triggered AS times, last_error AS error
                               FROM sensor_triggers WHERE trigger_id = ${id}`);
    assert.match(row?.value, /^2 149 /);
    assert.deepEqual([row?.times, row?.error], [0, null]);
  });

  it('of one user do not fail the uploads of others that are stored with them', async () => {
    const data = Array.from({ length: 100 }, (_, index) => ({ value: "'".repeat(LARGE), date: 1_700_000_000 + index }));
    const users = await Promise.all([1, 2, 3].map(() => platform.user()));
    const paths = await Promise.all(users.map(async ({ api }) => `/sensors/${await buildSensor({ api })}/data`));
    const responses = await Promise.all(users.map(({ api }, index) => api.post(String(paths[index]), { data })));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 201, 201],
    );
    assert.equal(
      (await platform.query('SELECT COUNT(*) AS count FROM data_points WHERE value LIKE "\'\'%"'))[0]?.count,
      300,
    );
  });

  it('that cannot be handled do not delay other sensors', async () => {
    const [broken, healthy] = [await always('broken'), await always('healthy')];
    await platform.query(`CREATE TRIGGER refuse BEFORE INSERT ON firings FOR EACH ROW
                 IF NEW.sensor_id = ${broken.sensorId} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'; END IF`);
    await send(broken, 1);
    await send(healthy, 1);
    await handleEvaluation({ partition: 0 }, platform.container);
    assert.deepEqual(await platform.query('SELECT sensor_ids AS ids FROM inbox_batches'), [
      { ids: `[${broken.sensorId}]` },
    ]);
    await platform.query('DROP TRIGGER refuse');
    await platform.settle();
    assert.deepEqual([received(broken).length, received(healthy).length], [1, 1]);
  });

  it('do not delay the inactivity of another sensor while they wait', async () => {
    const busy = await always('');
    for (let count = 0; count < 20; count += 1) {
      await connectTrigger(user, busy.sensorId, await buildTrigger(user, { expression: '0' }));
    }
    const quiet = await buildAlarm(user, {
      trigger: { inactivity: 60 },
      notifications: [{ destination: receiver.url }],
    });
    await platform.query('UPDATE sensor_triggers SET inactive_since_ms = 1, due_at_ms = 60001 WHERE trigger_id = ?', [
      quiet.triggerId,
    ]);
    await send(busy, ...Array.from({ length: 60 }, () => 'x'.repeat(LARGE)));
    const { database, clock, layout } = platform.container;
    const setting = {
      pool: database.pool,
      clock,
      layout,
      shares: new FairShareScheduler(),
      store: new TriggerStore({ checksCache: true }),
    };
    await runPass(setting, { partitions: [0] });
    assert.notDeepEqual(await platform.query('SELECT id FROM inbox_batches'), []);
    assert.equal((await platform.query(`SELECT id FROM firings WHERE sensor_id = ${quiet.sensorId}`)).length, 1);
    await platform.settle();
  });
});
