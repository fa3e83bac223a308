import assert from 'node:assert/strict';
import { handleDelivery } from '../../../workers/delivery.worker';
import { buildAlarms } from '../../support/alarm';
import { buildMute, buildNotification, connectNotification, create, thenOf, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';

type Fields = Record<string, unknown>;
const LENGTH_S = 1_000;
const DELIVER = thenOf('deliver');

describe('a mute that delivers what still fires', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);
  let startMs = 0;

  /** Sensors `a` and `b` with one trigger and one notification. The mute has begun. */
  const build = async ({ trigger = {}, notification = {}, mute = DELIVER }: Record<string, Fields> = {}) => {
    receiver.received.length = 0;
    const rule = { name: 'warm', expression: 'sensor_data_value > 30', repeat: 0, notify_resolved: true };
    const { sensorIds, triggerId, notificationIds } = await buildAlarms(user, {
      sensors: [{ name: 'a' }, { name: 'b' }],
      trigger: { ...rule, ...trigger },
      notifications: [{ destination: receiver.url, text: '$sensor_name $sensor_data_value', ...notification }],
    });
    const [a = '', b = ''] = sensorIds;
    clock.advance(61_000);
    startMs = clock.now();
    const muteId = await buildMute(user, { start: startMs / 1000, end: startMs / 1000 + LENGTH_S, ...mute });
    return { a, b, triggerId, muteId, notificationId: notificationIds[0] ?? '' };
  };
  const send = async (value: number, ...sensorIds: string[]) => {
    clock.advance(1_000);
    await platform.container.heartbeat.beat();
    for (const id of sensorIds) {
      await upload(user, id, { value, date: clock.now() / 1000 });
      await platform.settle();
    }
  };
  /** Goes to this second of the mute. */
  const at = async (seconds: number) => {
    clock.advance(startMs + seconds * 1000 - clock.now());
    await platform.container.heartbeat.beat();
    await platform.settle();
  };
  const texts = () => receiver.received.map(({ form }) => String(form.text));
  const succeeds = async (request: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await request;
    assert.equal(status, 200, JSON.stringify(body));
  };
  const firingsOf = async (triggerId: string) => (await user.api.get(`/firings?trigger_id=${triggerId}`)).body.firings;
  const mutedNow = async (triggerId: string) => (await firingsOf(triggerId)).map(({ muted_now }: Fields) => muted_now);
  const DIGEST = '2 alerts after a mute:\n- warm on a: 31\n- warm on b: 31';
  const ends = (...names: string[]) => names.map((name) => `warm on ${name}: resolved`);

  it('ends with one digest for each notification, and the ends come after it', async () => {
    const { a, b, triggerId } = await build();
    const other = await buildNotification(user, { destination: `${receiver.url}/other`, format: 'json' });
    for (const id of [a, b]) await connectNotification(user, id, triggerId, other);
    await send(31, a, b);
    assert.deepEqual(
      (await firingsOf(triggerId)).map(({ muted }: Fields) => muted),
      [true, true],
    );
    assert.deepEqual(await mutedNow(triggerId), Array(2).fill({ until: startMs / 1000 + LENGTH_S, by: 'mute' }));
    const later = startMs / 1000 + LENGTH_S + 1;
    await user.api.put(`/sensors/${a}/triggers/${triggerId}`, { trigger: { muted_until: later } });
    assert.deepEqual((await mutedNow(triggerId))[0], { until: later, by: 'trigger' });
    await user.api.put(`/sensors/${a}/triggers/${triggerId}`, { trigger: { muted_until: null } });
    await at(LENGTH_S - 1);
    assert.deepEqual(texts(), []);
    const { trigger } = (await user.api.get(`/sensors/${a}/triggers/${triggerId}`)).body;
    assert.deepEqual(trigger.next, { what: 'mute', at: startMs / 1000 + LENGTH_S });
    await at(LENGTH_S);
    assert.equal(receiver.received.length, 2);
    assert.equal(receiver.received.find(({ path }) => path !== '/other')?.form.text, DIGEST);
    const { type, data } = JSON.parse(receiver.received.find(({ path }) => path === '/other')?.rawBody ?? '{}');
    assert.deepEqual(
      [type, data.count, data.alerts.map(({ state }: Fields) => state)],
      ['trigger.digest', 2, ['firing', 'firing']],
    );
    await at(LENGTH_S + 3_600);
    assert.equal(receiver.received.length, 2, 'sent once');
    const { deliveries } = (await user.api.get('/deliveries?per_page=100')).body;
    assert.deepEqual(
      deliveries.map(({ status, is_digest, digest_id }: Fields) => [status, is_digest, digest_id !== null]).sort(),
      [
        ...Array.from({ length: 4 }, () => ['delivered', false, true]),
        ...Array.from({ length: 2 }, () => ['delivered', true, false]),
      ],
    );
    await send(20, a, b);
    const plain = receiver.received.slice(2).filter(({ path }) => path !== '/other');
    assert.deepEqual(plain.map(({ form }) => form.text).sort(), ends('a', 'b'));
    assert.equal(receiver.received.length, 6);
  });

  it('delivers one alert as it is, and nothing of one that ended within it', async () => {
    const { a, b } = await build();
    await send(31, a, b);
    await send(20, b);
    await at(LENGTH_S);
    assert.deepEqual(texts(), ['a 31']);
    await at(LENGTH_S + 3_600);
    await send(20, a);
    assert.deepEqual(texts(), ['a 31', ...ends('a')]);
  });

  it('delivers nothing of an alert that was acknowledged, resolved or edited away within it', async () => {
    const acts: ((firingId: string, triggerId: string) => Promise<{ status: number; body: unknown }>)[] = [
      (id) => user.api.post(`/firings/${id}/acknowledge`),
      (id) => user.api.post(`/firings/${id}/resolve`),
      (_, triggerId) => user.api.delete(`/triggers/${triggerId}`),
    ];
    for (const act of acts) {
      const { a, triggerId } = await build();
      await send(31, a);
      const [{ id }] = await firingsOf(triggerId);
      await succeeds(act(id, triggerId));
      await at(LENGTH_S + 1);
      await send(20, a);
      assert.deepEqual(texts(), []);
    }
  });

  it('delivers nothing without `then`, and nothing twice of an alert that was delivered before it', async () => {
    const dropping = await build({ mute: {} });
    await send(31, dropping.a, dropping.b);
    await at(LENGTH_S + 1);
    await send(20, dropping.a);
    assert.deepEqual(texts(), []);
    const { a, muteId } = await build({ trigger: { repeat: 60 } });
    await succeeds(user.api.put(`/mutes/${muteId}`, { mute: { start: startMs / 1000 + 30 } }));
    await send(31, a);
    await at(100);
    await send(32, a);
    await at(LENGTH_S + 1);
    assert.deepEqual(texts(), ['a 31']);
  });

  it('waits for its new end when it is changed, and delivers at once when it is shortened or deleted', async () => {
    const prolonged = await build();
    await send(31, prolonged.a, prolonged.b);
    const put = (mute: Fields, id = prolonged.muteId) => succeeds(user.api.put(`/mutes/${id}`, { mute }));
    await put({ end: startMs / 1000 + 2 * LENGTH_S });
    await at(LENGTH_S + 1);
    assert.deepEqual(texts(), []);
    await at(2 * LENGTH_S);
    assert.deepEqual(texts(), [DIGEST]);
    // Sensors with equal names are distinguished by their ids.
    const withoutIds = () => texts().map((text) => text.replace(/ \(id \d+\)/g, ''));
    const acts: ((muteId: string) => Promise<void>)[] = [
      (id) => put({ end: clock.now() / 1000 }, id),
      (id) => succeeds(user.api.delete(`/mutes/${id}`)),
    ];
    for (const act of acts) {
      const { a, b, muteId } = await build();
      await send(31, a, b);
      await act(muteId);
      await platform.settle();
      assert.deepEqual(withoutIds(), [DIGEST]);
      await at(LENGTH_S + 1);
      assert.equal(receiver.received.length, 1);
    }
  });

  it('leaves out what another mute still covers', async () => {
    const { a, b, triggerId } = await build();
    await send(31, a, b);
    await succeeds(
      user.api.put(`/sensors/${b}/triggers/${triggerId}`, {
        trigger: { muted_until: startMs / 1000 + LENGTH_S + 100 },
      }),
    );
    await at(LENGTH_S);
    assert.deepEqual(texts(), ['a 31']);
    await at(LENGTH_S + 100);
    assert.deepEqual(texts(), ['a 31', 'b 31']);
  });

  it('repeats nothing within it, and repeats as usual after it', async () => {
    const { a } = await build({ trigger: { repeat: 60 } });
    await send(31, a);
    await at(100);
    await send(32, a);
    await at(LENGTH_S);
    assert.deepEqual(texts(), ['a 31']);
    await at(LENGTH_S + 100);
    await send(33, a);
    await send(20, a);
    assert.deepEqual(texts(), ['a 31', 'a 33', ...ends('a')]);
  });

  it('keeps the `after` of a notification, whenever it ends', async () => {
    const { a, triggerId, muteId } = await build();
    const path = `${receiver.url}/late`;
    const late = await buildNotification(user, { destination: path, text: 'late' });
    await connectNotification(user, a, triggerId, late, 2 * LENGTH_S);
    await send(31, a);
    await succeeds(user.api.delete(`/mutes/${muteId}`));
    await platform.settle();
    assert.deepEqual(texts(), ['a 31']);
    await at(2 * LENGTH_S + 1);
    assert.deepEqual(texts(), ['a 31', 'late']);
  });

  it('keeps the shorter `after` of a notification that is connected to the trigger and on the sensor', async () => {
    const { a, triggerId, muteId } = await build();
    const late = await buildNotification(user, { destination: `${receiver.url}/late`, text: 'late' });
    await connectNotification(user, a, triggerId, late, 2 * LENGTH_S);
    await create(user, `/triggers/${triggerId}/notifications`, { notification: { id: late, after: LENGTH_S / 2 } });
    await send(31, a);
    await succeeds(user.api.delete(`/mutes/${muteId}`));
    await platform.settle();
    assert.deepEqual(texts(), ['a 31']);
    await at(LENGTH_S / 2 + 1);
    assert.deepEqual(texts(), ['a 31', 'late']);
  });

  it('delivers an inactivity, and hours of the week at their end', async () => {
    const from = new Date(clock.now()).toISOString().slice(11, 16);
    const to = new Date(clock.now() + 600_000).toISOString().slice(11, 16);
    const weekly = { days: [0, 1, 2, 3, 4, 5, 6], from, to, timezone: 'UTC' };
    const { a, b } = await build({
      trigger: { expression: '', inactivity: 60 },
      mute: { start: 0, end: 0, weekly, ...DELIVER },
    });
    await send(1, a, b);
    // Longer pauses without a heartbeat are no inactivity.
    for (let seconds = 4; seconds <= 100; seconds += 2) {
      clock.advance(2_000);
      await platform.container.heartbeat.beat();
    }
    await platform.settle();
    assert.deepEqual(texts(), []);
    await at(600);
    const [heading, ...lines] = texts().flatMap((text) => text.split('\n'));
    assert.equal(heading, '2 alerts after a mute:');
    assert.deepEqual(lines.sort(), ['- warm on a: no data', '- warm on b: no data']);
    await send(1, a, b);
    assert.deepEqual(texts().slice(1).sort(), ends('a', 'b'));
  });
});

describe('the digest at the end of a mute', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { DELIVERY_RECEIVER_CONCURRENCY: '1' } });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);
  const SENSORS = 8;

  /** Sensors whose alerts wait for the end of a mute. Returns the ids of their deliveries, which are due. */
  const waiting = async (): Promise<number[]> => {
    const { sensorIds } = await buildAlarms(user, {
      sensors: Array.from({ length: SENSORS }, (_, index) => ({ name: `s${index}` })),
      trigger: { name: 'warm', expression: 'sensor_data_value > 30' },
      notifications: [{ destination: receiver.url, text: 'warm' }],
    });
    const now = clock.now() / 1000;
    await buildMute(user, { start: now, end: now + LENGTH_S, ...DELIVER });
    const data = sensorIds.map((sensor_id) => ({ sensor_id, data: [{ value: 31, date: now }] }));
    await create(user, '/sensors/data', { sensors: data });
    await platform.settle();
    clock.advance(LENGTH_S * 1000);
    const rows = await platform.query("SELECT id FROM deliveries WHERE owner_id = ? AND status = 'pending'", [user.id]);
    assert.equal(rows.length, SENSORS);
    return rows.map(({ id }) => Number(id));
  };
  const expectOne = async () => {
    await platform.settle();
    clock.advance(120_000);
    await platform.settle();
    assert.deepEqual(
      receiver.received.map(({ form }) => String(form.text).split('\n')[0]),
      [`${SENSORS} alerts after a mute:`],
    );
    const rows = await platform.query("SELECT id FROM deliveries WHERE owner_id = ? AND status = 'delivered'", [
      user.id,
    ]);
    const throttled = await platform.query('SELECT delivery_id FROM throttled_deliveries', []);
    assert.deepEqual([rows.length, throttled], [SENSORS + 1, []]);
  };

  beforeEach(() => {
    receiver.received.length = 0;
  });

  it('holds all of them, although the receiver takes one at a time', async () => {
    await waiting();
    await expectOne();
  });

  it('is one, although workers attempt all of them at once', async () => {
    const ids = await waiting();
    await Promise.all(ids.map((deliveryId) => handleDelivery({ deliveryId }, platform.container)));
    await expectOne();
  });
});
