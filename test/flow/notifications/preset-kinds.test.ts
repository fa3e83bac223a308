import assert from 'node:assert/strict';
import { buildAlarms } from '../../support/alarm';
import { create, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { buildPreset, describePresets } from '../../support/presets';

describe('deliveries that are no firing, by presets', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { DIGEST_AFTER: '1' } });
  const user = useUserPerTest(platform);

  describePresets((rig) => {
    it('arrive of an event', async () => {
      const id = await buildPreset(user, rig, { text: 'new sensor $subject_id' });
      const event_notification = { event: 'add_sensor', notification_id: id };
      await create(user, '/events/notifications', { event_notification });
      const sensorId = (await create(user, '/sensors', { sensor: { name: 'cellar' } })).sensor.id;
      await platform.settle();
      assert.deepEqual(rig.service.refusals, []);
      assert.equal(rig.service.shown.length, 1);
      assert.match(rig.service.shown[0]?.text ?? '', new RegExp(`new sensor ${sensorId}`));
    });

    it('arrive of an event without a text', async () => {
      const id = await buildPreset(user, rig);
      await create(user, '/events/notifications', {
        event_notification: { event: 'add_trigger', notification_id: id },
      });
      await create(user, '/triggers', { trigger: { name: 'cold', expression: 'sensor_data_value < 5' } });
      await platform.settle();
      assert.deepEqual(rig.service.refusals, []);
      const { whole = '', text = '' } = rig.service.shown[0] ?? {};
      assert.match(whole, /A trigger was created/);
      if (rig.rules.preset !== 'cloudevents') assert.match(text, /Trigger “cold”/);
    });

    it('arrive of a test', async () => {
      const id = await buildPreset(user, rig, { text: 'a test of $sensor_name' });
      const tested = user.api.post(`/notifications/${id}/test?wait=0`);
      await platform.settle();
      assert.ok((await tested).status < 300);
      await platform.settle();
      assert.deepEqual(rig.service.refusals, []);
      assert.equal(rig.service.shown.length, 1);
      assert.match(rig.service.shown[0]?.text ?? '', /a test of sample sensor/);
    });

    it('arrive of a digest', async () => {
      const sensors = ['roof', 'cellar', 'attic'].map((name) => ({ name }));
      const { sensorIds, triggerId } = await buildAlarms(user, {
        sensors,
        trigger: { name: 'too warm' },
        notifications: [],
      });
      const id = await buildPreset(user, rig, { text: '$sensor_name: $sensor_data_value', digest: true });
      for (const sensorId of sensorIds) {
        const notifications = [{ notification: { id } }];
        await create(user, `/sensors/${sensorId}/triggers/${triggerId}/notifications`, { notifications });
        await upload(user, sensorId, { value: 31.2, date: clock.now() / 1000 });
      }
      await platform.settle();
      assert.equal(rig.service.shown.length, 1);
      clock.advance(60_000);
      await platform.settle();
      assert.deepEqual(rig.service.refusals, []);
      assert.equal(rig.service.shown.length, 2);
      const digest = rig.service.shown[1]?.text ?? '';
      for (const name of ['cellar', 'attic']) assert.ok(digest.includes(`${name}: 31.2`), digest);
    });
  });
});
