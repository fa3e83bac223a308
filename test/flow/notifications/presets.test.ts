import assert from 'node:assert/strict';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { buildPresetAlarm, describePresets, uploadValue } from '../../support/presets';

/** How each service shows a critical firing and the end of its episode; `''` where it knows no urgency. */
const URGENCY: Record<string, readonly [firing: string, end: string]> = {
  slack: ['#c62828', '#2e7d32'],
  mattermost: ['#c62828', '#2e7d32'],
  rocketchat: ['#c62828', '#2e7d32'],
  discord: ['12986408', '3046706'],
  teams: ['attention', 'good'],
  googlechat: ['#c62828', '#2e7d32'],
  telegram: ['', ''],
  matrix: ['', ''],
  ntfy: ['5', '3'],
  gotify: ['8', '2'],
  pushover: ['1', '0'],
  twilio: ['', ''],
  homeassistant: ['critical', 'critical'],
  pagerduty: ['critical', 'critical'],
  jira_service_management: ['P1', ''],
  alertmanager: ['critical', 'critical'],
  apprise: ['failure', 'success'],
  cloudevents: ['critical', 'critical'],
};
/** Services that know that a firing and the end of its episode are about the same. */
const SAME_KEY = ['googlechat', 'homeassistant', 'pagerduty', 'jira_service_management', 'alertmanager', 'cloudevents'];
const KNOWS_ENDS = ['homeassistant', 'pagerduty', 'jira_service_management', 'cloudevents'];
/** Services that show no title in a firing, or in an end. */
const NO_TITLE = ['twilio'];
const NO_TITLE_OF_ENDS = ['twilio', 'jira_service_management'];

describe('an episode with a notification by a preset', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUserPerTest(platform);

  describePresets((rig) => {
    const { preset } = rig.rules;

    it('arrives with text, urgency and a link that acknowledges, and ends', async () => {
      const { sensorId, notificationId } = await buildPresetAlarm(user, rig, {
        notification: { text: '$sensor_name: $sensor_data_value °C' },
        trigger: { resolved_text: '$sensor_name is fine again' },
      });
      await uploadValue({ platform, clock, user }, sensorId, 31.2);
      const { shown, refusals } = rig.service;
      assert.deepEqual(refusals, []);
      assert.equal(shown.length, 1);
      const [firing] = shown;
      assert.match(firing?.text ?? '', /greenhouse: 31\.2 °C/);
      if (!NO_TITLE.includes(preset)) assert.match(firing?.title ?? '', /too warm on greenhouse/);
      assert.equal(firing?.urgency, URGENCY[preset]?.[0]);
      const link = /https?:[^"\s|)<>\\]*\/acknowledge\?token=[\w.-]+/.exec(firing?.whole ?? '')?.[0];
      assert.ok(link, firing?.whole);

      await uploadValue({ platform, clock, user }, sensorId, 20);
      assert.deepEqual(refusals, []);
      assert.equal(shown.length, 2);
      const end = shown[1];
      assert.match(end?.text ?? '', /greenhouse is fine again/);
      if (!NO_TITLE_OF_ENDS.includes(preset))
        assert.match(end?.title ?? '', /^Resolved: Critical: too warm on greenhouse/);
      assert.equal(end?.urgency, URGENCY[preset]?.[1]);
      assert.ok(!end?.whole.includes('/acknowledge?'), 'an end has nothing to acknowledge');
      if (SAME_KEY.includes(preset)) assert.equal(end?.key, firing?.key);
      assert.equal(end?.isEnd ?? false, KNOWS_ENDS.includes(preset));

      const { deliveries } = (await user.api.get(`/deliveries?notification_id=${notificationId}`)).body;
      for (const { status, attempts } of deliveries) {
        assert.deepEqual([status, attempts[0].error, attempts[0].note ?? ''], ['delivered', '', '']);
      }
    });

    it('is acknowledged by its link', async () => {
      const { sensorId } = await buildPresetAlarm(user, rig);
      await uploadValue({ platform, clock, user }, sensorId, 31.2);
      const path =
        /\/acknowledge\?token=[\w.-]+/.exec(rig.service.shown[0]?.whole ?? '')?.[0] ?? assert.fail('no link');
      assert.equal((await platform.anonymous.post(path)).status, 200);
      const { firings } = (await user.api.get(`/firings?sensor_id=${sensorId}`)).body;
      assert.equal(typeof firings[0].acknowledged.date, 'number');
    });
  });
});
