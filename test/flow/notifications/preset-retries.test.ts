import assert from 'node:assert/strict';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { buildPresetAlarm, describePresets, uploadValue } from '../../support/presets';

const LIMITED_SECONDS = 120;

describe('a service that refuses a notification by a preset', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUserPerTest(platform);
  const deliveryOf = async (notificationId: string) => {
    const { deliveries } = (await user.api.get(`/deliveries?notification_id=${notificationId}`)).body;
    return (await user.api.get(`/deliveries/${deliveries[0].id}`)).body.delivery;
  };

  describePresets((rig) => {
    it('because there are too many gets it once, when it allows', async () => {
      const { sensorId, notificationId } = await buildPresetAlarm(user, rig);
      rig.service.limit(1, LIMITED_SECONDS);
      await uploadValue({ platform, clock, user }, sensorId, 31.2);
      const limited = await deliveryOf(notificationId);
      assert.deepEqual([limited.status, limited.attempts.length], ['pending', 1]);
      assert.equal(limited.attempts[0].status_code, 429);
      const says = rig.rules.tooMany(LIMITED_SECONDS).headers ?? {};
      const waits = limited.next_attempt - clock.now() / 1000;
      const expected = 'Retry-After' in says ? [LIMITED_SECONDS, LIMITED_SECONDS] : [4, 6];
      assert.ok(waits >= (expected[0] ?? 0) - 1 && waits <= (expected[1] ?? 0) + 1, String(waits));

      clock.advance(Math.ceil(waits) * 1_000);
      await platform.settle();
      clock.advance(3_600_000);
      await platform.settle();
      assert.deepEqual([rig.service.shown.length, rig.service.refusals], [1, []]);
      assert.equal((await deliveryOf(notificationId)).status, 'delivered');
    });

    if (rig.rules.wrong) {
      it('because its secret is wrong says so in the attempt', async () => {
        const wrong = rig.rules.wrong?.(rig.service.url) ?? {};
        const { sensorId, notificationId } = await buildPresetAlarm(user, rig, { notification: wrong });
        await uploadValue({ platform, clock, user }, sensorId, 31.2);
        const [refusal] = rig.service.refusals;
        const { status, attempts } = await deliveryOf(notificationId);
        assert.deepEqual([rig.service.shown, attempts.length, status], [[], 1, 'pending']);
        assert.equal(attempts[0].status_code, refusal?.status);
        assert.match(attempts[0].error, new RegExp(`the receiver answered ${refusal?.status}`));
        for (const value of Object.values(wrong)) assert.ok(!attempts[0].error.includes(value));
      });
    }
  });
});
