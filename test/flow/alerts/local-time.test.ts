import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';

describe('a trigger with working hours', () => {
  const clock = fakeClock(Date.parse('2026-07-06T12:01:00Z'));
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUser(platform);

  it('fires by the clocks of its time zone, and after a change by those of the new one', async () => {
    const { sensorId, triggerId } = await buildAlarm(user, {
      trigger: { expression: 'hour() == 21', timezone: 'Asia/Tokyo', severity: 'info' },
      notifications: [{ destination: receiver.url, text: 'open' }],
    });
    const send = async () => {
      await upload(user, sensorId, { value: 1, date: clock.now() / 1000 });
      await platform.settle();
      clock.advance(61_000);
    };
    await send();
    assert.equal(receiver.received.length, 1);
    await user.api.put(`/triggers/${triggerId}`, { trigger: { timezone: 'Asia/Kathmandu' } });
    await send();
    assert.equal(receiver.received.length, 1);
    await user.api.put(`/triggers/${triggerId}`, { trigger: { timezone: 'Etc/GMT-9' } });
    await send();
    assert.equal(receiver.received.length, 2);
    const path = `/sensors/${sensorId}/triggers/${triggerId}`;
    const { decisions } = (await user.api.get(`${path}/decisions`)).body;
    assert.deepEqual(
      decisions.map(({ reason }: { reason: string }) => reason),
      ['fired', 'resolved', 'fired'],
    );
    const { firings } = (await user.api.get(`${path}/firings`)).body;
    assert.deepEqual(
      firings.map(({ severity }: { severity: string }) => severity),
      ['info', 'info'],
    );
  });

  it('can look for a word in a text, and for an item of a list', async () => {
    receiver.received.length = 0;
    const { sensorId, triggerId } = await buildAlarm(user, {
      sensor: { data_type: 'json' },
      trigger: {
        expression: 'contains(lower(sensor_data_value.ups[0].status), "alarm") and sensor_data_value.error != null',
      },
      notifications: [{ destination: receiver.url, text: '$sensor_data_value.error' }],
    });
    const send = async (status: unknown, error: unknown) => {
      await upload(user, sensorId, { value: { ups: [{ status }], error }, date: clock.now() / 1000 });
      await platform.settle();
      clock.advance(61_000);
    };
    await send('OL', 7);
    await send('OL ALARM', null);
    await send(5, 7);
    const { last_error } = (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`)).body.trigger;
    assert.equal(last_error, 'a number where a string is needed');
    await send('OL Alarm', 7);
    assert.deepEqual(
      receiver.received.map(({ form }) => form.text),
      ['7'],
    );
  });
});
