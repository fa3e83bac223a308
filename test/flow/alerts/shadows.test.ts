import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Alarm, buildAlarm } from '../../support/alarm';
import { buildTrigger, type Fields, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';

const WARM = { name: 'warm', expression: 'sensor_data_value > 30', notify_resolved: true, repeat: 0 };

describe('a shadow of a trigger', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUser(platform);

  const alert = (trigger: Fields = {}) =>
    buildAlarm(user, {
      sensor: { name: 'cellar' },
      trigger: { ...WARM, ...trigger },
      notifications: [{ destination: receiver.url, text: '$sensor_data_value degrees' }],
    });
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1_000);
      await platform.container.heartbeat.beat();
    }
    await platform.settle();
  };
  const send = async ({ sensorId }: Pick<Alarm, 'sensorId'>, values: number[], everyS = 10) => {
    for (const value of values) {
      await pass(everyS);
      await upload(user, sensorId, { value, date: clock.now() / 1000 });
      await platform.settle();
    }
  };
  const begin = async ({ triggerId }: Alarm, shadow: Fields) => {
    const { status, body } = await user.api.post(`/triggers/${triggerId}/shadow`, { shadow });
    assert.equal(status, 201, JSON.stringify(body));
    await platform.settle();
    return body.shadow;
  };
  const report = async ({ triggerId }: Alarm) => {
    const { status, body } = await user.api.get(`/triggers/${triggerId}/shadow`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.shadow;
  };
  const switchTo = async ({ triggerId }: Alarm) => {
    const { status, body } = await user.api.post(`/triggers/${triggerId}/shadow/switch`, {});
    assert.equal(status, 200, JSON.stringify(body));
    await platform.settle();
    return body;
  };
  const texts = ({ sensorId }: Alarm) =>
    receiver.received
      .filter(({ form }) => form.sensor_id === sensorId)
      .map(({ form }) => `${form.text}${form.state ? ` (${form.state})` : ''}`);
  const firings = async ({ triggerId }: Alarm) => (await user.api.get(`/firings?trigger_id=${triggerId}`)).body.firings;
  const record = async ({ sensorId, triggerId }: Alarm) =>
    (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`)).body.trigger;
  const events = async () => (await platform.query('SELECT name FROM events')).map(({ name }) => name);

  it('decides by its own rule, sends nothing, and reports what it would have sent', async () => {
    const one = await alert();
    const begun = await begin(one, { expression: 'sensor_data_value > 40' });
    assert.deepEqual([begun.changed, begun.summary.episodes, begun.ended], [['expression'], 0, null]);
    assert.equal(begun.until - begun.since, 7 * 86_400);
    await send(one, [31, 41, 29, 31, 29], 70);
    assert.deepEqual(texts(one), [
      '31 degrees',
      'warm on cellar: resolved (resolved)',
      '31 degrees',
      'warm on cellar: resolved (resolved)',
    ]);
    const { text, summary, deliveries, comparison } = await report(one);
    assert.deepEqual([summary.episodes, summary.deliveries], [1, 2]);
    assert.deepEqual(
      deliveries.map(({ kind, text: sent }: Fields) => [kind, sent]),
      [
        ['fired', '41 degrees'],
        ['resolved', 'warm on cellar: resolved'],
      ],
    );
    assert.deepEqual([comparison.summary.episodes, comparison.summary.deliveries], [2, 4]);
    assert.deepEqual([comparison.both.length, comparison.only_this_count, comparison.only_other_count], [1, 0, 1]);
    assert.equal(comparison.both[0].later, -70);
    assert.equal(
      text,
      'Alerts: 2, with this rule 1. Of those that it would not have brought, 1 ended within 2 minutes.',
    );
    const german = await user.api.get(`/triggers/${one.triggerId}/shadow`, { 'accept-language': 'de' });
    assert.match(german.body.shadow.text, /: 2, mit [^:]* 1\. Von /);
    assert.equal((await firings(one)).length, 2);
  });

  it('raises no event, and its firings are none of the account', async () => {
    const one = await alert();
    const about = { name: 'fires', event: 'fire_trigger', notification_id: one.notificationIds[0] };
    await user.api.post('/events/notifications', { event_notification: about });
    const sent = () =>
      platform.query("SELECT id FROM deliveries WHERE event = 'fire_trigger' AND subject_id = ?", [one.triggerId]);
    await begin(one, { expression: 'sensor_data_value > 10' });
    await send(one, [20, 5, 20], 70);
    assert.equal((await report(one)).summary.episodes, 2);
    assert.deepEqual([await sent(), await firings(one)], [[], []]);
    const { state, last_triggered: last, times_triggered: times } = await record(one);
    assert.deepEqual([state, last, times], ['ok', 0, 0]);
    await send(one, [35], 70);
    assert.deepEqual([(await sent()).length, (await firings(one)).length], [1, 1]);
  });

  it('begins as an edit that keeps episodes would leave the trigger, and follows what people do', async () => {
    const one = await alert();
    await send(one, [31]);
    await begin(one, { hold: 20 });
    await send(one, [32], 70);
    assert.equal((await report(one)).summary.episodes, 0, 'the open alert of the beginning is left out');
    const [firing] = await firings(one);
    await user.api.post(`/firings/${firing.id}/resolve`, {});
    await send(one, [33, 33, 33], 70);
    const { summary, comparison } = await report(one);
    assert.deepEqual([summary.episodes, comparison.summary.episodes], [1, 1], 'ended by hand in both');
  });

  it('watches an inactivity by the clock, on sensors that are connected later as well', async () => {
    const one = await alert();
    await begin(one, { inactivity: 60 });
    const { body } = await user.api.post('/sensors', { sensor: { name: 'attic', data_type: 'float' } });
    await user.api.post(`/sensors/${body.sensor.id}/triggers`, { trigger: { id: one.triggerId } });
    await platform.settle();
    await pass(70);
    await platform.settle();
    const { deliveries, summary } = await report(one);
    assert.equal(summary.episodes, 2);
    assert.deepEqual(
      deliveries.map(({ sensor_id: id }: Fields) => id),
      [one.sensorId],
    );
    assert.deepEqual(texts(one), []);
    await user.api.put(`/sensors/${one.sensorId}/triggers/${one.triggerId}`, { trigger: { active: 0 } });
    await pass(200);
    await user.api.put(`/sensors/${one.sensorId}/triggers/${one.triggerId}`, { trigger: { active: 1 } });
    await platform.settle();
    await pass(30);
    assert.equal((await report(one)).summary.episodes, 2, 'the time in which it was inactive does not count');
    await pass(40);
    assert.equal((await report(one)).summary.episodes, 3);
  });

  it('ends by itself with an event, and keeps its report', async () => {
    const one = await alert();
    await begin(one, { hold: 30, days: 1 });
    await send(one, [31, 31, 31, 31, 29]);
    const before = await report(one);
    clock.advance(86_400_000);
    await platform.container.services.shadows.endDue();
    assert.deepEqual((await events()).filter((name) => name === 'shadow_ended').length <= 1, true);
    const after = await report(one);
    assert.equal(after.ended, after.until);
    assert.deepEqual([after.summary, after.comparison], [before.summary, before.comparison]);
    const { status, body } = await user.api.post(`/triggers/${one.triggerId}/shadow/switch`, {});
    assert.deepEqual([status, body.code], [409, 'conflict']);
    await begin(one, { hold: 60 });
    assert.equal((await report(one)).summary.episodes, 0);
    const left = () => platform.query('SELECT * FROM shadow_firings WHERE sensor_id = ?', [one.sensorId]);
    assert.equal((await left()).length, 1);
    await platform.container.purge.run();
    assert.equal((await left()).length, 0);
  });

  it('may belong to a trigger that has no sensor yet', async () => {
    const triggerId = await buildTrigger(user, WARM);
    const one = { triggerId, sensorId: '0', notificationIds: [] };
    await begin(one, { hold: 60 });
    const { kept, ended, fires, trigger } = await switchTo(one);
    assert.deepEqual([kept, ended, fires, trigger.hold], [0, 0, 0, 60]);
  });

  it('is refused where it cannot run', async () => {
    const one = await alert();
    const post = async (shadow: Fields, id = one.triggerId) => {
      const { status, body } = await user.api.post(`/triggers/${id}/shadow`, { shadow });
      return [status, Object.keys(body.fields ?? {})[0] ?? body.code];
    };
    assert.deepEqual(await post({ expression: 'sensor_data_value >' }), [400, 'shadow.expression']);
    assert.deepEqual(await post({ days: 32 }), [400, 'shadow.days']);
    assert.deepEqual(await post({ hold: 5 }, '999999'), [404, 'not_found']);
    await begin(one, { hold: 5 });
    assert.deepEqual(await post({ hold: 6 }), [409, 'conflict']);
    const other = await platform.user();
    for (const [method, path] of [
      ['get', ''],
      ['delete', ''],
      ['post', '/switch'],
    ] as const)
      assert.equal((await other.api[method](`/triggers/${one.triggerId}/shadow${path}`)).status, 404);
    assert.equal((await user.api.delete(`/triggers/${one.triggerId}/shadow`)).status, 200);
    assert.equal((await user.api.get(`/triggers/${one.triggerId}/shadow`)).status, 404);
    const sql = 'SELECT * FROM shadow_states WHERE trigger_id = ?';
    assert.deepEqual(await platform.query(sql, [one.triggerId]), []);
  });

  describe('becomes the trigger by a switch', () => {
    it('an alert that is open in both goes on under its id', async () => {
      const one = await alert();
      await begin(one, { expression: 'sensor_data_value > 25' });
      await send(one, [35], 70);
      const switched = await switchTo(one);
      assert.deepEqual([switched.kept, switched.ended, switched.fires, switched.trigger.version], [1, 0, 0, 2]);
      assert.equal(switched.trigger.expression, 'sensor_data_value > 25');
      await send(one, [28]);
      assert.deepEqual(texts(one), ['35 degrees']);
      assert.equal((await firings(one))[0].state, 'firing');
      assert.equal((await user.api.get(`/triggers/${one.triggerId}/shadow`)).status, 404);
      await send(one, [24]);
      assert.deepEqual(texts(one).slice(1), ['warm on cellar: resolved (resolved)']);
    });

    it('one that is open live alone ends as by an edit', async () => {
      const one = await alert();
      await begin(one, { expression: 'sensor_data_value > 40' });
      await send(one, [35], 70);
      const switched = await switchTo(one);
      assert.deepEqual([switched.kept, switched.ended, switched.fires], [0, 1, 0]);
      assert.deepEqual(texts(one), ['35 degrees', 'warm on cellar: resolved (resolved)']);
      assert.equal((await firings(one))[0].resolved_by, 'edit');
    });

    it('one that is open in the shadow alone fires now', async () => {
      const one = await alert();
      await begin(one, { expression: 'sensor_data_value > 25' });
      await send(one, [28], 70);
      assert.deepEqual(texts(one), []);
      const switched = await switchTo(one);
      assert.deepEqual([switched.kept, switched.ended, switched.fires], [0, 0, 1]);
      await pass(2);
      assert.deepEqual(texts(one), ['28 degrees']);
      const [firing] = await firings(one);
      assert.deepEqual([firing.state, firing.trigger_version], ['firing', 2]);
    });

    it('a pending one goes on with the time of the shadow, and an inactivity that is open in it fires', async () => {
      const one = await alert({ hold: 60 });
      await begin(one, { hold: 30, inactivity: 300 });
      await send(one, [35]);
      await pass(10);
      await switchTo(one);
      assert.equal((await record(one)).state, 'pending');
      await pass(22);
      assert.deepEqual(texts(one), ['35 degrees']);
      const two = await alert();
      await begin(two, { inactivity: 60 });
      await pass(70);
      assert.equal((await report(two)).summary.episodes, 1);
      assert.equal((await switchTo(two)).fires, 1);
      await pass(2);
      assert.equal((await firings(two))[0].reason, 'inactivity');
    });

    it('an escalation under way goes out, and is not begun again', async () => {
      const one = await alert();
      const { body } = await user.api.post('/notifications', {
        notification: { type: 'url', destination: receiver.url, text: 'still $sensor_data_value' },
      });
      await user.api.post(`/sensors/${one.sensorId}/triggers/${one.triggerId}/notifications`, {
        notification: { id: body.notification.id, after: 60 },
      });
      await begin(one, { expression: 'sensor_data_value > 25' });
      await send(one, [35], 70);
      await pass(30);
      await switchTo(one);
      assert.deepEqual(texts(one), ['35 degrees']);
      await pass(40);
      assert.deepEqual(texts(one), ['35 degrees', 'still 35']);
      await pass(90);
      assert.equal(texts(one).length, 2);
    });

    it('once, if two ask for it at once while points come', async () => {
      const one = await alert();
      await begin(one, { expression: 'sensor_data_value > 25' });
      await send(one, [28], 70);
      const ask = () => user.api.post(`/triggers/${one.triggerId}/shadow/switch`, {});
      const [asked] = await Promise.all([Promise.all([ask(), ask(), ask()]), send(one, [28.5])]);
      assert.deepEqual(asked.map(({ status }) => status).sort(), [200, 404, 404]);
      await pass(2);
      assert.equal((await firings(one)).length, 1);
      assert.equal(texts(one).length, 1);
    });

    it('a mute holds back what fires now', async () => {
      const one = await alert();
      await begin(one, { expression: 'sensor_data_value > 25' });
      await send(one, [28], 70);
      const nowS = clock.now() / 1000;
      await user.api.post('/mutes', { mute: { name: 'night', start: nowS, end: nowS + 600 } });
      await switchTo(one);
      await pass(2);
      assert.deepEqual(texts(one), []);
      assert.equal((await firings(one))[0].muted, true);
    });
  });

  it('with the rule of the trigger does what the trigger does, and what is sent is the same as without it', async function () {
    this.timeout(180_000);
    const rule = fc.record({
      expression: fc.constantFrom(
        'sensor_data_value > 30',
        'sensor_data_value > 20',
        'max_over_time(sensor_data_value, 40) > 25',
      ),
      resolve_expression: fc.constantFrom(null, 'sensor_data_value < 10'),
      hold: fc.constantFrom(0, 20),
      repeat: fc.constantFrom(null, 0, 60),
      keep_firing_for: fc.constantFrom(0, 30),
      inactivity: fc.constantFrom(0, 60),
    });
    const act = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(-5, 5, 15, 25, 35).map((value) => ({ value })) },
      { weight: 1, arbitrary: fc.constantFrom('acknowledge', 'resolve').map((done) => ({ done })) },
      { weight: 1, arbitrary: fc.constantFrom(30, 90).map((seconds) => ({ seconds })) },
    );
    await fc.assert(
      fc.asyncProperty(rule, fc.array(act, { minLength: 4, maxLength: 9 }), async ({ inactivity, ...fields }, acts) => {
        const trigger = inactivity === 0 ? fields : { ...fields, inactivity };
        const [shadowed, twin] = [await alert(trigger), await alert(trigger)];
        receiver.received.length = 0;
        await begin(shadowed, {});
        for (const one of acts as Fields[]) {
          await pass(Number(one.seconds ?? 15));
          for (const alarm of [shadowed, twin]) {
            if (one.value !== undefined)
              await upload(user, alarm.sensorId, { value: Number(one.value), date: clock.now() / 1000 });
            const open = (await firings(alarm)).find(({ state }: Fields) => state === 'firing');
            if (one.done && open) await user.api.post(`/firings/${open.id}/${one.done}`, {});
          }
          await platform.settle();
        }
        const reached = ({ sensorId }: Alarm) =>
          receiver.received
            .filter(({ form }) => form.sensor_id === sensorId)
            .map(({ form }) => [form.text, form.state]);
        assert.deepEqual(reached(shadowed), reached(twin), 'the shadow changes what is sent');
        const own = await platform.query(
          'SELECT reason, fired_ms, is_muted FROM shadow_firings WHERE sensor_id = ? ORDER BY fired_ms',
          [shadowed.sensorId],
        );
        const live = await platform.query(
          'SELECT reason, fired_ms, muted AS is_muted FROM firings WHERE sensor_id = ? ORDER BY fired_ms',
          [shadowed.sensorId],
        );
        assert.deepEqual(own, live);
        const { summary, deliveries, comparison } = await report(shadowed);
        assert.deepEqual([summary, deliveries], [comparison.summary, comparison.deliveries]);
        assert.deepEqual([comparison.only_this_count, comparison.only_other_count], [0, 0]);
        await remove(shadowed, twin);
      }),
      { numRuns: Number(process.env.SHADOW_RUNS ?? 12) },
    );
  });

  it('decides as an edit that keeps episodes would have made the trigger decide, and goes on so after a switch', async function () {
    this.timeout(180_000);
    const rule = fc.record({
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
    const values = fc.array(fc.constantFrom(-5, 5, 15, 25, 35), { minLength: 3, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(rule, rule, values, values, async (before, after, points, later) => {
        const [shadowed, twin] = [await alert(before), await alert(before)];
        const sendBoth = async (value: number, everyS: number) => {
          await pass(everyS);
          for (const { sensorId } of [shadowed, twin])
            await upload(user, sensorId, { value, date: clock.now() / 1000 });
          await platform.settle();
        };
        await sendBoth(31, 15);
        const startMs = clock.now();
        await begin(shadowed, after);
        await user.api.put(`/triggers/${twin.triggerId}`, { trigger: after, episodes: 'keep' });
        await platform.settle();
        for (const value of points) await sendBoth(value, 15);
        const own = await platform.query(
          'SELECT reason, fired_ms, is_muted FROM shadow_firings WHERE sensor_id = ? ORDER BY fired_ms',
          [shadowed.sensorId],
        );
        const edited = await platform.query(
          'SELECT reason, fired_ms, muted AS is_muted FROM firings WHERE sensor_id = ? AND fired_ms > ? ORDER BY fired_ms',
          [twin.sensorId, startMs],
        );
        assert.deepEqual(own, edited);
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
      { numRuns: Number(process.env.SHADOW_RUNS ?? 12) },
    );
  });

  /** An account has at most 20 shadows. */
  const remove = async (...alarms: Alarm[]) => {
    for (const { triggerId } of alarms) assert.equal((await user.api.delete(`/triggers/${triggerId}`)).status, 200);
  };
});
