import assert from 'node:assert/strict';
import { buildAlarm } from '../support/alarm';
import { type Platform, startPlatform, type TestUser } from '../support/platform';
import { type Receiver, startReceiver } from '../support/receiver';
import { feedService } from '../support/services';
import { subscribe } from '../support/subscribe';

/** Makes something happen and says what the form of its delivery must name. */
type Cause = (user: TestUser) => Promise<{ subject_id: string; source_id?: string }>;

describe('the way from an event to a delivery', () => {
  let platform: Platform;
  let receiver: Receiver;
  let user: TestUser;

  before(async () => {
    [platform, receiver] = [await startPlatform(), await startReceiver()];
  });
  after(async () => {
    await receiver.close();
    await platform.close();
  });
  beforeEach(async () => {
    receiver.received.length = 0;
    user = await platform.user();
  });

  const share = ({ api }: TestUser, sensorId: string, { id }: TestUser) =>
    api.post(`/sensors/${sensorId}/users`, { user: { id } });
  const sensorOf = async ({ api }: TestUser): Promise<string> =>
    (await api.post('/sensors', { sensor: { name: 'door' } })).body.sensor.id;
  const triggerOf = async ({ api }: TestUser): Promise<string> =>
    (await api.post('/triggers', { trigger: { name: 'open', expression: 'sensor_data_value > 0' } })).body.trigger.id;
  const notificationOf = async ({ api }: TestUser): Promise<string> =>
    (await api.post('/notifications', { notification: { type: 'url', text: '', destination: receiver.url } })).body
      .notification.id;
  const deviceOf = async ({ api }: TestUser, sensorId: string, uuid = 'one'): Promise<string> =>
    (await api.post(`/sensors/${sensorId}/device`, { device: { type: 'phone', uuid } })).body.device.id;
  const environmentOf = async ({ api }: TestUser): Promise<string> =>
    (await api.post('/environments', { environment: { name: 'home' } })).body.environment.id;
  const placeIn = ({ api }: TestUser, environmentId: string, id: string) =>
    api.post(`/environments/${environmentId}/sensors`, { sensors: [{ id }] });
  const alarmOf = (owner: TestUser, destination = receiver.url) =>
    buildAlarm(owner, {
      trigger: { expression: 'sensor_data_value > 0' },
      notifications: [{ type: 'url', text: 'alarm', destination }],
    });

  const causes: Record<string, Cause> = {
    add_sensor: async (owner) => onItself(await sensorOf(owner)),
    update_sensor: async (owner) => {
      const id = await sensorOf(owner);
      await owner.api.put(`/sensors/${id}`, { sensor: { name: 'gate' } });
      return onItself(id);
    },
    delete_sensor: async (owner) => {
      const id = await sensorOf(owner);
      await owner.api.delete(`/sensors/${id}`);
      return onItself(id);
    },
    add_sensor_data: async (owner) => {
      const id = await sensorOf(owner);
      await owner.api.post(`/sensors/${id}/data`, { data: [{ value: 1 }, { value: 2, date: 5 }] });
      return onItself(id);
    },
    add_sensor_user: async (owner) => {
      const friend = await platform.user();
      const id = await sensorOf(owner);
      await owner.api.post(`/sensors/${id}/users`, { user: { id: friend.id } });
      return { subject_id: friend.id, source_id: id };
    },
    add_sensor_sensor: async (owner) => {
      const [virtual, used] = [await sensorOf(owner), await sensorOf(owner)];
      await owner.api.post(`/sensors/${virtual}/sensors`, { sensor: { id: used } });
      return { subject_id: used, source_id: virtual };
    },
    remove_sensor_sensor: async (owner) => {
      const [virtual, used] = [await sensorOf(owner), await sensorOf(owner)];
      await owner.api.post(`/sensors/${virtual}/sensors`, { sensor: { id: used } });
      await owner.api.delete(`/sensors/${virtual}/sensors/${used}`);
      return { subject_id: used, source_id: virtual };
    },
    remove_sensor_user: async (owner) => {
      const friend = await platform.user();
      const id = await sensorOf(owner);
      await share(owner, id, friend);
      await friend.api.delete(`/sensors/${id}`);
      return { subject_id: friend.id, source_id: id };
    },
    add_sensor_device: async (owner) => {
      const id = await sensorOf(owner);
      const device = await deviceOf(owner, id);
      await owner.api.post(`/sensors/${id}/device`, { device: { id: device } });
      return { subject_id: device, source_id: id };
    },
    remove_sensor_device: async (owner) => {
      const id = await sensorOf(owner);
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
      await owner.api.post(`/sensors/${sensorId}/data`, { value: 1 });
      return { subject_id: triggerId, source_id: sensorId };
    },
    add_trigger: async (owner) => ({ subject_id: await triggerOf(owner) }),
    update_trigger: async (owner) => {
      const id = await triggerOf(owner);
      await owner.api.put(`/triggers/${id}`, { trigger: { name: 'shut' } });
      return { subject_id: id };
    },
    delete_trigger: async (owner) => {
      const id = await triggerOf(owner);
      await owner.api.delete(`/triggers/${id}`);
      return { subject_id: id };
    },
    add_notification: async (owner) => ({ subject_id: await notificationOf(owner) }),
    update_notification: async (owner) => {
      const id = await notificationOf(owner);
      await owner.api.put(`/notifications/${id}`, { notification: { text: 'new' } });
      return { subject_id: id };
    },
    delete_notification: async (owner) => {
      const id = await notificationOf(owner);
      await owner.api.delete(`/notifications/${id}`);
      return { subject_id: id };
    },
    add_environment: async (owner) => ({ subject_id: await environmentOf(owner) }),
    update_environment: async (owner) => {
      const id = await environmentOf(owner);
      await owner.api.put(`/environments/${id}`, { environment: { floors: 2 } });
      return { subject_id: id };
    },
    delete_environment: async (owner) => {
      const id = await environmentOf(owner);
      await owner.api.delete(`/environments/${id}`);
      return { subject_id: id };
    },
    add_environment_sensor: async (owner) => {
      const [environment, id] = [await environmentOf(owner), await sensorOf(owner)];
      await placeIn(owner, environment, id);
      await placeIn(owner, environment, id);
      return { subject_id: id, source_id: environment };
    },
    remove_environment_sensor: async (owner) => {
      const [environment, id] = [await environmentOf(owner), await sensorOf(owner)];
      await placeIn(owner, environment, id);
      await placeIn(owner, await environmentOf(owner), id);
      return { subject_id: id, source_id: environment };
    },
    delivery_failed: async (owner) => {
      const { sensorId } = await alarmOf(owner, 'http://10.0.0.1/');
      await owner.api.post(`/sensors/${sensorId}/data`, { value: 1 });
      await platform.settle();
      const { deliveries } = (await owner.api.get('/deliveries?status=failed')).body;
      assert.equal(deliveries.length, 1);
      return { subject_id: deliveries[0].id };
    },
  };

  for (const [event, cause] of Object.entries(causes)) {
    it(`posts ${event} once, with the form of the specification`, async () => {
      await subscribe(user, receiver.url, event, { text: '$event of {{subject_id}}' });
      const named = await cause(user);
      await platform.settle();
      const forms = receiver.received.map(({ form }) => form).filter((form) => form.event !== undefined);
      const text = `${event} of ${named.subject_id}`;
      assert.deepEqual(forms, [{ event, ...named, user_id: user.id, text }]);
    });
  }
});

function onItself(id: string): { subject_id: string; source_id: string } {
  return { subject_id: id, source_id: id };
}
