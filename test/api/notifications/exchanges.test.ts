import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { apiClient } from '../../support/api-client';
import { buildNotification, createKey, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import type { ReceiverResponse } from '../../support/receiver';

/** A response with this status and body. */
const answer =
  (status: number, body: string | Buffer): ReceiverResponse =>
  (response) =>
    response.writeHead(status, { 'x-private': 'hdr-value' }).end(body);

describe('what an attempt sent and what came back', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const test = async (fields: object) => {
    const notificationId = await buildNotification(user, { destination: receiver.url, ...fields });
    const { id } = (await user.api.post(`/notifications/${notificationId}/test?wait=0`)).body.delivery;
    await platform.settle();
    return id as string;
  };
  const attemptsOf = async (id: string, { api } = user) => (await api.get(`/deliveries/${id}`)).body.delivery.attempts;

  it('is in the delivery, once for each attempt', async () => {
    receiver.responses.push(answer(404, 'no_service'), answer(200, 'thanks'));
    const id = await test({ text: 'hot & humid' });
    clock.advance(10_000);
    await platform.settle();
    const [first, second] = await attemptsOf(id);
    const sent = receiver.received.map(({ rawBody }) => rawBody);
    assert.equal(sent[0], 'text=hot+%26+humid');
    assert.deepEqual([first.request_body, second.request_body], sent);
    assert.deepEqual([first.response_body, second.response_body], ['no_service', 'thanks']);
  });

  it('ends after 2 KB, between two characters, and replaces what is not UTF-8', async () => {
    receiver.responses.push(answer(200, Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('é'.repeat(2_000))])));
    const id = await test({ format: 'json', text: 'ж'.repeat(3_000) });
    const [{ request_body: sent, response_body: received }] = await attemptsOf(id);
    assert.equal(received, `\ufffd\ufffd${'é'.repeat(1_023)}`);
    assert.ok(receiver.received[0]?.rawBody.startsWith(sent));
    assert.ok(Buffer.byteLength(sent) > 2_044 && Buffer.byteLength(sent) <= 2_048, `${Buffer.byteLength(sent)}`);
  });

  it('has no headers, and no answer of a receiver that cannot be reached', async () => {
    receiver.responses.push(answer(200, 'ok'));
    const [one] = await attemptsOf(await test({ text: 'hello' }));
    assert.ok(!JSON.stringify(one).includes('hdr-value'));
    const [two] = await attemptsOf(await test({ text: 'hello', destination: 'http://127.0.0.1:9/' }));
    assert.deepEqual([two.error, two.request_body, two.response_body], ['connection refused', 'text=hello', '']);
    const [refused] = await attemptsOf(await test({ text: 'hello', destination: 'http://10.0.0.1/' }));
    assert.deepEqual(
      [refused.error, refused.request_body, refused.response_body],
      ['the address is not public (an operator can allow it: DELIVERY_ALLOW_NETWORKS)', null, null],
    );
  });

  it('is not kept of mails', async () => {
    const [attempt] = await attemptsOf(await test({ type: 'email', destination: 'ward@example.org', text: 'hello' }));
    assert.deepEqual([attempt.error, attempt.request_body, attempt.response_body], ['', null, null]);
  });

  it('is shown neither in lists, nor to other users, nor to credentials that see no secrets', async () => {
    receiver.responses.push(answer(200, 'answer-of-the-receiver'));
    const id = await test({ text: 'sent-text' });
    const list = JSON.stringify((await user.api.get('/deliveries')).body.deliveries[0].attempts);
    assert.ok(!/answer-of-the-receiver|_body/.test(list), list);
    const stranger = await platform.user();
    assert.equal((await stranger.api.get(`/deliveries/${id}`)).status, 404);
    const withKey = async (scopes: string[]) => {
      const { secret } = await createKey(user, { scopes });
      return Object.keys((await attemptsOf(id, { ...user, api: bearer(secret) }))[0]);
    };
    assert.ok(!(await withKey(['read'])).includes('response_body'));
    assert.ok((await withKey(['read', 'write'])).includes('response_body'));
  });
  const bearer = (secret: string) => apiClient(platform.url, { Authorization: `Bearer ${secret}` });

  it('is deleted with the delivery', async () => {
    receiver.responses.push(answer(200, 'ok'));
    await test({ text: 'hello' });
    const kept = () => platform.query('SELECT id FROM delivery_attempts WHERE response_body IS NOT NULL');
    const before = (await kept()).length;
    assert.ok(before > 0);
    await platform.query('DELETE FROM deliveries WHERE owner_id = ?', [user.id]);
    assert.equal((await kept()).length, before - 1);
  });
});

describe('the names in deliveries', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const fired = async () => {
    const alarm = await buildAlarm(user, {
      sensor: { name: 'cold store' },
      trigger: { name: 'too warm', expression: 'sensor_data_value > 30' },
      notifications: [{ type: 'url', destination: receiver.url, text: 'hot' }],
    });
    await upload(user, alarm.sensorId, { value: 31, date: clock.now() / 1000 });
    await platform.settle();
    return alarm;
  };
  const named = async () => {
    const [listed] = (await user.api.get('/deliveries')).body.deliveries;
    const { delivery } = (await user.api.get(`/deliveries/${listed.id}`)).body;
    const names = [listed.sensor_name, listed.trigger_name];
    assert.deepEqual([delivery.sensor_name, delivery.trigger_name], names);
    return names;
  };

  it('are the present names of the sensor and the trigger', async () => {
    const { sensorId, triggerId } = await fired();
    assert.deepEqual(await named(), ['cold store', 'too warm']);
    await user.api.put(`/sensors/${sensorId}`, { sensor: { name: 'warm store' } });
    await user.api.delete(`/triggers/${triggerId}`);
    assert.deepEqual(await named(), ['warm store', null]);
  });

  it('are left out for a sensor that the user may not see any more', async () => {
    const { sensorId } = await fired();
    const other = await platform.user();
    await platform.query('UPDATE sensors SET owner_id = ? WHERE id = ?', [other.id, sensorId]);
    assert.deepEqual(await named(), [null, 'too warm']);
    await platform.query('UPDATE sensors SET owner_id = ? WHERE id = ?', [user.id, sensorId]);
  });
});
