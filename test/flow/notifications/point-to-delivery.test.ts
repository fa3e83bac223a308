import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { buildAlarm } from '../../support/alarm';
import { buildTrigger, connectTrigger, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';

describe('the path of a data point to a delivery', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUser(platform);

  beforeEach(() => {
    receiver.received.length = 0;
    clock.advance(120_000);
  });

  const now = () => clock.now() / 1000;
  const hot = () =>
    buildAlarm(user, {
      trigger: { name: 'hot', expression: 'sensor_data_value > 30' },
      notifications: [{ type: 'url', destination: receiver.url, text: '$trigger_name: {{sensor_data_value}} °C' }],
    });

  it('ends with exactly the form of the specification, signed', async () => {
    const { sensorId, triggerId, notificationIds } = await hot();
    await upload(user, sensorId, { value: 31.5, date: now() });
    await platform.settle();

    const [request] = receiver.received;
    assert.equal(receiver.received.length, 1);
    assert.equal(request?.method, 'POST');
    assert.equal(request?.headers['content-type'], 'application/x-www-form-urlencoded');
    assert.deepEqual(request?.form, { sensor_id: sensorId, trigger_id: triggerId, text: 'hot: 31.5 °C' });
    const { notification } = (await user.api.get(`/notifications/${notificationIds[0]}`)).body;
    // The library reads the system time, but the platform runs on a fake clock.
    const realNow = Date.now;
    Date.now = () => clock.now();
    try {
      const headers = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(request?.headers[name])]),
      );
      new Webhook(notification.signing_secret).verify(request?.rawBody ?? '', headers);
    } catch (error) {
      // The library parses JSON once the signature is valid, but the body is a form.
      assert.ok(error instanceof SyntaxError, String(error));
    } finally {
      Date.now = realNow;
    }
  });

  it('inserts the details of a firing into the text', async () => {
    const text = 'sensor_id $sensor_name {trigger_id} $trigger_name times_triggered {{last_sensor_data_value}}|';
    const { sensorId, triggerId } = await buildAlarm(user, {
      sensor: { name: 'oven $trigger_name' },
      trigger: { name: 'hot', expression: 'sensor_data_value > 30' },
      notifications: [{ type: 'url', destination: receiver.url, text }],
    });
    for (const value of [40, 41]) {
      await upload(user, sensorId, { value, date: now() });
      await platform.settle();
      clock.advance(61_000);
    }
    assert.deepEqual(
      receiver.received.map(({ form }) => form.text),
      [`${sensorId} oven $trigger_name ${triggerId} hot 1 |`, `${sensorId} oven $trigger_name ${triggerId} hot 2 40|`],
    );
  });

  it('fires once when two points arrive in the same minute, and again after it', async () => {
    const { sensorId, triggerId } = await hot();
    const first = now();
    await upload(user, sensorId, [
      { value: 31, date: first },
      { value: 32, date: first + 1 },
    ]);
    await platform.settle();
    clock.advance(59_999);
    await upload(user, sensorId, { value: 33, date: now() });
    await platform.settle();
    assert.equal(receiver.received.length, 1);
    clock.advance(1);
    await upload(user, sensorId, { value: 34, date: now() });
    await platform.settle();
    assert.equal(receiver.received.length, 2);
    const { firings } = (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}/firings`)).body;
    assert.equal(firings.length, 2);
  });

  it('evaluates a repeated upload only once', async () => {
    const { sensorId } = await hot();
    const point = { value: 31, date: now() };
    await upload(user, sensorId, point);
    await platform.settle();
    clock.advance(120_000);
    await upload(user, sensorId, point);
    await platform.settle();
    assert.equal(receiver.received.length, 1);
    const { data } = (await user.api.get(`/sensors/${sensorId}/data`)).body;
    assert.equal(data.length, 1);
  });

  it('writes a mail into the outbox with the rendered text', async () => {
    const { sensorId } = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value.lux < 5' },
      sensor: { data_type: 'json' },
      notifications: [{ type: 'email', destination: 'ward@example.org', text: 'dark in sensor $sensor_id' }],
    });
    await upload(user, sensorId, { value: { lux: 3 }, date: now() });
    await platform.settle();
    const outbox = join(platform.container.config.dataDir, 'outbox');
    const mails = await Promise.all((await readdir(outbox)).map((file) => readFile(join(outbox, file), 'utf8')));
    const mail = mails.find((text) => text.includes('ward@example.org'));
    assert.match(mail ?? '', new RegExp(`dark in sensor ${sensorId}`));
  });

  it('retries after a failure under the same id, and keeps every attempt', async () => {
    const { sensorId } = await hot();
    receiver.responses.push(500);
    await upload(user, sensorId, { value: 31, date: now() });
    await platform.settle();
    clock.advance(4_999);
    await platform.settle();
    assert.equal(receiver.received.length, 1);
    clock.advance(2_000);
    await platform.settle();
    assert.equal(receiver.received.length, 2);
    const [first, second] = receiver.received;
    assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
    const { deliveries } = (await user.api.get('/deliveries?per_page=1000')).body;
    const { delivery } = (await user.api.get(`/deliveries/${deliveries.at(-1).id}`)).body;
    assert.equal(delivery.status, 'delivered');
    assert.deepEqual(
      delivery.attempts.map((attempt: { status_code: number }) => attempt.status_code),
      [500, 200],
    );
  });

  it('is not stopped by another expression that cannot be evaluated', async () => {
    const { sensorId, triggerId } = await hot();
    const oddId = await buildTrigger(user, { expression: 'sensor_data_value.lux > 1' });
    await connectTrigger(user, sensorId, oddId);
    await upload(user, sensorId, { value: 31, date: now() });
    await platform.settle();
    assert.equal(receiver.received.length, 1);
    const odd = (await user.api.get(`/sensors/${sensorId}/triggers/${oddId}`)).body.trigger;
    assert.notEqual(odd.last_error, '');
    const good = (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`)).body.trigger;
    assert.equal(good.times_triggered, 1);
  });
});
