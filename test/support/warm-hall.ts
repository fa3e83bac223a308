import { buildAlarms } from './alarm';
import { upload } from './factories';
import { fakeClock } from './fake-clock';
import { usePlatform, useReceiver, useUser, useUserPerTest } from './hooks';

type Fields = Record<string, unknown>;

/** A platform with the sensor of a hall, whose trigger has one notification to a receiver. */
export function useWarmHall() {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);
  const other = useUser(platform);

  /** A sensor of JSON values above 30 degrees, with one notification. */
  const build = async (notification: Fields, trigger: Fields = {}) => {
    receiver.received.length = 0;
    const expression = 'sensor_data_value.degrees > 30';
    const rule = { name: 'warm', expression, repeat: 0, notify_resolved: true, severity: 'critical' };
    const built = await buildAlarms(user, {
      sensors: [{ name: 'hall', data_type: 'json', data_structure: '{"unit": "°C"}' }],
      trigger: { ...rule, ...trigger },
      notifications: [{ destination: receiver.url, text: '$sensor_data_value.degrees degrees', ...notification }],
    });
    return { sensorId: built.sensorIds[0] ?? '', triggerId: built.triggerId, id: built.notificationIds[0] ?? '' };
  };
  const send = async (sensorId: string, degrees: unknown) => {
    clock.advance(1_000);
    await upload(user, sensorId, { value: { degrees }, date: clock.now() / 1000 });
    await platform.settle();
  };
  return { clock, platform, receiver, user, other, build, send };
}
