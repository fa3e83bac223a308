import assert from 'node:assert/strict';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { buildPresetAlarm, describePresets, uploadValue } from '../../support/presets';

/** Number of characters of each text that arrives at least, from a text of 65,000. */
const SHOWN: Record<string, number> = {
  slack: 1_499,
  mattermost: 3_999,
  rocketchat: 3_999,
  discord: 1_699,
  teams: 3_499,
  googlechat: 2_999,
  telegram: 1_799,
  matrix: 3_999,
  ntfy: 999,
  gotify: 3_999,
  pushover: 1_023,
  twilio: 299,
  homeassistant: 3_999,
  pagerduty: 9_999,
  jira_service_management: 6_999,
  alertmanager: 9_999,
  apprise: 3_999,
  cloudevents: 9_999,
};

const HOSTILE = [
  '"quoted" \'single\' \\ back',
  'line\r\nline\ttab',
  '<!channel> <!here> <@U012AB3CD> <users/all>',
  '@everyone @here @channel @all @room',
  `{{7*7}} {{secrets.token}} \${7*7}`,
  '</b><b>bold</b><script>alert(1)</script> & &amp; &lt;',
].join('\n');

/** As a device may write it. */
const MARKED = [
  '[log in](http://evil.example/1) ![x](http://evil.example/2)',
  '[a][b] <http://evil.example/3|b>',
  '[b]: http://evil.example/4',
  '# *big* _slanted_ ~~gone~~ `code` \\[c](http://evil.example/5)',
].join('\n');

describe('texts of notifications by presets', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUserPerTest(platform);
  const sensor = { data_type: 'string' };
  const trigger = { expression: 'sensor_data_value != "calm"' };

  describePresets((rig) => {
    it('are cut where the service takes less', async () => {
      const notification = { text: '$sensor_data_value' };
      const { sensorId } = await buildPresetAlarm(user, rig, { sensor, trigger, notification });
      await uploadValue({ platform, clock, user }, sensorId, 'x'.repeat(65_000));
      assert.deepEqual(rig.service.refusals, []);
      const [shown] = rig.service.shown;
      assert.equal(/x+/.exec(shown?.text ?? '')?.[0].length, SHOWN[rig.rules.preset]);
      assert.ok(shown?.text.includes('x…'));
    });

    it('are cut between characters that take two places', async () => {
      const notification = { text: 'a$sensor_data_value' };
      const { sensorId } = await buildPresetAlarm(user, rig, { sensor, trigger, notification });
      await uploadValue({ platform, clock, user }, sensorId, '😀'.repeat(16_000));
      assert.deepEqual(rig.service.refusals, []);
      const { whole = '', text = '' } = rig.service.shown[0] ?? {};
      assert.match(text, /a(😀)+…/u);
      assert.ok(!/\\ud[89a-f]/i.test(whole) && !whole.includes('\ufffd'), 'half a character');
    });

    it('of blanks say what happened instead, without a line break at the end', async () => {
      const notification = { text: ' \n$sensor_data_value\n' };
      const { sensorId } = await buildPresetAlarm(user, rig, {
        sensor: { ...sensor, name: 'green house' },
        trigger: { ...trigger, notify_resolved: true, resolved_text: 'calm again' },
        notification,
      });
      await uploadValue({ platform, clock, user }, sensorId, ' ');
      clock.advance(60_000);
      await uploadValue({ platform, clock, user }, sensorId, 'calm');
      const [fired, ended] = rig.service.shown;
      assert.ok(fired?.whole.includes('green house'), fired?.whole);
      assert.doesNotMatch(ended?.text ?? '\n', /\n$/);
    });

    it('mention nobody, are no templates and no markup, and arrive as they are', async () => {
      const named = { ...sensor, name: 'the "green" house <!channel> @everyone @room' };
      const notification = { text: '$sensor_data_value' };
      const { sensorId } = await buildPresetAlarm(user, rig, { sensor: named, trigger, notification });
      await uploadValue({ platform, clock, user }, sensorId, HOSTILE);
      assert.deepEqual(rig.service.refusals, []);
      const { whole = '', text = '' } = rig.service.shown[0] ?? {};
      assert.ok(!whole.includes('MENTION'), whole);
      const isShort = rig.rules.preset === 'twilio';
      const lines = isShort ? HOSTILE.split('\n').slice(0, 5) : HOSTILE.split('\n');
      for (const line of lines) assert.ok(text.includes(line), `${line} is missing in ${text}`);
      const withoutTokens = text.replace(/token=[\w.-]+/g, ''); // their characters are random
      assert.ok(!withoutTokens.includes('49'), `a template was evaluated: ${withoutTokens}`);
    });

    it('have no Markdown of a device: no link behind other words, nothing bold', async () => {
      const named = { ...sensor, name: '[a](http://evil.example/n) *door*' };
      const notification = { text: '$sensor_data_value' };
      const { sensorId } = await buildPresetAlarm(user, rig, { sensor: named, trigger, notification });
      await uploadValue({ platform, clock, user }, sensorId, MARKED);
      assert.deepEqual(rig.service.refusals, []);
      const { whole = '', text = '' } = rig.service.shown[0] ?? {};
      assert.doesNotMatch(whole, /LINK [^"]*evil/);
      assert.doesNotMatch(whole, /LINK by a reference|MARKED/);
      const read = text.replaceAll('< http', '<http');
      for (const line of MARKED.split('\n')) assert.ok(read.includes(line), `${line} is missing in ${text}`);
    });

    it('are the value with its unit and the condition if there is none, below the title', async () => {
      const measured = { data_structure: '{"unit": "°C"}' };
      const { sensorId } = await buildPresetAlarm(user, rig, { sensor: measured, notification: { text: '' } });
      await uploadValue({ platform, clock, user }, sensorId, 31.2);
      assert.deepEqual(rig.service.refusals, []);
      const { whole = '', text = '' } = rig.service.shown[0] ?? {};
      assert.match(whole, /too warm on greenhouse/);
      if (rig.rules.preset === 'cloudevents') return; // its data has the value and the unit
      assert.match(text, /31\.2 °C · above 30 °C/);
      if (rig.rules.preset !== 'twilio') assert.doesNotMatch(text, /too warm on greenhouse/);
    });
  });
});
