import assert from 'node:assert/strict';
import { type Alarm, buildAlarm } from '../../support/alarm';
import { buildMute, buildNotification, connectNotification, create, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { purgeOf } from '../../support/purging';

const TEXT = 'warm on cellar: resolved';

describe('an episode of which a firing was delivered', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  /** An alarm that has fired and is delivered. */
  const firing = async ({ trigger = {}, format = 'form' } = {}): Promise<Alarm> => {
    const alarm = await buildAlarm(user, {
      sensor: { name: 'cellar' },
      trigger: { name: 'warm', expression: 'sensor_data_value > 30', notify_resolved: true, ...trigger },
      notifications: [{ destination: receiver.url, text: '$sensor_data_value degrees', format }],
    });
    await send(alarm, 31);
    return alarm;
  };
  const send = async ({ sensorId }: Alarm, value: number) => {
    clock.advance(61_000);
    await platform.container.heartbeat.beat();
    await upload(user, sensorId, { value, date: clock.now() / 1000 });
    await platform.settle();
  };
  const texts = () => receiver.received.map(({ form }) => `${form.text}${form.state ? ` (${form.state})` : ''}`);
  const pathOf = ({ sensorId, triggerId }: Alarm) => `/sensors/${sensorId}/triggers/${triggerId}`;
  const succeeds = async (request: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await request;
    assert.equal(status, 200, JSON.stringify(body));
  };

  const api = () => user.api;
  const EDITS: readonly [what: string, edit: (alarm: Alarm) => Promise<{ status: number; body: unknown }>][] = [
    ['its trigger is deleted', ({ triggerId }) => api().delete(`/triggers/${triggerId}`)],
    ['its trigger is disconnected', (alarm) => api().delete(pathOf(alarm))],
    ['its sensor is deleted', ({ sensorId }) => api().delete(`/sensors/${sensorId}`)],
    ['its trigger is paused', (alarm) => api().post(`${pathOf(alarm)}/active`, { active: false })],
    ['it is paused by a change', (alarm) => api().put(pathOf(alarm), { trigger: { active: false } })],
    [
      'its expression is edited',
      ({ triggerId }) => api().put(`/triggers/${triggerId}`, { trigger: { expression: 'sensor_data_value > 40' } }),
    ],
    ['its trigger gets a hold', ({ triggerId }) => api().put(`/triggers/${triggerId}`, { trigger: { hold: 60 } })],
    [
      'it is resolved by hand',
      async ({ triggerId }) => {
        const [{ id }] = (await api().get(`/firings?trigger_id=${triggerId}`)).body.firings;
        return api().post(`/firings/${id}/resolve`);
      },
    ],
    [
      'its trigger is disconnected from many sensors at once',
      ({ sensorId, triggerId }) =>
        api().post('/sensors/bulk', { sensors: [sensorId], action: { disconnect_trigger: { id: triggerId } } }),
    ],
  ];
  for (const [what, edit] of EDITS) {
    it(`ends with one delivery when ${what}`, async () => {
      const alarm = await firing();
      await succeeds(edit(alarm));
      await platform.settle();
      assert.deepEqual(texts(), ['31 degrees', `${TEXT} (resolved)`]);
      const { sensor_id, trigger_id } = receiver.received[1]?.form ?? {};
      assert.deepEqual({ sensor_id, trigger_id }, { sensor_id: alarm.sensorId, trigger_id: alarm.triggerId });
      clock.advance(120_000);
      await platform.settle();
      assert.equal(receiver.received.length, 2);
    });
  }

  it('ends for all its notifications when one is deleted', async () => {
    const alarm = await firing();
    const other = await buildNotification(user, { destination: `${receiver.url}/other` });
    await connectNotification(user, alarm.sensorId, alarm.triggerId, other);
    await succeeds(user.api.delete(`/notifications/${alarm.notificationIds[0]}`));
    await platform.settle();
    assert.deepEqual(
      receiver.received
        .slice(1)
        .map(({ path, form }) => [path, form.text])
        .sort(),
      [
        ['/', TEXT],
        ['/other', TEXT],
      ],
    );
    const { deliveries } = (await user.api.get('/deliveries')).body;
    assert.equal(deliveries.length, 3);
  });

  it('says by JSON what ended by whom, though nothing of it exists any more', async () => {
    const alarm = await firing({ format: 'json' });
    const [{ id }] = (await user.api.get(`/firings?trigger_id=${alarm.triggerId}`)).body.firings;
    await succeeds(user.api.delete(`/sensors/${alarm.sensorId}`));
    await succeeds(user.api.delete(`/triggers/${alarm.triggerId}`));
    await platform.settle();
    const { type, data } = JSON.parse(receiver.received[1]?.rawBody ?? '{}');
    assert.deepEqual(
      [type, data],
      [
        'trigger.resolved',
        {
          firing_id: id,
          episode: id,
          state: 'resolved',
          reason: 'expression',
          sensor: { id: alarm.sensorId, name: 'cellar' },
          trigger: { id: alarm.triggerId, name: 'warm', severity: 'warning' },
          value: null,
          date: clock.now() / 1000,
          text: TEXT,
        },
      ],
    );
  });

  it('keeps the delivery of its end until it has arrived, whatever the purge deletes', async () => {
    const alarm = await firing();
    receiver.responses.push(503);
    await succeeds(user.api.delete(`/triggers/${alarm.triggerId}`));
    await platform.settle();
    assert.equal(receiver.received.length, 2);
    await purgeOf(platform, {}).run();
    clock.advance(10_000);
    await platform.settle();
    assert.deepEqual(texts().slice(1), [`${TEXT} (resolved)`, `${TEXT} (resolved)`]);
    await purgeOf(platform, {}).run();
    const rows = await platform.query('SELECT id FROM firings WHERE owner_id = ?', [user.id]);
    const deliveries = await platform.query('SELECT id FROM deliveries WHERE owner_id = ?', [user.id]);
    assert.deepEqual([rows.length, deliveries.length], [0, 0]);
  });

  it('waits with its end for an attempt of its firing', async () => {
    receiver.responses.push(500);
    const alarm = await firing();
    await succeeds(user.api.delete(pathOf(alarm)));
    await platform.settle();
    assert.deepEqual(texts(), ['31 degrees']);
    clock.advance(20_000);
    await platform.settle();
    clock.advance(20_000);
    await platform.settle();
    assert.deepEqual(texts().slice(1), ['31 degrees', `${TEXT} (resolved)`]);
  });

  it('ends without a delivery if nobody asked for one, and while it is muted with one afterwards', async () => {
    const quiet = await firing({ trigger: { notify_resolved: false } });
    await succeeds(user.api.delete(pathOf(quiet)));
    const muted = await firing();
    await buildMute(user, { sensors: [muted.sensorId], start: clock.now() / 1000, end: clock.now() / 1000 + 1_000 });
    await succeeds(user.api.delete(`/triggers/${muted.triggerId}`));
    await platform.settle();
    assert.deepEqual(texts(), ['31 degrees', '31 degrees']);
    clock.advance(999_000);
    await platform.settle();
    assert.equal(receiver.received.length, 2);
    clock.advance(1_000);
    await platform.settle();
    assert.deepEqual(texts().slice(2), [`${TEXT} (resolved)`]);
  });

  it('ends after the mute in which data ended it, however its owner moves the end of the mute', async () => {
    const alarm = await firing({ format: 'json' });
    const mute = { start: clock.now() / 1000, end: clock.now() / 1000 + 1_000 };
    const id = await buildMute(user, { sensors: [alarm.sensorId], ...mute });
    await send(alarm, 20);
    assert.equal(receiver.received.length, 1);
    await succeeds(user.api.put(`/mutes/${id}`, { mute: { end: mute.end + 1_000 } }));
    const at = async (seconds: number) => {
      clock.advance(mute.start * 1000 + seconds * 1000 - clock.now());
      await platform.settle();
      return receiver.received.length;
    };
    assert.equal(await at(1_001), 1);
    await succeeds(user.api.put(pathOf(alarm), { trigger: { muted_until: mute.start + 2_500 } }));
    assert.equal(await at(2_400), 1);
    await succeeds(user.api.delete(`/triggers/${alarm.triggerId}`));
    assert.equal(await at(2_500), 2);
    const { type, data } = JSON.parse(receiver.received[1]?.rawBody ?? '{}');
    assert.deepEqual([type, data.value, data.trigger.name], ['trigger.resolved', '20', 'warm']);
    assert.equal(await at(5_000), 2);
  });

  it('ends at once when its mute is shortened, deleted or its owner sends it', async () => {
    const actions: ((id: string, alarm: Alarm) => Promise<{ status: number; body: unknown }>)[] = [
      (id) => user.api.delete(`/mutes/${id}`),
      (id) => user.api.put(`/mutes/${id}`, { mute: { end: clock.now() / 1000 } }),
      async () => {
        const [newest] = (await user.api.get('/deliveries?sort=desc&per_page=1')).body.deliveries;
        return user.api.post(`/deliveries/${newest.id}/redeliver`);
      },
    ];
    for (const act of actions) {
      receiver.received.length = 0;
      const alarm = await firing();
      const end = clock.now() / 1000 + 10_000;
      const id = await buildMute(user, { sensors: [alarm.sensorId], start: clock.now() / 1000, end });
      await send(alarm, 20);
      assert.deepEqual(texts(), ['31 degrees']);
      await succeeds(act(id, alarm));
      await platform.settle();
      assert.deepEqual(texts(), ['31 degrees', `${TEXT} (resolved)`]);
    }
  });

  it('ends at the same moment by a deletion and by data with one delivery', async () => {
    const alarm = await firing();
    clock.advance(61_000);
    await platform.container.heartbeat.beat();
    await upload(user, alarm.sensorId, { value: 20, date: clock.now() / 1000 });
    const [deleted] = await Promise.all([user.api.delete(`/triggers/${alarm.triggerId}`), platform.settle()]);
    assert.equal(deleted.status, 200);
    await platform.settle();
    assert.deepEqual(texts(), ['31 degrees', `${TEXT} (resolved)`]);
  });

  it('raises resolve_trigger, whatever ends it', async () => {
    const listener = await buildNotification(user, { destination: `${receiver.url}/events`, text: '$event' });
    const event = { name: 'ends', event: 'resolve_trigger', notification_id: listener };
    await create(user, '/events/notifications', { event_notification: event });
    const alarm = await firing();
    await succeeds(user.api.delete(`/triggers/${alarm.triggerId}`));
    await platform.settle();
    const events = receiver.received.filter(({ path }) => path === '/events');
    assert.deepEqual(
      events.map(({ form }) => [form.event, form.subject_id, form.source_id]),
      [['resolve_trigger', alarm.triggerId, alarm.sensorId]],
    );
  });
});
