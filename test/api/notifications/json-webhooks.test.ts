import assert from 'node:assert/strict';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { WEBHOOKS } from '../../../src/api/openapi/webhooks';
import { buildAlarm } from '../../support/alarm';
import { buildNotification, create, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import type { Received } from '../../support/receiver';
import { schemaValidator } from '../../support/webhook-schemas';

describe('webhooks in JSON', () => {
  const clock = fakeClock();
  // Both libraries compare the timestamp with the real time.
  before(() => clock.advance(Math.floor(Date.now() / 1000) * 1000 - clock.now()));
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);
  const seconds = () => clock.now() / 1000;
  const now = () => new Date(clock.now()).toISOString();

  const secretOf = async (id: string): Promise<string> =>
    (await user.api.get(`/notifications/${id}`)).body.notification.signing_secret;

  /** What the public libraries return for a request, which is the same for both. */
  const verified = async ({ headers, rawBody }: Received, notificationId: string) => {
    assert.equal(headers['content-type'], 'application/json');
    const secret = await secretOf(notificationId);
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const given = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
    const body = new StandardWebhook(secret).verify(rawBody, given);
    assert.deepEqual(new SvixWebhook(secret).verify(rawBody, given), body);
    assert.throws(() => new StandardWebhook(secret).verify(`${rawBody} `, given));
    return Object(body);
  };

  it('of a firing say all about it, and are verified by the public libraries', async () => {
    const text = '$sensor_name "über" {{sensor_data_value}}\n</script>\u2028';
    const { sensorId, triggerId, notificationIds } = await buildAlarm(user, {
      sensor: { name: 'südliches "Gewächshaus"' },
      trigger: { name: 'too warm', expression: 'sensor_data_value > 30', severity: 'critical' },
      notifications: [{ destination: receiver.url, text, format: 'json' }],
    });
    await upload(user, sensorId, { value: 31.2, date: seconds() - 1.5 });
    await platform.settle();
    const [request] = receiver.received;
    assert.ok(request);
    const body = await verified(request, notificationIds[0] ?? '');
    const { firings } = (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}/firings`)).body;
    const { acknowledge_url, ...data } = body.data;
    assert.match(acknowledge_url, /\/acknowledge\?token=n\d+-\d+\./);
    assert.deepEqual(
      { ...body, data },
      {
        type: 'trigger.fired',
        timestamp: now(),
        data: {
          firing_id: firings[0].id,
          episode: firings[0].id,
          state: 'firing',
          reason: 'expression',
          sensor: { id: sensorId, name: 'südliches "Gewächshaus"' },
          trigger: { id: triggerId, name: 'too warm', severity: 'critical' },
          value: '31.2',
          date: seconds() - 1.5,
          text: 'südliches "Gewächshaus" "über" 31.2\n</script>\u2028',
        },
      },
    );
    assert.deepEqual(schemaValidator(WEBHOOKS.triggerFired, 'application/json')(body), []);
  });

  it('of an inactivity have no value', async () => {
    const { sensorId } = await buildAlarm(user, {
      trigger: { inactivity: 60 },
      notifications: [{ destination: receiver.url, format: 'json' }],
    });
    await upload(user, sensorId, { value: 1, date: seconds() });
    await platform.settle();
    for (let second = 0; second < 61; second += 1) {
      clock.advance(1_000);
      await platform.container.heartbeat.beat();
    }
    await platform.settle();
    const { data, timestamp } = JSON.parse(receiver.received[0]?.rawBody ?? '{}');
    assert.deepEqual([data.reason, data.value, data.date, timestamp], ['inactivity', null, seconds(), now()]);
  });

  it('repeat the same body at every attempt', async () => {
    const { sensorId } = await buildAlarm(user, {
      trigger: {},
      notifications: [{ destination: receiver.url, text: '$sensor_data_value', format: 'json' }],
    });
    receiver.responses.push(503);
    await upload(user, sensorId, { value: 99, date: seconds() });
    await platform.settle();
    clock.advance(6_000);
    await platform.settle();
    const [first, second] = receiver.received;
    assert.equal(second?.rawBody, first?.rawBody);
    assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id']);
  });

  it('of events have their ids', async () => {
    const id = await buildNotification(user, { destination: receiver.url, text: 'now $subject_id', format: 'json' });
    await create(user, '/events/notifications', {
      event_notification: { event: 'add_sensor', notification_id: id },
    });
    const sensor = (await create(user, '/sensors', { sensor: { name: 'new' } })).sensor.id;
    await platform.settle();
    const [request] = receiver.received;
    assert.ok(request);
    const body = await verified(request, id);
    assert.deepEqual(body, {
      type: 'event.add_sensor',
      timestamp: now(),
      data: { event: 'add_sensor', subject_id: sensor, source_id: sensor, user_id: user.id, text: `now ${sensor}` },
    });
    assert.deepEqual(schemaValidator(WEBHOOKS.eventHappened, 'application/json')(body), []);
  });

  it('of a test show the latest value of a connected sensor', async () => {
    const { sensorId, triggerId, notificationIds } = await buildAlarm(user, {
      trigger: { name: 'cold', expression: 'sensor_data_value < -100' },
      notifications: [{ destination: receiver.url, text: '$sensor_name $sensor_data_value', format: 'json' }],
    });
    await upload(user, sensorId, { value: 7, date: seconds() - 60 });
    await upload(user, sensorId, { value: 8, date: seconds() - 30 });
    await platform.settle();
    const test = await user.api.post(`/notifications/${notificationIds[0]}/test?wait=0`);
    assert.equal(test.body.delivery.text, 'thermometer 8');
    await platform.settle();
    const body = JSON.parse(receiver.received[0]?.rawBody ?? '{}');
    assert.deepEqual(body, {
      type: 'trigger.test',
      timestamp: now(),
      data: {
        test: true,
        firing_id: null,
        episode: null,
        state: 'firing',
        reason: 'expression',
        sensor: { id: sensorId, name: 'thermometer' },
        trigger: { id: triggerId, name: 'cold', severity: 'warning' },
        value: '8',
        date: seconds() - 30,
        text: 'thermometer 8',
      },
    });
    assert.deepEqual(schemaValidator(WEBHOOKS.notificationTested, 'application/json')(body), []);
    assert.deepEqual((await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}/firings`)).body.firings, []);
  });

  it('of a test of a sensor without a value show a sample of its type, marked in the text', async () => {
    const data_structure = { lux: 'integer', celsius: { type: 'float', unit: '°C' } };
    const { notificationIds } = await buildAlarm(user, {
      sensor: { data_type: 'json', data_structure },
      trigger: { expression: 'sensor_data_value.lux > 5' },
      notifications: [{ destination: receiver.url, text: '$sensor_data_value.celsius °C', format: 'json' }],
    });
    await user.api.post(`/notifications/${notificationIds[0]}/test?wait=0`);
    await platform.settle();
    const { data } = JSON.parse(receiver.received[0]?.rawBody ?? '{}');
    assert.deepEqual([data.test, data.value, data.text], [true, '{"lux":22,"celsius":21.5}', '21.5 (sample) °C']);
  });

  it('of a test without a connection show samples that are marked', async () => {
    const id = await buildNotification(user, {
      destination: receiver.url,
      text: '$sensor_name: $sensor_data_value °C, $event',
      format: 'json',
    });
    await user.api.post(`/notifications/${id}/test?wait=0`);
    await platform.settle();
    const { data } = JSON.parse(receiver.received[0]?.rawBody ?? '{}');
    assert.equal(data.text, 'sample sensor: 21.5 (sample) °C, $event');
    assert.deepEqual([data.test, data.sensor, data.value], [true, { id: null, name: 'sample sensor' }, '21.5']);
    await create(user, '/events/notifications', {
      event_notification: { event: 'add_sensor_user', notification_id: id },
    });
    await user.api.post(`/notifications/${id}/test?wait=0`);
    await platform.settle();
    const { data: ofEvent } = JSON.parse(receiver.received[1]?.rawBody ?? '{}');
    assert.deepEqual(ofEvent, { test: true, text: '$sensor_name: $sensor_data_value °C, add_sensor_user' });
  });

  it('are chosen by the format of a notification, whose default are forms', async () => {
    const id = await buildNotification(user, { destination: receiver.url, text: 'hello' });
    const formatOf = async () => (await user.api.get(`/notifications/${id}`)).body.notification.format;
    assert.equal(await formatOf(), 'form');
    const wrong = await user.api.put(`/notifications/${id}`, { notification: { format: 'xml' } });
    assert.deepEqual([wrong.status, Object.keys(wrong.body.fields)], [400, ['notification.format']]);
    await user.api.put(`/notifications/${id}`, { notification: { format: 'json' } });
    assert.equal(await formatOf(), 'json');
    await user.api.put(`/notifications/${id}`, { notification: { text: 'x' } });
    assert.equal(await formatOf(), 'json');
    await user.api.put(`/notifications/${id}`, { notification: { format: 'form' } });
    await user.api.post(`/notifications/${id}/test?wait=0`);
    await platform.settle();
    assert.deepEqual(receiver.received[0]?.form, { text: 'x' });
    assert.equal(receiver.received[0]?.headers['content-type'], 'application/x-www-form-urlencoded');
  });
});
