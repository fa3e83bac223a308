import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildAlarms } from '../../support/alarm';
import { buildMute, connectNotification, type Fields, thenOf, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';

/**
 * In each ten seconds mutes begin and end after 2, somebody acknowledges after 3, points come after 5, and all else is due
 * after 10: what happens at one moment has no order. No two heartbeats are more than 3 s apart: that is an outage, which
 * never counts as inactivity, and a backtest knows none.
 */
const rule = fc.record({
  expression: fc.constantFrom('sensor_data_value > 30', 'sensor_data_value > last_sensor_data_value'),
  hold: fc.constantFrom(0, 15),
  repeat: fc.constantFrom(0, 70),
  keep_firing_for: fc.constantFrom(0, 25),
  inactivity: fc.constantFrom(0, 65),
  notify_resolved: fc.boolean(),
  resolved_text: fc.constantFrom(null, 'well after $sensor_data_value'),
});
const mute = fc.record({
  from: fc.integer({ min: 0, max: 20 }),
  length: fc.integer({ min: 1, max: 20 }),
  delivers: fc.boolean(),
});
/** For each ten seconds: values of the two sensors, null for none, and whether somebody acknowledges. */
const step = fc.record({
  values: fc.tuple(...[0, 1].map(() => fc.constantFrom(null, null, null, null, null, 10, 20, 31, 32, 33))),
  acknowledges: fc.constantFrom(false, false, false, true),
});
const story = fc.record({
  rule,
  mutes: fc.array(mute, { maxLength: 2 }),
  steps: fc.array(step, { minLength: 12, maxLength: 30 }),
});

describe('the deliveries of a backtest', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const pass = async (seconds: number) => {
    clock.advance(seconds * 1000);
    await platform.container.heartbeat.beat();
    await platform.settle();
  };

  const live = async (notificationIds: readonly string[]) => {
    const { deliveries } = (await user.api.get('/deliveries?per_page=1000&sort=desc')).body;
    return deliveries
      .filter(({ notification_id }: Fields) => notificationIds.includes(String(notification_id)))
      .filter(({ digest_id, status }: Fields) => digest_id === null && status === 'delivered')
      .map(({ notification_id, is_digest, resolved, timing, text }: Fields) => {
        const { sent } = timing as { sent: number };
        const kind = is_digest ? 'digest' : resolved ? 'resolved' : 'fired';
        return [sent, notification_id, kind, is_digest ? '' : text].join(' | ');
      })
      .sort();
  };

  const tried = async (triggerId: string, body: Fields) => {
    const response = await user.api.post(`/triggers/${triggerId}/backtest`, body);
    assert.equal(response.status, 200, JSON.stringify(response.body));
    const { deliveries, summary } = response.body.backtest;
    assert.equal(summary.deliveries, deliveries.length);
    return deliveries
      .map(({ date, notification_id, kind, text }: Fields) => {
        const shown = kind === 'escalation' ? 'fired' : kind;
        return [date, notification_id, shown, kind === 'digest' ? '' : text].join(' | ');
      })
      .sort();
  };

  it('are those of the live platform, with its mutes, escalations, ends and acknowledgements', async function () {
    this.timeout(240_000);
    await fc.assert(
      fc.asyncProperty(story, async ({ rule: { inactivity, ...fields }, mutes, steps }) => {
        clock.advance(135_000 - (clock.now() % 10_000));
        await platform.container.heartbeat.beat();
        const { sensorIds, triggerId, notificationIds } = await buildAlarms(user, {
          sensors: [{ name: 'a' }, { name: 'b' }],
          trigger: { name: 'warm', ...fields, ...(inactivity ? { inactivity } : {}) },
          notifications: [
            { destination: `${receiver.url}/now`, text: '$sensor_name: $sensor_data_value $times_triggered' },
          ],
        });
        const later = await user.api.post('/notifications', {
          notification: { type: 'url', destination: `${receiver.url}/later`, text: 'still {{sensor_data_value}}' },
        });
        notificationIds.push(later.body.notification.id);
        for (const sensorId of sensorIds)
          await connectNotification(user, sensorId, triggerId, notificationIds[1] ?? '', 135);
        const startS = clock.now() / 1000;
        const muteIds: string[] = [];
        for (const { from, length, delivers } of mutes) {
          const start = startS + 5 + 10 * from + 2;
          const then = delivers ? thenOf('deliver') : {};
          muteIds.push(await buildMute(user, { start, end: start + 10 * length, triggers: [triggerId], ...then }));
        }
        for (const seconds of [2, 3]) await pass(seconds);
        for (const { values, acknowledges } of steps) {
          await pass(2);
          await pass(1);
          if (acknowledges) {
            const { firings } = (await user.api.get(`/firings?state=firing&trigger_id=${triggerId}`)).body;
            const [open] = firings;
            if (open) await user.api.post(`/firings/${open.episode}/acknowledge`);
          }
          clock.advance(2_000);
          await platform.container.heartbeat.beat();
          for (const [index, value] of values.entries()) {
            if (value !== null) await upload(user, sensorIds[index] ?? '', { value, date: clock.now() / 1000 });
          }
          await platform.settle();
          for (const seconds of [2, 3]) await pass(seconds);
        }
        await pass(1);
        const expected = await live(notificationIds);
        const body = { sensor_ids: sensorIds, start_date: startS, acknowledge: 'as_recorded' };
        assert.deepEqual(await tried(triggerId, body), expected);
        for (const id of muteIds) await user.api.delete(`/mutes/${id}`);
        await user.api.delete(`/triggers/${triggerId}`);
      }),
      { numRuns: Number(process.env.BACKTEST_RUNS ?? 12), interruptAfterTimeLimit: 200_000 },
    );
  });
});
