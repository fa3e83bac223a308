import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildSensor, upload } from '../../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { subscribe } from '../../support/subscribe';

/** A clock that advances with every reading. */
function tickingClock(startMs = Date.UTC(2026, 0, 5, 12)) {
  let nowMs = startMs;
  return {
    now: () => {
      nowMs += 1;
      return nowMs;
    },
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('the timing of a delivery', () => {
  const clock = tickingClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const last = async () => (await user.api.get('/deliveries')).body.deliveries.at(-1);
  const fire = async (destination: string) => {
    const { sensorId } = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 30' },
      notifications: [{ type: 'url', destination, text: 'hot' }],
    });
    await upload(user, sensorId, { value: 31, date: clock.now() / 1000 });
    await platform.settle();
    return last();
  };
  /** The number of measurements of each stage so far. */
  const measured = async () => {
    const { body } = await platform.anonymous.get('/metrics');
    const counts = [...String(body).matchAll(/^delivery_stage_seconds_count\{stage="(\w+)"\} (\d+)$/gm)];
    return Object.fromEntries(counts.map(([, stage, count]) => [stage, Number(count)]));
  };

  it('contains each stage from the upload of the point to the response, in order and in milliseconds', async () => {
    const { timing, created, attempts } = await fire(receiver.url);
    const { received, stored, evaluated, queued, sent, answered } = timing;
    const instants = [received, stored, evaluated, queued, sent];
    assert.deepEqual(
      instants.map((instant, index) => index === 0 || instant > instants[index - 1]),
      instants.map(() => true),
      JSON.stringify(timing),
    );
    assert.ok(answered >= sent);
    assert.ok(instants.every((instant) => Number.isInteger(Math.round(instant * 1e6) / 1e3)));
    assert.deepEqual([created, attempts[0].date], [queued, sent]);
    assert.equal(answered, (sent * 1000 + attempts[0].duration_ms) / 1000);
    assert.deepEqual(await measured(), { store: 1, evaluate: 1, queue: 1, send: 1, answer: 1 });
  });

  it('is that of the last attempt, without the stages that do not apply', async () => {
    const before = await measured();
    receiver.responses.push((response) => response.destroy());
    const cut = await fire(receiver.url);
    assert.equal(cut.status, 'pending');
    assert.ok(cut.timing.sent > cut.timing.queued);
    assert.equal(cut.timing.answered, null);
    clock.advance(60_000);
    await platform.settle();
    const { timing, attempts } = await last();
    assert.equal(attempts.length, 2);
    assert.ok(timing.sent > cut.timing.sent + 60);
    assert.ok(timing.answered >= timing.sent);
    assert.deepEqual([timing.received, timing.queued], [cut.timing.received, cut.timing.queued]);
    const after = await measured();
    const added = Object.keys(after).map((stage) => [stage, (after[stage] ?? 0) - (before[stage] ?? 0)]);
    assert.deepEqual(Object.fromEntries(added), { store: 1, evaluate: 1, queue: 1, send: 1, answer: 1 });
  });

  it('begins with the delivery itself when no data point caused it', async () => {
    await subscribe(user, receiver.url, 'add_sensor');
    await buildSensor(user);
    await platform.settle();
    const { timing, event } = await last();
    assert.equal(event, 'add_sensor');
    assert.deepEqual([timing.received, timing.stored, timing.evaluated], [null, null, null]);
    assert.ok(timing.answered >= timing.sent && timing.sent > timing.queued);
  });

  it('shows that nothing was sent when the delivery failed beforehand', async () => {
    receiver.responses.push(500);
    const { notification_id } = await fire(receiver.url);
    await user.api.put(`/notifications/${notification_id}`, { notification: { enabled: 0 } });
    clock.advance(60_000);
    await platform.settle();
    const { status, timing } = await last();
    assert.deepEqual([status, timing.sent, timing.answered], ['failed', null, null]);
  });
});
