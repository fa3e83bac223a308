import assert from 'node:assert/strict';
import { buildNotification, buildSensor, buildTrigger, connectTrigger, create, upload } from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';

describe('the unit of a sensor', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const receiver = useReceiver();

  it('is in the texts of its firings and ends, and in templates', async () => {
    const sensorId = await buildSensor(user, { name: 'hall', unit: '°C' });
    const triggerId = await buildTrigger(user, {
      expression: 'sensor_data_value > 30',
      notify_resolved: true,
      resolved_text: 'fine: {{sensor_data_value}} $unit',
    });
    await connectTrigger(user, sensorId, triggerId);
    for (const fields of [{ text: '$sensor_data_value $unit' }, { text: '-', body: { unit: '{{unit}}' } }]) {
      const id = await buildNotification(user, { destination: receiver.url, ...fields });
      await create(user, `/triggers/${triggerId}/notifications`, { notification: { id } });
    }
    for (const value of [31.5, 20]) {
      await upload(user, sensorId, { value });
      await platform.settle();
    }
    const bodies = receiver.received.map(({ rawBody }) => rawBody);
    const texts = bodies.filter((body) => !body.startsWith('{')).map((body) => new URLSearchParams(body).get('text'));
    assert.deepEqual(texts, ['31.5 °C', 'fine: 31.5 °C']);
    assert.ok(bodies.includes('{"unit":"°C"}'));
  });
});
