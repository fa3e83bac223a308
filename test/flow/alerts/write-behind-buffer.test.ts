import assert from 'node:assert/strict';
import { EvaluationConsumer } from '../../../src/alerts/evaluation/evaluation-consumer';
import { type PassSetting, runPass } from '../../../src/alerts/evaluation/pass';
import { TriggerStore } from '../../../src/alerts/trigger-store/trigger-store';
import { FairShareScheduler } from '../../../src/fairness/fair-share-scheduler';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser } from '../../support/hooks';

const MINUTE_MS = 60_000;
/** Buffers as much as possible; flushes in the fourth pass. */
const LIMITS = { soleMs: 0, states: 1, rows: 3, ageMs: 3_600_000, pauseMs: 0 };

describe('states in the write-behind buffer', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { SENSOR_PARTITIONS: '1' } });
  const user = useUser(platform);
  let sensorId: string;
  let triggerId: string;
  let first: PassSetting;
  let second: PassSetting;

  /** A worker with a separate cache. */
  const worker = (limits = LIMITS): PassSetting => ({
    pool: platform.container.database.pool,
    clock,
    layout: platform.container.layout,
    shares: new FairShareScheduler(),
    store: new TriggerStore({ limits: limits, checksCache: true }),
  });
  /** Uploads a value a minute later, and lets a worker run a pass: the number of triggers that fired. */
  const evaluate = async (by: PassSetting, value: unknown): Promise<number> => {
    clock.advance(MINUTE_MS);
    await upload(user, sensorId, { value });
    const partitions = Array.from({ length: platform.container.layout.count }, (_, index) => index);
    const { results } = await runPass(by, { partitions });
    return results.reduce((sum, { changes }) => sum + changes.firings.length, 0);
  };
  const shown = async () =>
    (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`)).body.trigger.last_sensor_data_value;
  const stored = async () =>
    (await platform.query('SELECT last_data_value AS value FROM sensor_triggers WHERE sensor_id = ?', [sensorId]))[0]
      ?.value;
  const buffered = async () => (await platform.query('SELECT id FROM write_behind_buffer')).length;

  beforeEach(async () => {
    [first, second] = [worker(), worker()];
    sensorId = await buildSensor(user);
    triggerId = await buildTrigger(user, { expression: 'sensor_data_value > last_sensor_data_value + 10' });
    await connectTrigger(user, sensorId, triggerId);
    for (const value of [1, 2]) assert.equal(await evaluate(first, value), 0);
  });
  afterEach(() => platform.query('DELETE FROM write_behind_buffer'));

  it('are what the API shows and the next point is compared with, and move into their rows now and then', async () => {
    assert.deepEqual([await shown(), await stored(), await buffered()], ['2', null, 2]);
    const lists = [`/sensors/${sensorId}/triggers`, '/sensors/triggers'].map(async (path) => {
      const { triggers } = (await user.api.get(path)).body;
      return triggers.find(({ sensor_id = sensorId }) => sensor_id === sensorId).last_sensor_data_value;
    });
    assert.deepEqual(await Promise.all(lists), ['2', '2']);
    assert.equal(await evaluate(first, 3), 0);
    assert.equal(await evaluate(first, 4), 0, 'the buffer has three rows');
    assert.deepEqual([await shown(), await stored(), await buffered()], ['4', '3', 1]);
    assert.equal(await evaluate(first, 15), 1);
    assert.equal(await stored(), '15', 'a firing is written into the row');
    assert.equal(await evaluate(second, 20), 0);
    assert.deepEqual(
      [await shown(), await stored(), await buffered()],
      ['20', '20', 0],
      'and so is the end of an alert',
    );
  });

  it('are known to another worker that takes over, whether it buffers or not', async () => {
    assert.equal(await evaluate(second, 11), 0, '11 is not more than 2 + 10');
    const third = worker({ ...LIMITS, soleMs: 1e12 });
    assert.equal(await evaluate(third, 20), 0, '20 is not more than 11 + 10');
    assert.deepEqual([await stored(), await buffered()], ['20', 0]);
    assert.equal(await evaluate(first, 29), 0);
    assert.equal(await evaluate(second, 40), 1);
  });

  it('give way to what a user sets', async () => {
    const change = { trigger: { last_sensor_data_value: '100' } };
    const { status, body } = await user.api.put(`/sensors/${sensorId}/triggers/${triggerId}`, change);
    assert.deepEqual([status, body.trigger.last_sensor_data_value, await buffered()], [200, '100', 0]);
    assert.equal(await evaluate(first, 50), 0, '50 is not more than 100 + 10');
    assert.equal(await shown(), '50');
  });

  it('are found after a change of the number of partitions', async () => {
    const { layout, database } = platform.container;
    try {
      await layout.change(database.pool, 3);
      assert.equal(await shown(), '2');
      assert.equal(await evaluate(second, 11), 0);
      assert.equal(await evaluate(second, 30), 1);
    } finally {
      await layout.change(database.pool, 1);
    }
  });

  it('are not buffered when their values are long, or when hardly any is written twice', async () => {
    assert.equal(await evaluate(first, 'x'.repeat(300)), 0);
    assert.deepEqual([String(await stored()).length, await buffered()], [300, 2]);
    const rare = worker({ ...LIMITS, rows: 1, pauseMs: 1e12 });
    for (const value of [3, 4, 5]) await evaluate(rare, value);
    assert.equal(await buffered(), 0, 'it had one state of one sensor trigger');
  });

  it('nudge their partition when no pass follows', async () => {
    const { store } = first;
    assert.deepEqual([store.isBuffering, store.takeOverdue(clock.now())], [true, []]);
    clock.advance(LIMITS.ageMs * 3);
    assert.deepEqual([store.takeOverdue(clock.now()), store.isBuffering], [[0], false]);
    await runPass(first, { partitions: [0] });
    assert.deepEqual([await stored(), await buffered()], ['2', 0]);
  });

  it('are in their rows when their worker has ended', async () => {
    const { jobQueue, delivery, decisionLog, metrics, logger } = platform.container;
    const observers = {
      jobQueue,
      deliveries: delivery.runner,
      decisionLog,
      metrics,
      logger,
      streamSignal: { notify() {} },
    };
    await new EvaluationConsumer(first, observers).close();
    assert.deepEqual([await stored(), await buffered()], ['2', 0]);
  });
});
