import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { buildNotification } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';

const REASON = 'the receiver answered 200, but "success" of the notification';

describe('the success of a notification', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUser(platform);

  const answer = (status: number, body: string) => (response: ServerResponse) => {
    response.writeHead(status).end(body);
  };
  const sent = async (success: string | null, status: number, body: string) => {
    const id = await buildNotification(user, { type: 'url', destination: receiver.url, success });
    receiver.responses.push(answer(status, body));
    const { delivery } = (await user.api.post(`/notifications/${id}/test?wait=0`)).body;
    await platform.settle();
    const found = (await user.api.get(`/deliveries/${delivery.id}`)).body.delivery;
    const { last_proven } = (await user.api.get(`/notifications/${id}`)).body.notification;
    // Otherwise it is tried again in the next test.
    await user.api.delete(`/notifications/${id}`);
    await platform.settle();
    return [found.status, found.attempts[0].error, last_proven !== null];
  };

  it('is any status 2xx by default', async () => {
    assert.deepEqual(await sent(null, 200, '{"code":19021,"msg":"sign match fail"}'), ['delivered', '', true]);
  });

  it('decides by the fields of the answer whether the delivery has arrived and is proven', async () => {
    const success = 'status == 200 and body.code == 0';
    assert.deepEqual(await sent(success, 200, '{"code":19021}'), ['pending', `${REASON} is false`, false]);
    assert.deepEqual(await sent(success, 200, '{"code":0}'), ['delivered', '', true]);
    assert.deepEqual(await sent('status == 409', 409, ''), ['delivered', '', true]);
    assert.deepEqual(await sent('contains(body, "ok")', 200, 'ok'), ['delivered', '', true]);
    assert.deepEqual(await sent(success, 503, '{"code":0}'), ['pending', 'the receiver answered 503', false]);
  });

  it('is not met by an answer for which it cannot be evaluated, which says why', async () => {
    const [status, error, isProven] = await sent('body.code == 0', 200, 'busy');
    assert.deepEqual([status, isProven], ['pending', false]);
    assert.ok(String(error).startsWith(`${REASON} cannot be evaluated: body.code `), String(error));
  });

  it('is tried again until the answer is one', async () => {
    const id = await buildNotification(user, { type: 'url', destination: receiver.url, success: 'body == "ok"' });
    receiver.responses.push(answer(200, 'error'), answer(200, 'ok'));
    await user.api.post(`/notifications/${id}/test?wait=0`);
    await platform.settle();
    clock.advance(6_000);
    await platform.settle();
    const [delivery] = (await user.api.get(`/deliveries?notification_id=${id}`)).body.deliveries;
    assert.deepEqual([delivery.status, delivery.attempts.length], ['delivered', 2]);
  });

  it('is checked when it is saved, is shown, and is reset by null', async () => {
    const id = await buildNotification(user, { type: 'url', destination: receiver.url, success: 'status == 204' });
    const get = async () => (await user.api.get(`/notifications/${id}`)).body.notification.success;
    const put = (success: unknown) => user.api.put(`/notifications/${id}`, { notification: { success } });
    assert.equal(await get(), 'status == 204');
    const refused = await put('body.code == and');
    assert.equal(refused.status, 400);
    assert.match(refused.body.fields['notification.success'], /^cannot be used: .* at position 13$/);
    assert.match((await put('code == 0')).body.error, /code/);
    assert.equal((await put(null)).status, 200);
    assert.equal(await get(), null);
  });

  it('of a preset for Apprise is no answer that nobody got the message', async () => {
    const preset = { preset: 'apprise', server: receiver.url, key: 'greenhouse' };
    const { notification } = (await user.api.post('/notifications', { notification: preset })).body;
    assert.equal(notification.success, 'status == 200');
  });
});
