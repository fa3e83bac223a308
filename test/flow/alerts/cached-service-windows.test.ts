import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type PassSetting, runPass } from '../../../src/alerts/evaluation/pass';
import { TriggerStore } from '../../../src/alerts/trigger-store/trigger-store';
import { FairShareScheduler } from '../../../src/fairness/fair-share-scheduler';
import { buildSensor, buildService, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser } from '../../support/hooks';

/** Length of the windows of each formula, in seconds; 0 for a formula without windows. */
const LENGTHS = [20, 60, 0] as const;
const PARTITIONS = 2;

const step = fc.record({
  kind: fc.constantFrom('upload', 'upload', 'upload', 'upload', 'upload', 'delete', 'retention', 'formula'),
  /** Which of the two sensors. */
  at: fc.nat(1),
  points: fc.array(fc.record({ ago: fc.nat(25), value: fc.integer({ min: 0, max: 9 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  formula: fc.nat(LENGTHS.length - 1),
  byOther: fc.nat(4).map((number) => number === 0),
  /** The partitions of the pass: one, or both. */
  scope: fc.constantFrom([0], [1], [0, 1], [0, 1]),
});

interface Stored {
  sensorId: number;
  dateMs: number;
  value: string;
}

describe('the cached windows of formulas', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { SENSOR_PARTITIONS: String(PARTITIONS) } });
  const user = useUser(platform);

  const worker = (): PassSetting => ({
    pool: platform.container.database.pool,
    clock,
    layout: platform.container.layout,
    shares: new FairShareScheduler(),
    store: new TriggerStore({ checksCache: true }),
  });
  const sumIn = (stored: readonly Stored[], sensorId: string, [startMs, endMs]: readonly [number, number]) =>
    stored
      .filter((one) => String(one.sensorId) === sensorId && one.dateMs > startMs && one.dateMs <= endMs)
      .reduce((sum, { value }) => sum + Number(value), 0);

  it('never change a value, whichever worker computes, and whatever is uploaded, deleted and edited', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
        clock.advance(1_000_000);
        const workers = [worker(), worker()] as const;
        const sensors = [await buildSensor(user, { name: 'a' }), await buildSensor(user, { name: 'b' })] as const;
        const serviceId = await buildService(user, 'math_service', ...sensors);
        const [a, b] = sensors;
        let seconds = 0;
        const choose = async (which: number) => {
          seconds = LENGTHS[which] ?? 0;
          const sums = `sum_over_time(_${a}_a, ${seconds}) * 1000 + sum_over_time(_${b}_b, ${seconds})`;
          const body = { parameters: [seconds === 0 ? `_${a}_a * 0 - 1` : sums] };
          const { status } = await user.api.post(`/sensors/${a}/services/${serviceId}/SetExpression`, body);
          assert.equal(status, 200);
        };
        await choose(0);
        for (const { kind, at, points, formula, byOther, scope } of steps) {
          clock.advance(6_000);
          const now = clock.now() / 1000;
          const sensorId = sensors[at] ?? a;
          if (kind === 'formula') await choose(formula);
          else if (kind === 'retention') {
            const retention = { days: 5 + (points[0]?.value ?? 0) };
            const { status } = await user.api.put(`/sensors/${sensorId}/retention`, { retention });
            assert.equal(status, 200);
          } else if (kind === 'delete') {
            const range = `start_date=${now - 40}&end_date=${now - (points[0]?.value ?? 0)}`;
            assert.equal((await user.api.delete(`/sensors/${sensorId}/data?${range}`)).status, 200);
          } else {
            const data = points.map(({ ago, value }) => ({ value, date: now - (ago > 12 ? 0 : ago) }));
            await upload(user, sensorId, data);
          }
          compared += await passAndCompare(workers[byOther ? 1 : 0], scope, { sensors, serviceId, seconds });
        }
      }),
      { numRuns: 20 },
    );
    assert.ok(compared > 50, `only ${compared} values were compared`);
  });

  /** Runs a pass, and compares the newest output with the sums of the stored points. Returns the number compared. */
  const passAndCompare = async (
    by: PassSetting,
    partitions: readonly number[],
    { sensors: [a, b], serviceId, seconds }: { sensors: readonly [string, string]; serviceId: string; seconds: number },
  ): Promise<number> => {
    const newest = async () => JSON.parse((await memoryOf(serviceId))[0]?.memory ?? '{}').newest;
    const before = await newest();
    await runPass(by, { partitions });
    const after = await newest();
    const news = [a, b].filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]));
    if (news.length !== 1 || !after[a] || !after[b]) return 0;
    const endMs = after[news[0] ?? a].dateMs;
    const stored = (await platform.query(
      'SELECT sensor_id AS sensorId, date_ms AS dateMs, value FROM data_points WHERE sensor_id IN (?)',
      [[a, b]],
    )) as Stored[]; // the aliases above are its keys
    const [output] = await platform.query(
      'SELECT value FROM data_points WHERE sensor_id = ? ORDER BY date_ms DESC LIMIT 1',
      [serviceId],
    );
    const window = [endMs - seconds * 1000, endMs] as const;
    const expected = seconds === 0 ? -1 : sumIn(stored, a, window) * 1000 + sumIn(stored, b, window);
    assert.equal(Number(output?.value), expected, JSON.stringify(stored));
    return 1;
  };

  const memoryOf = (serviceId: string) => platform.query('SELECT memory FROM services WHERE id = ?', [serviceId]);
});
