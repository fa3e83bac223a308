import assert from 'node:assert/strict';
import { shadowRequests, useClockedAlerts, WARM } from '../../support/clocked-alerts';
import { buildTrigger, type Fields } from '../../support/factories';

describe('a shadow of a trigger', () => {
  const alerts = useClockedAlerts();
  const { clock, platform, receiver, user, pass, send, texts, firings, record } = alerts;
  const { begin, report, switchTo } = shadowRequests(alerts);
  const alert = (trigger: Fields = {}) => alerts.alert({ repeat: 0, ...trigger });

  it('decides by its own rule, sends nothing, and reports what it would have sent', async () => {
    const one = await alert();
    const hasShadow = async () => (await user.api.get(`/triggers/${one.triggerId}`)).body.trigger.has_shadow;
    assert.equal(await hasShadow(), false);
    const begun = await begin(one, { expression: 'sensor_data_value > 40' });
    assert.equal(await hasShadow(), true);
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
    await platform.container.services.shadows.endDue();
    const inactive = 'SELECT w.id FROM shadow_states w JOIN sensor_triggers st ON st.id = w.id WHERE NOT st.active';
    assert.deepEqual(await platform.query(inactive), [], 'no pass looks for it');
    await user.api.put(`/sensors/${one.sensorId}/triggers/${one.triggerId}`, { trigger: { active: 1 } });
    await platform.settle();
    await pass(30);
    assert.equal((await report(one)).summary.episodes, 2, 'the time in which it was inactive does not count');
    await pass(40);
    assert.equal((await report(one)).summary.episodes, 3);
  });

  it('ends by itself with an event, and keeps its report', async () => {
    const one = await alert();
    const about = { name: 'ended', event: 'shadow_ended', notification_id: one.notificationIds[0] };
    await user.api.post('/events/notifications', { event_notification: about });
    await begin(one, { hold: 30, days: 1 });
    await send(one, [31, 31, 31, 31, 29]);
    const leaveOut = "UPDATE shadow_states SET state = JSON_SET(state, '$.untried', 3) WHERE trigger_id = ?";
    await platform.query(leaveOut, [one.triggerId]);
    const before = await report(one);
    assert.equal(before.untried, 3);
    clock.advance(86_400_000);
    await platform.container.services.shadows.endDue();
    await platform.settle();
    const sql = "SELECT id FROM deliveries WHERE event = 'shadow_ended' AND subject_id = ?";
    assert.equal((await platform.query(sql, [one.triggerId])).length, 1);
    const after = await report(one);
    assert.equal(after.ended, after.until);
    assert.deepEqual([after.summary, after.comparison, after.untried], [before.summary, before.comparison, 3]);
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
    await begin({ triggerId }, { hold: 60 });
    const { kept, ended, fires, trigger } = await switchTo({ triggerId });
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

    it('one that was open when the shadow began ends with it, and the report says so before', async () => {
      const one = await alert();
      await send(one, [31]);
      await begin(one, { expression: 'sensor_data_value > 40' });
      const announced = async () => Object.values((await report(one)).on_switch);
      assert.deepEqual(await announced(), [1, 0, 0]);
      await send(one, [32]);
      assert.deepEqual(await announced(), [0, 1, 0]);
      const switched = await switchTo(one);
      assert.deepEqual([switched.kept, switched.ended, switched.fires], [0, 1, 0]);
    });

    it('one that a person has ended since the last point does not fire', async () => {
      const one = await alert();
      await begin(one, { expression: 'sensor_data_value > 25' });
      await send(one, [35], 70);
      await user.api.post(`/firings/${(await firings(one))[0].id}/resolve`, {});
      assert.deepEqual((await report(one)).on_switch, { kept: 0, ended: 0, fires: 0 });
      assert.equal((await switchTo(one)).fires, 0);
      await pass(62);
      assert.equal((await firings(one)).length, 1);
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

    it('once, if several ask for it at once while points come', async () => {
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
});
