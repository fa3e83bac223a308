import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import {
  buildEnvironment,
  buildKey,
  buildNotification,
  buildSensor,
  buildTrigger,
  create,
  share,
  upload,
} from '../../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';
import { feedService } from '../../support/services';
import { subscribe } from '../../support/subscribe';

/** Causes an event and returns the fields that the form of its delivery must contain. */
type Cause = (user: TestUser) => Promise<{ subject_id: string; source_id?: string }>;

describe('the path of an event to a delivery', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const deviceOf = async (owner: TestUser, sensorId: string, uuid = 'one'): Promise<string> =>
    (await create(owner, `/sensors/${sensorId}/device`, { device: { type: 'phone', uuid } })).device.id;
  const placeIn = (owner: TestUser, environmentId: string, id: string) =>
    create(owner, `/environments/${environmentId}/sensors`, { sensors: [{ id }] });
  const alarmOf = (owner: TestUser, destination = receiver.url) =>
    buildAlarm(owner, {
      trigger: { expression: 'sensor_data_value > 0' },
      notifications: [{ type: 'url', text: 'alarm', destination }],
    });

  const causes: Record<string, Cause> = {
    add_sensor: async (owner) => onItself(await buildSensor(owner)),
    update_sensor: async (owner) => {
      const id = await buildSensor(owner);
      await owner.api.put(`/sensors/${id}`, { sensor: { name: 'gate' } });
      return onItself(id);
    },
    delete_sensor: async (owner) => {
      const id = await buildSensor(owner);
      await owner.api.delete(`/sensors/${id}`);
      return onItself(id);
    },
    add_sensor_data: async (owner) => {
      const id = await buildSensor(owner);
      await upload(owner, id, [{ value: 1 }, { value: 2, date: 5 }]);
      return onItself(id);
    },
    add_sensor_user: async (owner) => {
      const friend = await platform.user();
      const id = await buildSensor(owner);
      await share(owner, id, friend);
      return { subject_id: friend.id, source_id: id };
    },
    add_sensor_sensor: async (owner) => {
      const [virtual, used] = [await buildSensor(owner), await buildSensor(owner)];
      await owner.api.post(`/sensors/${virtual}/sensors`, { sensor: { id: used } });
      return { subject_id: used, source_id: virtual };
    },
    remove_sensor_sensor: async (owner) => {
      const [virtual, used] = [await buildSensor(owner), await buildSensor(owner)];
      await owner.api.post(`/sensors/${virtual}/sensors`, { sensor: { id: used } });
      await owner.api.delete(`/sensors/${virtual}/sensors/${used}`);
      return { subject_id: used, source_id: virtual };
    },
    remove_sensor_user: async (owner) => {
      const friend = await platform.user();
      const id = await buildSensor(owner);
      await share(owner, id, friend);
      await friend.api.delete(`/sensors/${id}`);
      return { subject_id: friend.id, source_id: id };
    },
    add_sensor_device: async (owner) => {
      const id = await buildSensor(owner);
      const device = await deviceOf(owner, id);
      await owner.api.post(`/sensors/${id}/device`, { device: { id: device } });
      return { subject_id: device, source_id: id };
    },
    remove_sensor_device: async (owner) => {
      const id = await buildSensor(owner);
      const device = await deviceOf(owner, id);
      await deviceOf(owner, id, 'another');
      return { subject_id: device, source_id: id };
    },
    add_sensor_service: async (owner) => {
      const { sensorId, serviceId } = await feedService(owner, 'math_service');
      return { subject_id: serviceId, source_id: sensorId };
    },
    remove_sensor_service: async (owner) => {
      const { sensorId, serviceId } = await feedService(owner, 'math_service');
      await owner.api.delete(`/sensors/${sensorId}/services/${serviceId}`);
      return { subject_id: serviceId, source_id: sensorId };
    },
    add_sensor_trigger: async (owner) => {
      const { triggerId, sensorId } = await alarmOf(owner);
      return { subject_id: triggerId, source_id: sensorId };
    },
    remove_sensor_trigger: async (owner) => {
      const { triggerId, sensorId } = await alarmOf(owner);
      await owner.api.delete(`/sensors/${sensorId}/triggers/${triggerId}`);
      return { subject_id: triggerId, source_id: sensorId };
    },
    fire_trigger: async (owner) => {
      const { sensorId, triggerId } = await alarmOf(owner);
      await upload(owner, sensorId, { value: 1 });
      return { subject_id: triggerId, source_id: sensorId };
    },
    acknowledge_trigger: async (owner) => {
      const { sensorId, triggerId } = await alarmOf(owner);
      await upload(owner, sensorId, { value: 1 });
      await platform.settle();
      const [{ id }] = (await owner.api.get(`/firings?trigger_id=${triggerId}`)).body.firings;
      await owner.api.post(`/firings/${id}/acknowledge`);
      return { subject_id: triggerId, source_id: sensorId };
    },
    resolve_trigger: async (owner) => {
      const { sensorId, triggerId } = await alarmOf(owner);
      const now = Date.now() / 1000;
      await upload(owner, sensorId, [
        { value: 1, date: now - 2 },
        { value: 0, date: now - 1 },
      ]);
      return { subject_id: triggerId, source_id: sensorId };
    },
    add_trigger: async (owner) => ({ subject_id: await buildTrigger(owner) }),
    update_trigger: async (owner) => {
      const id = await buildTrigger(owner);
      await owner.api.put(`/triggers/${id}`, { trigger: { name: 'shut' } });
      return { subject_id: id };
    },
    delete_trigger: async (owner) => {
      const id = await buildTrigger(owner);
      await owner.api.delete(`/triggers/${id}`);
      return { subject_id: id };
    },
    add_notification: async (owner) => ({ subject_id: await buildNotification(owner) }),
    update_notification: async (owner) => {
      const id = await buildNotification(owner);
      await owner.api.put(`/notifications/${id}`, { notification: { text: 'new' } });
      return { subject_id: id };
    },
    delete_notification: async (owner) => {
      const id = await buildNotification(owner);
      await owner.api.delete(`/notifications/${id}`);
      return { subject_id: id };
    },
    add_environment: async (owner) => ({ subject_id: await buildEnvironment(owner) }),
    update_environment: async (owner) => {
      const id = await buildEnvironment(owner);
      await owner.api.put(`/environments/${id}`, { environment: { floors: 2 } });
      return { subject_id: id };
    },
    delete_environment: async (owner) => {
      const id = await buildEnvironment(owner);
      await owner.api.delete(`/environments/${id}`);
      return { subject_id: id };
    },
    add_environment_sensor: async (owner) => {
      const [environment, id] = [await buildEnvironment(owner), await buildSensor(owner)];
      await placeIn(owner, environment, id);
      await placeIn(owner, environment, id);
      return { subject_id: id, source_id: environment };
    },
    remove_environment_sensor: async (owner) => {
      const [environment, id] = [await buildEnvironment(owner), await buildSensor(owner)];
      await placeIn(owner, environment, id);
      await placeIn(owner, await buildEnvironment(owner), id);
      return { subject_id: id, source_id: environment };
    },
    add_key: async (owner) => ({ subject_id: await buildKey(owner) }),
    delete_key: async (owner) => {
      const id = await buildKey(owner);
      await owner.api.delete(`/keys/${id}`);
      return { subject_id: id };
    },
    delivery_failed: async (owner) => {
      const { sensorId } = await alarmOf(owner, 'http://10.0.0.1/');
      await upload(owner, sensorId, { value: 1 });
      await platform.settle();
      const { deliveries } = (await owner.api.get('/deliveries?status=failed')).body;
      assert.equal(deliveries.length, 1);
      return { subject_id: deliveries[0].id };
    },
  };

  for (const [event, cause] of Object.entries(causes)) {
    it(`sends ${event} once, as the form of the specification`, async () => {
      await subscribe(user, receiver.url, event, { text: '$event of {{subject_id}}' });
      const fields = await cause(user);
      await platform.settle();
      const forms = receiver.received.map(({ form }) => form).filter((form) => form.event !== undefined);
      const text = `${event} of ${fields.subject_id}`;
      assert.deepEqual(forms, [{ event, ...fields, user_id: user.id, text }]);
    });
  }
});

function onItself(id: string): { subject_id: string; source_id: string } {
  return { subject_id: id, source_id: id };
}
