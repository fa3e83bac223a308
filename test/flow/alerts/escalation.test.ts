import assert from 'node:assert/strict';
import { handleDelivery } from '../../../workers/delivery.worker';
import { type Escalating, useEscalations } from '../../support/escalations';
import { upload } from '../../support/factories';
import { connectOtherClient } from '../../support/other-client';
import { purgeOf } from '../../support/purging';
import { until } from '../../support/until';

type Fields = Record<string, unknown>;

describe('a notification with `after`', () => {
  const { clock, platform, receiver, user, build, pass, send, got, firingOf, waiting, acknowledge } = useEscalations();

  it('gets the firing once the episode has lasted that long, and the end after it', async () => {
    const one = await build([0, 60, 600]);
    await send(one, 31);
    const { deliveries } = (await user.api.get('/deliveries?per_page=1000')).body;
    assert.deepEqual(
      deliveries.map((row: Fields) => [
        row.status,
        row.next_attempt === null ? null : Number(row.next_attempt) - clock.now() / 1000,
      ]),
      [
        ['delivered', null],
        ['pending', 60],
        ['pending', 600],
      ],
    );
    const next = async () => (await user.api.get(one.path)).body.trigger.next;
    assert.deepEqual(await next(), { what: 'escalation', at: clock.now() / 1000 + 60 });
    const [listed] = (await user.api.get(`/sensors/${one.sensorId}/triggers`)).body.triggers;
    assert.deepEqual(listed.next, await next());
    assert.deepEqual(got(), ['/0 31 degrees']);
    await pass(59);
    assert.equal(receiver.received.length, 1);
    await pass(1);
    assert.deepEqual(got().slice(1), ['/60 31 degrees']);
    await pass(539);
    assert.equal(receiver.received.length, 2);
    await pass(1);
    assert.deepEqual(got().slice(2), ['/600 31 degrees']);
    assert.equal(await next(), null);
    await pass(3_600);
    assert.equal(receiver.received.length, 3);
    await send(one, 20);
    assert.deepEqual(got().slice(3).sort(), ['/0 resolved', '/60 resolved', '/600 resolved']);
    assert.deepEqual(await waiting(), []);
  });

  it('gets nothing of an episode that has ended by then, not even its end', async () => {
    const one = await build([0, 60, 600]);
    await send(one, 31);
    await pass(60);
    await send(one, 20, 30);
    await pass(3_600);
    assert.deepEqual(got().slice(0, 2), ['/0 31 degrees', '/60 31 degrees']);
    assert.deepEqual(got().slice(2).sort(), ['/0 resolved', '/60 resolved']);
    assert.equal((await user.api.get('/deliveries?per_page=1000')).body.deliveries.length, 4);
  });

  it('gets nothing of an episode that is acknowledged by then, not even its end', async () => {
    const one = await build([0, 60]);
    await send(one, 31);
    clock.advance(59_999);
    assert.equal(await acknowledge(one), 200);
    assert.deepEqual(await waiting(), []);
    await pass(60);
    await send(one, 20);
    assert.deepEqual(got(), ['/0 31 degrees', '/0 resolved']);
  });

  it('gets nothing of an episode that begins and ends with one upload', async () => {
    const one = await build([0, 60]);
    const at = clock.now() / 1000;
    await upload(user, one.sensorId, [
      { value: 31, date: at },
      { value: 20, date: at + 1 },
    ]);
    await platform.settle();
    await pass(120);
    assert.deepEqual(got(), ['/0 31 degrees', '/0 resolved']);
  });

  const EDITS: readonly [what: string, edit: (one: Escalating) => Promise<{ status: number }>][] = [
    ['its trigger is deleted', ({ triggerId }) => user.api.delete(`/triggers/${triggerId}`)],
    ['its trigger is disconnected', ({ path }) => user.api.delete(path)],
    ['its sensor is deleted', ({ sensorId }) => user.api.delete(`/sensors/${sensorId}`)],
    ['its trigger is paused', ({ path }) => user.api.post(`${path}/active`, { active: false })],
    ['its trigger is edited', ({ triggerId }) => user.api.put(`/triggers/${triggerId}`, { trigger: { hold: 1 } })],
    ['it is resolved by hand', async (one) => user.api.post(`/firings/${await firingOf(one)}/resolve`)],
  ];
  for (const [what, edit] of EDITS) {
    it(`gets nothing if ${what}`, async () => {
      const one = await build([0, 60]);
      await send(one, 31);
      assert.equal((await edit(one)).status, 200);
      await pass(120);
      assert.deepEqual(got(), ['/0 31 degrees', '/0 resolved']);
      await purgeOf(platform, {}).run();
    });
  }

  it('gets nothing if it is disconnected, or its owner disconnects the others by a list', async () => {
    const one = await build([0, 60, 61]);
    await send(one, 31);
    assert.equal((await user.api.delete(`${one.path}/notifications/${one.ids[1]}`)).status, 200);
    const action = { connect_trigger: { id: one.triggerId, notifications: [one.ids[0]] } };
    assert.equal((await user.api.post('/sensors/bulk', { sensors: [one.sensorId], action })).status, 200);
    await pass(120);
    assert.deepEqual(got(), ['/0 31 degrees']);
  });

  it('gets later firings of the episode at once, and earlier ones not at all', async () => {
    const one = await build([0, 150], { repeat: 60 });
    await send(one, 31);
    await send(one, 32, 60);
    await send(one, 33, 60);
    assert.deepEqual(got(), ['/0 31 degrees', '/0 32 degrees', '/0 33 degrees']);
    await pass(30);
    assert.deepEqual(got().slice(3), ['/150 31 degrees']);
    await send(one, 34, 30);
    assert.deepEqual(got().slice(4).sort(), ['/0 34 degrees', '/150 34 degrees']);
    await send(one, 20);
    assert.deepEqual(got().slice(6).sort(), ['/0 resolved', '/150 resolved']);
  });

  it('counts from the beginning of an episode that began while it was muted', async () => {
    const one = await build([0, 150], { repeat: 60 });
    await user.api.put(one.path, { trigger: { muted_until: clock.now() / 1000 + 30 } });
    await send(one, 31);
    await send(one, 32, 60);
    assert.deepEqual(got(), ['/0 32 degrees']);
    await pass(89);
    assert.equal(receiver.received.length, 1);
    await pass(1);
    assert.deepEqual(got().slice(1), ['/150 32 degrees']);
    await send(one, 20);
    assert.deepEqual(got().slice(2).sort(), ['/0 resolved', '/150 resolved']);
  });

  it('waits for an inactivity as well', async () => {
    const one = await build([0, 60], { expression: undefined, inactivity: 60 });
    await send(one, 1);
    // A second at a time: a longer pause without a heartbeat is an outage.
    for (let second = 1; second <= 60; second += 1) {
      clock.advance(1_000);
      await platform.container.heartbeat.beat();
    }
    await platform.settle();
    assert.equal(receiver.received.length, 1);
    await pass(60);
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ['/0', '/60'],
    );
    await send(one, 2);
    assert.deepEqual(got().slice(2).sort(), ['/0 resolved', '/60 resolved']);
  });

  it('is shown with it, and changed by connecting it again', async () => {
    const one = await build([0, 60]);
    const shown = async () =>
      (await user.api.get(`${one.path}/notifications`)).body.notifications.map(({ after }: Fields) => after);
    assert.deepEqual(await shown(), [0, 60]);
    const connect = (after?: unknown) =>
      user.api.post(`${one.path}/notifications`, { notification: { id: one.ids[1], after } });
    assert.deepEqual(
      (await connect(90)).body.notifications.map(({ after }: Fields) => after),
      [0, 90],
    );
    assert.equal((await connect()).status, 201);
    assert.deepEqual(await shown(), [0, 90]);
    const all = (await user.api.get('/sensors/triggers/notifications')).body.notifications;
    assert.deepEqual(
      all.map(({ after }: Fields) => after),
      [0, 90],
    );
    for (const wrong of [-1, 604_801, 1.5, 'soon']) {
      const { status, body } = await connect(wrong);
      assert.deepEqual([status, body.code], [400, 'invalid_input']);
      assert.ok(Object.keys(body.fields)[0]?.endsWith('notification.after'), JSON.stringify(body));
    }
    assert.deepEqual(await shown(), [0, 90]);
    await send(one, 31);
    await pass(89);
    assert.equal(receiver.received.length, 1);
    await pass(1);
    assert.equal(receiver.received.length, 2);
  });

  it('is not sent early, however often it is nudged, and once when its time has come', async () => {
    const one = await build([60]);
    await send(one, 31);
    const [deliveryId = 0] = await waiting();
    const nudge = () => handleDelivery({ deliveryId }, platform.container);
    await Promise.all(Array.from({ length: 5 }, nudge));
    // Whatever makes the deliveries of a notification due, it does not bring this one forward.
    await user.api.put(`/notifications/${one.ids[0]}`, { notification: { enabled: false } });
    await user.api.put(`/notifications/${one.ids[0]}`, { notification: { enabled: true } });
    await platform.settle();
    assert.equal(receiver.received.length, 0);
    clock.advance(60_000);
    await Promise.all(Array.from({ length: 5 }, nudge));
    await nudge();
    assert.deepEqual(got(), ['/60 31 degrees']);
  });

  it('is retried whatever becomes of the episode, once it has been attempted', async () => {
    const one = await build([60]);
    await send(one, 31);
    receiver.responses.push(503);
    await pass(60);
    assert.equal(await acknowledge(one), 200);
    await pass(10);
    assert.deepEqual(got(), ['/60 31 degrees', '/60 31 degrees']);
    await send(one, 20);
    assert.deepEqual(got().slice(2), ['/60 resolved']);
  });

  it('gets what its owner sends again, though the episode is acknowledged', async () => {
    const one = await build([60]);
    await send(one, 31);
    const [id] = await waiting();
    assert.equal((await user.api.post(`/deliveries/${id}/redeliver`)).status, 200);
    assert.equal(await acknowledge(one), 200);
    await platform.settle();
    assert.deepEqual(got(), ['/60 31 degrees']);
  });

  describe('at the moment of an acknowledgement', () => {
    it('gets nothing if the acknowledgement was first, however late it commits', async () => {
      const one = await build([60]);
      await send(one, 31);
      const [deliveryId = 0] = await waiting();
      clock.advance(60_000);
      // Keeps the acknowledgement from committing: it comes last in its transaction.
      const other = await connectOtherClient(platform);
      await other.beginTransaction();
      await other.query('SELECT * FROM partitions FOR UPDATE');
      const acknowledged = acknowledge(one);
      await until('the delivery is locked', async () => {
        const free = 'SELECT id FROM deliveries WHERE id = ? FOR UPDATE SKIP LOCKED';
        return (await platform.query(free, [deliveryId])).length === 0;
      });
      const attempt = handleDelivery({ deliveryId }, platform.container);
      await other.rollback();
      await other.end();
      assert.equal(await acknowledged, 200);
      await attempt;
      await platform.settle();
      assert.equal(receiver.received.length, 0);
    });

    it('gets it if its lease was first, and the end then', async () => {
      const one = await build([60]);
      await send(one, 31);
      const [deliveryId = 0] = await waiting();
      clock.advance(60_000);
      let answer = () => {};
      receiver.responses.push((response) => {
        answer = () => response.writeHead(200).end();
      });
      const attempt = handleDelivery({ deliveryId }, platform.container);
      await receiver.waitFor(1);
      assert.equal(await acknowledge(one), 200);
      answer();
      await attempt;
      await send(one, 20);
      assert.deepEqual(got(), ['/60 31 degrees', '/60 resolved']);
    });

    it('gets it wholly or not at all, whichever is first', async () => {
      for (let round = 0; round < 10; round += 1) {
        const one = await build([60]);
        await send(one, 31);
        const [deliveryId = 0] = await waiting();
        receiver.received.length = 0;
        clock.advance(60_000);
        const attempt = () => handleDelivery({ deliveryId }, platform.container);
        const [status] = await Promise.all([acknowledge(one), attempt(), attempt()]);
        assert.equal(status, 200);
        await send(one, 20);
        await platform.settle();
        const [row] = await platform.query('SELECT status FROM deliveries WHERE id = ?', [deliveryId]);
        assert.equal(row?.status, receiver.received.length === 0 ? undefined : 'delivered');
        assert.deepEqual(got(), row ? ['/60 31 degrees', '/60 resolved'] : []);
      }
    });
  });
});
