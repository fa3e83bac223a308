import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Alarm } from '../../support/alarm';
import { shadowRequests, useClockedAlerts } from '../../support/clocked-alerts';
import { type Fields, upload } from '../../support/factories';

const RUNS = Number(process.env.SHADOW_RUNS ?? 12);

const RULE = fc.record({
  expression: fc.constantFrom(
    'sensor_data_value > 30',
    'sensor_data_value > 20',
    'max_over_time(sensor_data_value, 40) > 25',
  ),
  resolve_expression: fc.constantFrom(null, 'sensor_data_value < 10'),
  hold: fc.constantFrom(0, 20),
  repeat: fc.constantFrom(null, 0, 60),
  keep_firing_for: fc.constantFrom(0, 30),
});
const INACTIVITY = fc.constantFrom({}, { inactivity: 60 });
const VALUE = fc.constantFrom(-5, 5, 15, 25, 35);
const VALUES = fc.array(VALUE, { minLength: 3, maxLength: 8 });
const ACT: fc.Arbitrary<{ value?: number; done?: string; seconds?: number }> = fc.oneof(
  { weight: 6, arbitrary: VALUE.map((value) => ({ value })) },
  { weight: 1, arbitrary: fc.constantFrom('acknowledge', 'resolve').map((done) => ({ done })) },
  { weight: 1, arbitrary: fc.constantFrom(30, 90).map((seconds) => ({ seconds })) },
);

describe('a shadow with random rules, points and interventions', () => {
  const alerts = useClockedAlerts();
  const { clock, platform, receiver, user, alert, pass, sendAll, texts, firings, record } = alerts;
  const { begin, report, switchTo } = shadowRequests(alerts);

  const ownFirings = ({ sensorId }: Alarm) =>
    platform.query('SELECT reason, fired_ms, is_muted FROM shadow_firings WHERE sensor_id = ? ORDER BY fired_ms', [
      sensorId,
    ]);
  const liveFirings = ({ sensorId }: Alarm, afterMs: number) =>
    platform.query(
      'SELECT reason, fired_ms, muted AS is_muted FROM firings WHERE sensor_id = ? AND fired_ms > ? ORDER BY fired_ms',
      [sensorId, afterMs],
    );

  it('with the rule of the trigger does what the trigger does, and what is sent is the same as without it', async function () {
    this.timeout(180_000);
    await fc.assert(
      fc.asyncProperty(
        RULE,
        INACTIVITY,
        fc.array(ACT, { minLength: 4, maxLength: 9 }),
        async (rule, inactivity, acts) => {
          const trigger = { ...rule, ...inactivity };
          const [shadowed, twin] = [await alert(trigger), await alert(trigger)];
          receiver.received.length = 0;
          await begin(shadowed, {});
          for (const one of acts) {
            await pass(Number(one.seconds ?? 15));
            for (const alarm of [shadowed, twin]) {
              if (one.value !== undefined)
                await upload(user, alarm.sensorId, { value: Number(one.value), date: clock.now() / 1000 });
              const open = (await firings(alarm)).find(({ state }: Fields) => state === 'firing');
              if (one.done && open) await user.api.post(`/firings/${open.id}/${one.done}`, {});
            }
            await platform.settle();
          }
          assert.deepEqual(texts(shadowed), texts(twin), 'the shadow changes what is sent');
          assert.deepEqual(await ownFirings(shadowed), await liveFirings(shadowed, 0));
          const { summary, deliveries, comparison } = await report(shadowed);
          assert.deepEqual([summary, deliveries], [comparison.summary, comparison.deliveries]);
          assert.deepEqual([comparison.only_this_count, comparison.only_other_count], [0, 0]);
          await remove(shadowed, twin);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('decides as an edit that keeps episodes would have made the trigger decide, and goes on so after a switch', async function () {
    this.timeout(180_000);
    await fc.assert(
      fc.asyncProperty(RULE, RULE, VALUES, VALUES, async (before, after, points, later) => {
        const [shadowed, twin] = [await alert(before), await alert(before)];
        const sendBoth = (value: number, everyS: number) => sendAll([shadowed, twin], value, everyS);
        await sendBoth(31, 15);
        const startMs = clock.now();
        await begin(shadowed, after);
        await user.api.put(`/triggers/${twin.triggerId}`, { trigger: after, episodes: 'keep' });
        await platform.settle();
        for (const value of points) await sendBoth(value, 15);
        assert.deepEqual(await ownFirings(shadowed), await liveFirings(twin, startMs));
        const heard = receiver.received.length;
        const { fires, ended } = await switchTo(shadowed);
        if (fires + ended === 0)
          assert.equal(receiver.received.length, heard, 'a switch that changes nothing is not heard');
        await pass(62);
        for (const value of later) {
          await sendBoth(value, 70);
          assert.equal((await record(shadowed)).state, (await record(twin)).state);
        }
        await remove(shadowed, twin);
      }),
      { numRuns: RUNS },
    );
  });

  /** An account has at most 20 shadows. */
  const remove = async (...alarms: Alarm[]) => {
    for (const { triggerId } of alarms) assert.equal((await user.api.delete(`/triggers/${triggerId}`)).status, 200);
  };
});
