import assert from 'node:assert/strict';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { buildPreset, buildPresetAlarm, type PresetRig, uploadValue } from '../../support/presets';
import { SERVICES } from '../../support/services/all';
import { startService } from '../../support/services/service';

describe('what only one preset does', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUserPerTest(platform);

  const withService = async (preset: string, run: (rig: PresetRig) => Promise<void>) => {
    const rules = SERVICES.find((one) => one.preset === preset) ?? assert.fail(preset);
    const service = await startService(rules);
    try {
      await run({ rules, service });
    } finally {
      await service.close();
    }
  };
  const wholeOf = ({ service }: PresetRig, index: number) => JSON.parse(service.shown[index]?.whole ?? 'null');

  it('alertmanager: an alert lasts as long as its episode', async () => {
    await withService('alertmanager', async (rig) => {
      const { sensorId } = await buildPresetAlarm(user, rig);
      await uploadValue({ platform, clock, user }, sensorId, 31.2);
      const begun = clock.now();
      clock.advance(600_000);
      await uploadValue({ platform, clock, user }, sensorId, 20);
      const [, , startsAt, endsAt] = wholeOf(rig, 0);
      assert.deepEqual([Date.parse(startsAt), Date.parse(endsAt)], [begun, begun + 30 * 86_400_000]);
      const [, , sameStart, realEnd] = wholeOf(rig, 1);
      assert.deepEqual([Date.parse(sameStart), Date.parse(realEnd)], [begun, clock.now()]);
    });
  });

  it('alertmanager: what belongs to no episode ends after five minutes', async () => {
    await withService('alertmanager', async (rig) => {
      const id = await buildPreset(user, rig, { text: 'x' });
      await user.api.post('/events/notifications', {
        event_notification: { event: 'add_sensor', notification_id: id },
      });
      await user.api.post('/sensors', { sensor: { name: 'cellar' } });
      await platform.settle();
      const [labels, , startsAt, endsAt] = wholeOf(rig, 0);
      assert.equal(labels.alertname, 'add_sensor');
      assert.deepEqual([Date.parse(startsAt), Date.parse(endsAt)], [clock.now(), clock.now() + 300_000]);
    });
  });

  it('ntfy: the button acknowledges a firing, and opens a page afterwards', async () => {
    await withService('ntfy', async (rig) => {
      const { sensorId } = await buildPresetAlarm(user, rig);
      await uploadValue({ platform, clock, user }, sensorId, 31.2);
      await uploadValue({ platform, clock, user }, sensorId, 20);
      const [, , tags, [button], click] = wholeOf(rig, 0);
      assert.deepEqual(
        [tags, button.action, button.label, button.method],
        [['rotating_light'], 'http', 'Acknowledge', 'POST'],
      );
      assert.match(button.url, /\/acknowledge\?token=/);
      const chart = new RegExp(`/console/sensors/${sensorId}\\?at=[0-9.]+$`);
      assert.match(click, chart);
      const [, , , [opens]] = wholeOf(rig, 1);
      assert.deepEqual([opens.action, opens.label], ['view', 'Open']);
      assert.match(opens.url, chart);
    });
  });

  for (const preset of ['matrix', 'googlechat', 'pagerduty', 'jira_service_management', 'alertmanager']) {
    it(`${preset}: what is sent again has the same id`, async () => {
      await withService(preset, async (rig) => {
        const { sensorId, notificationId } = await buildPresetAlarm(user, rig);
        await uploadValue({ platform, clock, user }, sensorId, 31.2);
        const { deliveries } = (await user.api.get(`/deliveries?notification_id=${notificationId}`)).body;
        await user.api.post(`/deliveries/${deliveries[0].id}/redeliver`);
        await platform.settle();
        const [first, second] = rig.service.shown;
        assert.ok(first?.key !== undefined && first.key !== '');
        assert.equal(second?.key, first.key);
      });
    });
  }

  for (const preset of ['pagerduty', 'jira_service_management']) {
    it(`${preset}: an acknowledgement acknowledges the alert of its firing`, async () => {
      await withService(preset, async (rig) => {
        const { sensorId } = await buildPresetAlarm(user, rig);
        await uploadValue({ platform, clock, user }, sensorId, 31.2);
        const { firings } = (await user.api.get(`/firings?sensor_id=${sensorId}`)).body;
        assert.equal((await user.api.post(`/firings/${firings[0].id}/acknowledge`)).status, 200);
        await platform.settle();
        await uploadValue({ platform, clock, user }, sensorId, 20);
        assert.deepEqual(rig.service.refusals, []);
        const [opened, acknowledged, ended] = rig.service.shown;
        assert.equal(acknowledged?.whole, '"acknowledged"');
        assert.deepEqual([acknowledged?.key, ended?.key, ended?.isEnd], [opened?.key, opened?.key, true]);
      });
    });
  }

  it('slack: a new token is used by what is sent again', async () => {
    await withService('slack', async (rig) => {
      const { rules, service } = rig;
      const notification = rules.wrong?.(service.url);
      const { sensorId, notificationId } = await buildPresetAlarm(user, rig, { notification });
      await uploadValue({ platform, clock, user }, sensorId, 31.2);
      assert.deepEqual([service.shown.length, service.refusals.length], [0, 1]);
      const token = rules.values(service.url).webhook_url?.split('/').at(-1);
      const path = `/notifications/${notificationId}`;
      assert.equal((await user.api.put(path, { notification: { secrets: { token } } })).status, 200);
      const { deliveries } = (await user.api.get(`/deliveries?notification_id=${notificationId}`)).body;
      await user.api.post(`/deliveries/${deliveries[0].id}/redeliver`);
      await platform.settle();
      assert.equal(service.shown.length, 1);
    });
  });

  it('jira_service_management: an end closes the alert of its firing', async () => {
    await withService('jira_service_management', async (rig) => {
      const { sensorId } = await buildPresetAlarm(user, rig, { trigger: { resolved_text: 'fine again' } });
      await uploadValue({ platform, clock, user }, sensorId, 31.2);
      await uploadValue({ platform, clock, user }, sensorId, 20);
      const [opened, closed] = rig.service.shown;
      assert.deepEqual([closed?.key, closed?.isEnd, closed?.text], [opened?.key, true, 'fine again']);
      assert.match(opened?.key ?? '', /^episode-\d+$/);
    });
  });
});
