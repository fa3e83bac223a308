// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of users have that, too
import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { upload } from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';

describe('the text of a notification', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUser(platform);

  it('shows fields of the value as expressions read them, and so does that of the end', async () => {
    const { sensorId } = await buildAlarm(user, {
      sensor: { name: 'hall', data_type: 'json' },
      trigger: {
        expression: 'sensor_data_value.temperature > 30',
        notify_resolved: true,
        resolved_text: 'It was {{sensor_data_value.temperature}} °C.',
      },
      notifications: [
        {
          destination: receiver.url,
          text: 'It is $sensor_data_value.temperature °C, at sensor_data_value.air_pressure.',
        },
        { destination: receiver.url, text: '${sensor_data_value.battery}{sensor_data_value.none} V. $sensor_name.' },
      ],
    });
    await upload(user, sensorId, { value: { temperature: 31.2, battery: 3.01, 'air-pressure': '1013.0' } });
    await platform.settle();
    await upload(user, sensorId, { value: { temperature: 20 } });
    await platform.settle();
    const texts = receiver.received.map(({ form }) => form.text).sort();
    const end = 'It was 31.2 °C.';
    assert.deepEqual(texts, ['3.01 V. hall.', 'It is 31.2 °C, at 1013.0.', end, end]);
  });

  it('shows fields whose names stand in quotes, and means the field that the expression means', async () => {
    receiver.received.length = 0;
    const text =
      '{{sensor_data_value["a-b"]}} {{round(sensor_data_value["c d"].e, 1)}} [$sensor_data_value["none"]] [$sensor_data_value.a_b]';
    const { sensorId, triggerId } = await buildAlarm(user, {
      sensor: { data_type: 'json' },
      trigger: { expression: 'sensor_data_value["a-b"] > 30' },
      notifications: [{ destination: receiver.url, text }],
    });
    await upload(user, sensorId, { value: { 'a-b': 31.5, a_b: 7, 'c d': { e: 1.26 } } });
    await platform.settle();
    assert.deepEqual(
      receiver.received.map(({ form }) => form.text),
      ['31.5 1.3 [] []'],
    );
    await user.api.put(`/triggers/${triggerId}`, { trigger: { expression: 'sensor_data_value.a_b > 1' } });
    await upload(user, sensorId, { value: { 'a-b': 31.5, a_b: 7 } });
    await platform.settle();
    const { body } = await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`);
    assert.match(body.trigger.last_error, /^sensor_data_value\.a_b is the name of several fields/);
  });
});
