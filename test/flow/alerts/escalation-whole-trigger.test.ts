import assert from 'node:assert/strict';
import { type Escalating, useEscalations } from '../../support/escalations';
import { buildNotification, connectNotification } from '../../support/factories';

type Fields = Record<string, unknown>;

describe('a notification of a whole trigger with `after`', () => {
  const { clock, user, receiver, build, pass, send, got, waiting } = useEscalations();
  const late = (one: Escalating, after?: unknown, notification = one.ids[0]) =>
    user.api.post(`/triggers/${one.triggerId}/notifications`, { notification: { id: notification, after } });
  /** An alarm whose only notification, to `/60`, is connected to the whole trigger. */
  const buildWhole = async () => {
    const one = await build([]);
    const destination = `${receiver.url}/60`;
    one.ids.push(await buildNotification(user, { destination, text: '$sensor_data_value degrees' }));
    assert.equal((await late(one, 60)).status, 201);
    return one;
  };

  it('gets the firing of each sensor once its episode has lasted that long, and the end after it', async () => {
    const one = await buildWhole();
    await send(one, 31);
    const { next } = (await user.api.get(one.path)).body.trigger;
    assert.deepEqual(next, { what: 'escalation', at: clock.now() / 1000 + 60 });
    await pass(59);
    assert.deepEqual(got(), []);
    await pass(1);
    await send(one, 20);
    assert.deepEqual(got(), ['/60 31 degrees', '/60 resolved']);
  });

  it('is shown with it, and changed by connecting it again', async () => {
    const one = await buildWhole();
    const afterOf = async () => {
      const { notifications } = (await user.api.get(`/triggers/${one.triggerId}/notifications`)).body;
      return notifications.map(({ after }: Fields) => after);
    };
    assert.deepEqual(await afterOf(), [60]);
    assert.deepEqual([(await late(one, 90)).status, await afterOf()], [201, [90]]);
    assert.deepEqual([(await late(one)).status, await afterOf()], [201, [90]]);
    for (const wrong of [-1, 604_801, 1.5, 'soon']) assert.equal((await late(one, wrong)).status, 400);
    assert.deepEqual(await afterOf(), [90]);
  });

  it('gets nothing if it is disconnected by then, unless it stays connected on the sensor', async () => {
    const gone = await buildWhole();
    const stays = await buildWhole();
    await connectNotification(user, stays.sensorId, stays.triggerId, stays.ids[0] ?? '', 600);
    for (const one of [gone, stays]) {
      await send(one, 31);
      const path = `/triggers/${one.triggerId}/notifications/${one.ids[0]}`;
      assert.equal((await user.api.delete(path)).status, 200);
    }
    await pass(60);
    assert.deepEqual(got(), ['/60 31 degrees']);
    assert.deepEqual(await waiting(), []);
  });

  it('still gets it if only its connection on the sensor ends', async () => {
    const one = await buildWhole();
    await connectNotification(user, one.sensorId, one.triggerId, one.ids[0] ?? '', 600);
    await send(one, 31);
    assert.equal((await user.api.delete(`${one.path}/notifications/${one.ids[0]}`)).status, 200);
    await pass(60);
    assert.deepEqual(got(), ['/60 31 degrees']);
  });
});
