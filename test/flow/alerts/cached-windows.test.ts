import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type PassSetting, runPass } from '../../../src/alerts/evaluation/pass';
import { TriggerStore } from '../../../src/alerts/trigger-store/trigger-store';
import { FairShareScheduler } from '../../../src/fairness/fair-share-scheduler';
import { buildAlarm } from '../../support/alarm';
import { upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser } from '../../support/hooks';

/** Seconds. */
const WINDOW = 20;

const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('upload' as const),
        points: fc.array(fc.record({ ago: fc.nat(25), value: fc.integer({ min: 0, max: 9 }) }), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('delete' as const), ago: fc.nat(25), seconds: fc.nat(10) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('storage' as const), isOn: fc.boolean() }) },
  ),
  { minLength: 5, maxLength: 25 },
);

describe('the cache of windows in a worker', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { SENSOR_PARTITIONS: '1' } });
  const user = useUser(platform);

  const worker = (): PassSetting => ({
    pool: platform.container.database.pool,
    clock,
    layout: platform.container.layout,
    shares: new FairShareScheduler(),
    store: new TriggerStore({ checksCache: true }),
  });

  it('never changes a decision, whatever is uploaded, deleted and edited in between', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.infiniteStream(fc.integer({ min: 0, max: 9 })), async (all, choices) => {
        clock.advance(1_000_000);
        const [cached, other] = [worker(), worker()];
        const expression = `sum_over_time(sensor_data_value, ${WINDOW}) % 2 == 1`;
        const { sensorId, triggerId } = await buildAlarm(user, { trigger: { expression }, notifications: [] });
        const path = `/sensors/${sensorId}/data`;
        for (const step of all) {
          clock.advance(2_000);
          const now = clock.now() / 1000;
          if (step.kind === 'delete') {
            const range = `start_date=${now - step.ago - step.seconds}&end_date=${now - step.ago}`;
            assert.equal((await user.api.delete(`${path}?${range}`)).status, 200);
          } else if (step.kind === 'edit') {
            await user.api.put(`/triggers/${triggerId}`, { trigger: { name: String(now) } });
          } else if (step.kind === 'storage') {
            const sensor = { use_data_storage: step.isOn };
            const { status } = await user.api.put(`/sensors/${sensorId}`, { sensor });
            assert.equal(status, step.isOn ? 200 : 409);
          } else {
            await upload(
              user,
              sensorId,
              step.points.map(({ ago, value }) => ({ value, date: now - (ago > 4 ? 0 : ago) })),
            );
          }
          const by = choices.next().value > 7 ? other : cached;
          await requireSameAsStored(by, Number(sensorId));
        }
      }),
      { numRuns: 40 },
    );
  });

  /** Runs a pass, and compares each result with the sum of the points that are stored. */
  const requireSameAsStored = async (by: PassSetting, sensorId: number) => {
    const { results } = await runPass(by, { partitions: [0] });
    const decided = results.flatMap(({ changes }) => changes.decisions).filter((one) => one.sensorId === sensorId);
    const { pool } = platform.container.database;
    const [rows] = await pool.query('SELECT date_ms AS dateMs, value FROM data_points WHERE sensor_id = ?', [sensorId]);
    const stored = rows as { dateMs: number; value: string }[]; // the aliases above are its keys
    for (const { decision, point } of decided) {
      if (!point || decision.reason === 'late' || decision.reason === 'cannot-be-evaluated') continue;
      const inside = stored.filter(({ dateMs }) => dateMs > point.dateMs - WINDOW * 1000 && dateMs <= point.dateMs);
      const sum = inside.reduce((total, { value }) => total + Number(value), 0);
      const isTrue = !['false', 'resolved'].includes(decision.reason);
      assert.equal(isTrue, sum % 2 === 1, `${decision.reason} with ${JSON.stringify(inside)}`);
    }
  };
});
