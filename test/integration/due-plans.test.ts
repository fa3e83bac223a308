import assert from 'node:assert/strict';
import { handleEvaluation } from '../../workers/evaluation.worker';
import { buildSensor, buildTrigger, connectTrigger } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { sentDuring } from '../support/sent-statements';

const SENSORS = 20_000;
const HOUR_MS = 3_600_000;
const INDEXES = ['sensor_triggers_due_bucket', 'sensor_triggers_condition_due'];

describe('the plans of statements on 20,000 armed inactivities', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let firstId: number;

  before(async () => {
    firstId = Number(await buildSensor(user));
    const trigger = await buildTrigger(user, { inactivity: 7200 });
    await connectTrigger(user, String(firstId), trigger);
    const nowMs = Date.now();
    const ids = Array.from({ length: SENSORS }, (_, index) => firstId + 1 + index);
    for (let start = 0; start < SENSORS; start += 1_000) {
      const slice = ids.slice(start, start + 1_000);
      await platform.query('INSERT INTO sensors (id, owner_id, name, data_structure, created_ms) VALUES ?', [
        slice.map((id) => [id, user.id, 'a sensor', '', 0]),
      ]);
      await platform.query(
        'INSERT INTO sensor_triggers (sensor_id, trigger_id, created_ms, inactive_since_ms, due_at_ms) VALUES ?',
        [slice.map((id) => [id, trigger, 0, nowMs, nowMs + HOUR_MS + (id % 1_000) * 1_000])],
      );
    }
    await platform.query('ANALYZE TABLE sensor_triggers');
  });

  const plansOf = async (work: () => Promise<unknown>) => {
    const sent = (await sentDuring(work)).filter((sql) => /^SELECT.*due_at_ms <=/s.test(sql));
    assert.ok(sent.length > 0);
    const plans = await Promise.all(sent.map((sql) => platform.query(`EXPLAIN FORMAT=TRADITIONAL ${sql}`)));
    return plans.flat().filter(({ table }) => table === 'sensor_triggers' || table === 'st');
  };

  it('give every sensor its bucket', async () => {
    const [row] = await platform.query(
      'SELECT COUNT(*) AS wrong FROM sensor_triggers WHERE due_bucket <> sensor_id % 64',
    );
    assert.equal(Number(row?.wrong), 0);
  });

  it('look at one entry of the index for each bucket in a run of the reconciler', async () => {
    const plans = await plansOf(() => platform.container.reconciler.enqueueWaiting());
    for (const [at, key] of INDEXES.entries()) {
      assert.equal(plans[at]?.key, key);
      assert.match(String(plans[at]?.Extra), /Using index for group-by/);
    }
  });

  it('read in a pass only the due entries of its partition', async () => {
    const due = [firstId + 8, firstId + 9, firstId + 16];
    await platform.query(
      'UPDATE sensor_triggers SET inactive_since_ms = ?, due_at_ms = inactive_since_ms + 7200000 WHERE sensor_id IN (?)',
      [Date.now() - 7_300_000, due],
    );
    await platform.container.heartbeat.beat();
    const partition = (firstId + 8) % platform.container.config.partitions;
    const plans = await plansOf(() => handleEvaluation({ partition }, platform.container));
    for (const [at, key] of INDEXES.entries()) {
      assert.deepEqual([plans[at]?.type, plans[at]?.key], ['range', key]);
      assert.ok(Number(plans[at]?.rows) < 100, JSON.stringify(plans));
    }
    const fired = await platform.query('SELECT sensor_id AS id FROM firings ORDER BY sensor_id');
    assert.deepEqual(
      fired.map(({ id }) => Number(id)),
      [firstId + 8, firstId + 16],
    );
  });
});
