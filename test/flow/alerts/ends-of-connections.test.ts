import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Alarm, buildAlarm } from '../../support/alarm';
import {
  buildMute,
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  upload,
} from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { buildFleet, someAtOnce } from '../../support/fleet';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { startWorkerElsewhere } from '../../support/other-process';
import { purgeOf } from '../../support/purging';
import { until } from '../../support/until';

/** More than one transaction ends, and more than a notification gets in a minute. */
const MANY = 230;
const BEGAN = '31 degrees';
const ENDED = 'warm on cellar: resolved (resolved)';
const TRIGGER = { name: 'warm', expression: 'sensor_data_value > 30', notify_resolved: true };

type Answer = Promise<{ status: number; body: unknown }>;

async function succeeds(request: Answer): Promise<void> {
  const { status, body } = await request;
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`);
}

/** What ends the connection of the alarm's notification, by the API of its owner. */
const ENDINGS = ['disconnected', 'disconnected-whole', 'replaced', 'disabled', 'deleted'] as const;
type Ending = (typeof ENDINGS)[number];

describe('a notification whose connection ends during an episode', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const firing = async (trigger: object = {}, notification: object = {}): Promise<Alarm> => {
    const alarm = await buildAlarm(user, {
      sensor: { name: 'cellar' },
      trigger: { ...TRIGGER, ...trigger },
      notifications: [{ destination: receiver.url, text: '$sensor_data_value degrees', ...notification }],
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
  const settleLater = async () => {
    clock.advance(120_000);
    await platform.settle();
  };
  const texts = () => receiver.received.map(({ form }) => `${form.text}${form.state ? ` (${form.state})` : ''}`);
  const pathOf = ({ sensorId, triggerId }: Alarm) => `/sensors/${sensorId}/triggers/${triggerId}/notifications`;
  const idOf = ({ notificationIds }: Alarm) => notificationIds[0] ?? '';
  const wholePath = ({ triggerId }: Alarm) => `/triggers/${triggerId}/notifications`;
  const disconnect = (alarm: Alarm) => user.api.delete(`${pathOf(alarm)}/${idOf(alarm)}`);
  const connect = (alarm: Alarm) => connectNotification(user, alarm.sensorId, alarm.triggerId, idOf(alarm));
  const switchTo = (alarm: Alarm, enabled: boolean) =>
    user.api.put(`/notifications/${idOf(alarm)}`, { notification: { enabled } });
  const remove = (alarm: Alarm) => user.api.delete(`/notifications/${idOf(alarm)}`);
  const replace = ({ sensorId, triggerId }: Alarm, other: string) =>
    user.api.post('/sensors/bulk', {
      sensors: [sensorId],
      action: { connect_trigger: { id: triggerId, notifications: [other] } },
    });
  const stateOf = async ({ sensorId, triggerId }: Alarm) =>
    (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`)).body.trigger.state;

  it('gets the end when it is disconnected from the sensor, and the episode continues', async () => {
    const alarm = await firing();
    const other = await buildNotification(user, { destination: `${receiver.url}/other`, text: 'other' });
    await connectNotification(user, alarm.sensorId, alarm.triggerId, other);
    await succeeds(disconnect(alarm));
    await platform.settle();
    assert.deepEqual(texts(), [BEGAN, ENDED]);
    assert.equal(await stateOf(alarm), 'firing');
    await send(alarm, 20);
    assert.deepEqual(
      receiver.received.slice(2).map(({ path }) => path),
      ['/other'],
    );
  });

  it('gets the end when others take its place', async () => {
    const alarm = await firing();
    const other = await buildNotification(user, { destination: `${receiver.url}/other` });
    await succeeds(replace(alarm, other));
    await platform.settle();
    assert.deepEqual(texts(), [BEGAN, ENDED]);
  });

  it('gets the end when it is disconnected from the whole trigger, unless it stays connected on the sensor', async () => {
    const alarm = await firing();
    await succeeds(user.api.post(wholePath(alarm), { notification: { id: idOf(alarm) } }));
    await succeeds(user.api.delete(`${wholePath(alarm)}/${idOf(alarm)}`));
    await settleLater();
    assert.deepEqual(texts(), [BEGAN]);
    await succeeds(user.api.post(wholePath(alarm), { notification: { id: idOf(alarm) } }));
    await succeeds(disconnect(alarm));
    await settleLater();
    assert.deepEqual(texts(), [BEGAN]);
    await succeeds(user.api.delete(`${wholePath(alarm)}/${idOf(alarm)}`));
    await settleLater();
    assert.deepEqual(texts(), [BEGAN, ENDED]);
  });

  it('gets the end when it is disabled, and nothing afterwards', async () => {
    const alarm = await firing();
    await succeeds(switchTo(alarm, false));
    await platform.settle();
    assert.deepEqual(texts(), [BEGAN, ENDED]);
    await send(alarm, 20);
    await send(alarm, 31);
    assert.deepEqual(texts(), [BEGAN, ENDED]);
  });

  it('gets the end when a selector no longer selects the sensor', async () => {
    const isCellar = { sensor_property: 'name', operator: 'equal', value: 'cellar' };
    const selector = { filter: { sensor_statement_groups: [[isCellar]] } };
    const sensorId = await buildSensor(user, { name: 'cellar' });
    const triggerId = await buildTrigger(user, { ...TRIGGER, selector });
    const id = await buildNotification(user, { destination: receiver.url, text: '$sensor_data_value degrees' });
    const alarm = { sensorId, triggerId, notificationIds: [id] };
    await succeeds(user.api.post(wholePath(alarm), { notification: { id } }));
    await platform.settle();
    await send(alarm, 31);
    await succeeds(user.api.put(`/sensors/${sensorId}`, { sensor: { name: 'attic' } }));
    await platform.settle();
    assert.deepEqual(texts(), [BEGAN, ENDED.replace('cellar', 'attic')]);
  });

  it('gets the end of an inactivity', async () => {
    const alarm = await firing({ expression: undefined, inactivity: 60 }, { text: 'no data' });
    for (let second = 0; second < 61; second += 1) {
      clock.advance(1_000);
      await platform.container.heartbeat.beat();
    }
    await platform.settle();
    assert.deepEqual(texts(), ['no data']);
    await succeeds(disconnect(alarm));
    await platform.settle();
    assert.deepEqual(texts(), ['no data', ENDED]);
  });

  it('gets the end after it is deleted, signed and shaped as before, also by a later attempt', async () => {
    const alarm = await firing({}, { headers: { 'X-Team': 'cellar' }, format: 'json' });
    receiver.responses.push(503);
    await succeeds(remove(alarm));
    await platform.settle();
    await purgeOf(platform, {}).run();
    await settleLater();
    const [, refused, accepted] = receiver.received;
    assert.equal(receiver.received.length, 3);
    assert.equal(accepted?.headers['x-team'], 'cellar');
    assert.match(String(accepted?.headers['webhook-signature']), /^v1,/);
    assert.equal(accepted?.headers['webhook-id'], refused?.headers['webhook-id']);
    const { type, data } = JSON.parse(accepted?.rawBody ?? '{}');
    assert.deepEqual([type, data.state, data.date], ['trigger.resolved', 'resolved', clock.now() / 1000 - 120]);
    assert.equal((await user.api.get(`/notifications/${idOf(alarm)}`)).status, 404);
    await purgeOf(platform, {}).run();
    assert.deepEqual(await platform.query('SELECT id FROM deleted_notifications'), []);
  });

  it('leaves nothing of its secrets once the account is deleted', async () => {
    const alarm = await firing();
    receiver.responses.push(503);
    await succeeds(remove(alarm));
    await platform.settle();
    const kept = () => platform.query('SELECT id FROM deleted_notifications WHERE owner_id = ?', [user.id]);
    assert.equal((await kept()).length, 1);
    await succeeds(user.api.delete(`/users/${user.id}`));
    await platform.settle();
    assert.deepEqual(await kept(), []);
  });

  it('gets no end without a beginning, without notify_resolved, or while its firing waits', async () => {
    const quiet = await firing({ notify_resolved: false });
    await succeeds(disconnect(quiet));
    const late = await firing();
    const other = await buildNotification(user, { destination: `${receiver.url}/late` });
    await connectNotification(user, late.sensorId, late.triggerId, other);
    await succeeds(user.api.delete(`${pathOf(late)}/${other}`));
    await connectNotification(user, late.sensorId, late.triggerId, other, 3_600);
    await succeeds(user.api.put(`/notifications/${other}`, { notification: { enabled: false } }));
    await settleLater();
    assert.deepEqual(texts(), [BEGAN, BEGAN]);
  });

  it('gets no second end when it is connected again and gets nothing more of the episode', async () => {
    const alarm = await firing();
    await succeeds(disconnect(alarm));
    await connect(alarm);
    await platform.settle();
    await send(alarm, 20);
    assert.deepEqual(texts(), [BEGAN, ENDED]);
    await send(alarm, 31);
    await send(alarm, 20);
    assert.deepEqual(texts().slice(2), [BEGAN, ENDED]);
  });

  it('gets another end when it is connected again and gets a further firing of the episode', async () => {
    const alarm = await firing({ repeat: 60 });
    await succeeds(switchTo(alarm, false));
    await platform.settle();
    await succeeds(switchTo(alarm, true));
    await send(alarm, 31);
    assert.deepEqual(texts(), [BEGAN, ENDED, BEGAN]);
    await succeeds(switchTo(alarm, false));
    await platform.settle();
    assert.deepEqual(texts(), [BEGAN, ENDED, BEGAN, ENDED]);
    await succeeds(switchTo(alarm, true));
    await send(alarm, 31);
    await send(alarm, 20);
    assert.deepEqual(texts().slice(4), [BEGAN, ENDED]);
  });

  it('waits with its end for its firing and for the end of a mute', async () => {
    receiver.responses.push(500);
    const alarm = await firing();
    await buildMute(user, { sensors: [alarm.sensorId], start: clock.now() / 1000, end: clock.now() / 1000 + 1_000 });
    await succeeds(disconnect(alarm));
    await settleLater();
    assert.deepEqual(texts(), [BEGAN, BEGAN]);
    clock.advance(1_000_000);
    await platform.settle();
    assert.deepEqual(texts(), [BEGAN, BEGAN, ENDED]);
  });

  const ENDINGS_OF_MANY: readonly ['deleted' | 'disabled', (alarm: Alarm) => Answer][] = [
    ['deleted', remove],
    ['disabled', (alarm) => switchTo(alarm, false)],
  ];
  for (const [what, act] of ENDINGS_OF_MANY) {
    it(`gets each of many ends when it is ${what}, in small transactions and without a digest`, async () => {
      const trigger = { name: 'warm', expression: 'sensor_data_value > 30', notify_resolved: true, repeat: 0 };
      const notification = { destination: receiver.url, text: 'warm', digest: true };
      const fleet = await buildFleet(user, { sensors: MANY, trigger, notifications: [notification] });
      await someAtOnce(MANY, (index) => upload(user, fleet.sensorIds[index] ?? '', { value: 31 }));
      await platform.settle();
      await settleLater();
      const changes = async () =>
        Number((await platform.query('SELECT SUM(upload_epoch) AS total FROM partitions'))[0]?.total);
      const before = await changes();
      receiver.received.length = 0;
      await succeeds(act({ ...fleet, sensorId: '' }));
      assert.ok((await changes()) - before > 1, 'one transaction ended all');
      await settleLater();
      await settleLater();
      const ended = receiver.received.map(({ form }) => form.sensor_id);
      assert.deepEqual([ended.length, new Set(ended).size], [MANY, MANY]);
    });
  }

  it('gets an end that waited in a digest when it is disabled', async () => {
    const trigger = { name: 'warm', expression: 'sensor_data_value > 30', notify_resolved: true };
    const notification = { destination: receiver.url, text: 'warm', digest: true };
    const fleet = await buildFleet(user, { sensors: MANY, trigger, notifications: [notification] });
    const sendAll = async (value: number) => {
      await platform.container.heartbeat.beat();
      await someAtOnce(MANY, (index) => upload(user, fleet.sensorIds[index] ?? '', { value }));
      await platform.settle();
    };
    await sendAll(31);
    await settleLater();
    await sendAll(20);
    const aggregated = () =>
      platform.query("SELECT id FROM deliveries WHERE owner_id = ? AND kind = 'end' AND digest_id IS NOT NULL", [
        user.id,
      ]);
    assert.ok((await aggregated()).length > 0);
    await succeeds(switchTo({ ...fleet, sensorId: '' }, false));
    await settleLater();
    await settleLater();
    const rows = await platform.query(
      "SELECT status, COUNT(*) AS number FROM deliveries WHERE owner_id = ? AND kind = 'end' GROUP BY status",
      [user.id],
    );
    assert.deepEqual(
      rows.map(({ status, number }) => [status, Number(number)]),
      [['delivered', MANY]],
    );
  });
});

describe('a notification whose connection ends while no worker runs', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUserPerTest(platform);
  let worker: ChildProcess | undefined;
  const start = async () => {
    worker = await startWorkerElsewhere(platform, platform.container.config.redisUrl);
  };
  const kill = async () => {
    if (!worker) return;
    const ended = once(worker, 'exit');
    worker.kill('SIGKILL');
    await ended;
    worker = undefined;
  };
  afterEach(kill);

  const end: Record<Ending, (alarm: Alarm, id: string) => Answer> = {
    disconnected: ({ sensorId, triggerId }, id) =>
      user.api.delete(`/sensors/${sensorId}/triggers/${triggerId}/notifications/${id}`),
    'disconnected-whole': ({ triggerId }, id) => user.api.delete(`/triggers/${triggerId}/notifications/${id}`),
    replaced: ({ sensorId, triggerId }) =>
      user.api.post('/sensors/bulk', {
        sensors: [sensorId],
        action: { connect_trigger: { id: triggerId, notifications: [] } },
      }),
    disabled: (_, id) => user.api.put(`/notifications/${id}`, { notification: { enabled: false } }),
    deleted: (_, id) => user.api.delete(`/notifications/${id}`),
  };

  for (const how of ENDINGS) {
    it(`gets the end once when it is ${how}, from another worker`, async () => {
      const isWhole = how === 'disconnected-whole';
      const alarm = await buildAlarm(user, {
        sensor: { name: 'cellar' },
        trigger: TRIGGER,
        notifications: isWhole ? [] : [{ destination: receiver.url, text: '$sensor_data_value degrees' }],
      });
      const id = isWhole ? await buildNotification(user, { destination: receiver.url }) : alarm.notificationIds[0];
      if (isWhole)
        await succeeds(user.api.post(`/triggers/${alarm.triggerId}/notifications`, { notification: { id } }));
      await start();
      await upload(user, alarm.sensorId, { value: 31 });
      await until('its firing is delivered', async () => {
        const rows = await platform.query('SELECT status FROM deliveries WHERE owner_id = ?', [user.id]);
        return rows[0]?.status === 'delivered';
      });
      await kill();
      await succeeds(end[how](alarm, id ?? ''));
      await start();
      const ends = () => platform.query("SELECT status FROM deliveries WHERE owner_id = ? AND kind = 'end'", [user.id]);
      await until('its end is delivered', async () => (await ends())[0]?.status === 'delivered');
      assert.deepEqual([(await ends()).length, receiver.received.length], [1, 2]);
      assert.equal(receiver.received[1]?.form.state, 'resolved');
    });
  }
});
