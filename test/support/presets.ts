import {
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  create,
  type Fields,
  upload,
} from './factories';
import type { FakeClock } from './fake-clock';
import type { Platform, TestUser } from './platform';
import { SERVICES } from './services/all';
import { type Service, type ServiceRules, startService } from './services/service';

/** A service that runs for the tests of one `describe`, and what they need to use it. */
export interface PresetRig {
  rules: ServiceRules;
  service: Service;
}

/** Describes the same tests for the service of every preset. Each test has a new service. */
export function describePresets(tests: (rig: PresetRig) => void): void {
  for (const rules of SERVICES) {
    describe(rules.preset, () => {
      const rig = { rules } as PresetRig; // the hook below adds the service
      beforeEach(async () => {
        rig.service = await startService(rules);
      });
      afterEach(() => rig.service.close());
      tests(rig);
    });
  }
}

/** The id of a new notification by the preset of a service. */
export async function buildPreset(user: TestUser, { rules, service }: PresetRig, fields: Fields = {}): Promise<string> {
  const notification = { preset: rules.preset, ...rules.values(service.url), ...fields };
  return (await create(user, '/notifications', { notification })).notification.id;
}

/** A sensor whose trigger has a notification by the preset of a service. */
export async function buildPresetAlarm(
  user: TestUser,
  rig: PresetRig,
  { sensor = {}, trigger = {}, notification = {} }: Partial<Record<'sensor' | 'trigger' | 'notification', Fields>> = {},
) {
  const notificationId = await buildPreset(user, rig, notification);
  const sensorId = await buildSensor(user, { name: 'greenhouse', ...sensor });
  const severity = { severity: 'critical', notify_resolved: true };
  const triggerId = await buildTrigger(user, { name: 'too warm', ...severity, ...trigger });
  await connectTrigger(user, sensorId, triggerId);
  await connectNotification(user, sensorId, triggerId, notificationId);
  return { notificationId, sensorId, triggerId };
}

/** Uploads a value that is dated by the clock, and lets everything happen that follows from it. */
export async function uploadValue(
  { platform, clock, user }: { platform: Platform; clock: FakeClock; user: TestUser },
  sensorId: string,
  value: unknown,
): Promise<void> {
  clock.advance(1_000);
  await upload(user, sensorId, { value, date: clock.now() / 1000 });
  await platform.settle();
}
