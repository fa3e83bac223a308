import assert from 'node:assert/strict';
import { buildAlarms } from '../../support/alarm';
import { create } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { Mailbox, partsOf } from '../../support/mailbox';

const LIMIT = 1;
const CONSOLE = 'https://sensors.example.org/api/console';

describe('the times, units and links of alerts', () => {
  const mailbox = Mailbox.use();
  const clock = fakeClock(Date.UTC(2026, 6, 1, 22, 30, 15));
  const platform = usePlatform(() => ({
    clock,
    config: { ...mailbox.settings, DIGEST_AFTER: String(LIMIT), MAIL_CONFIRMATION: 'off' },
  }));
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const SENSOR = {
    data_type: 'json',
    data_structure: JSON.stringify({
      soil: { celsius: { type: 'float', unit: '°C' }, state: 'string' },
      lux: 'float [lx]',
    }),
  };
  const build = (trigger: Record<string, unknown>, notifications: Record<string, unknown>[]) =>
    buildAlarms(user, {
      sensors: ['bed 0', 'bed 1', 'bed 2'].map((name) => ({ ...SENSOR, name })),
      trigger: { name: 'too warm', expression: 'sensor_data_value.soil.celsius > 30', ...trigger },
      notifications,
    });
  const setZone = async (timezone: string | null) => {
    assert.equal((await user.api.put(`/users/${user.id}`, { user: { timezone } })).status, 200);
  };
  const fire = async (sensors: readonly string[], padding = '') => {
    const date = clock.now() / 1000;
    const value = { soil: { celsius: 31.5, state: 'dry' }, lux: 7, padding };
    await create(user, '/sensors/data', {
      sensors: sensors.map((sensor_id, index) => ({ sensor_id, data: [{ value, date: date + index / 8 }] })),
    });
    await platform.settle();
  };
  const lastMail = () => mailbox.mails.at(-1)?.text ?? assert.fail('no mail arrived');
  const EMAIL = { type: 'email', destination: 'ward@example.org', text: '' };

  it('are those of the owner in mails, and of the trigger while the owner has no zone', async () => {
    const { sensorIds } = await build({ timezone: 'Asia/Kolkata' }, [EMAIL]);
    const shown = async () => {
      clock.advance(3_600_000);
      await fire(sensorIds.slice(0, 1));
      return partsOf(lastMail());
    };
    const first = await shown();
    const at = clock.now() / 1000;
    assert.match(first.plain, /^When: +2 July 2026, 05:00:15 \+05:30 \(Asia\/Kolkata\)$/m);
    assert.match(first.html, /<div>2 July 2026, 05:00:15 \+05:30 \(Asia\/Kolkata\)<\/div>/);
    assert.ok(first.plain.includes(`\nChart of bed 0: ${CONSOLE}/sensors/${sensorIds[0]}?at=${at}\n`), first.plain);
    assert.ok(first.html.includes(`href="${CONSOLE}/sensors/${sensorIds[0]}?at=${at}">Chart of bed 0</a>`), first.html);
    await setZone('America/New_York');
    assert.match((await shown()).plain, /^When: +1 July 2026, 20:30:15 -04:00 \(America\/New_York\)$/m);
    await setZone(null);
    assert.match((await shown()).plain, /^When: +2 July 2026, 07:00:15 \+05:30 \(Asia\/Kolkata\)$/m);
  });

  it('are in each line of a digest, which links to its chart', async () => {
    await setZone('Europe/Amsterdam');
    const { sensorIds } = await build({}, [EMAIL]);
    clock.advance(3_600_000);
    const at = clock.now() / 1000;
    await fire(sensorIds, 'x'.repeat(600));
    clock.advance(60_000);
    await platform.settle();
    const { plain, html } = partsOf(lastMail());
    assert.match(plain, /^Subject: 2 more alerts: too warm on bed \d and others$/m);
    const local = new Date(at * 1000 + 2 * 3_600_000);
    const day = `${local.getUTCDate()} July 2026`;
    assert.ok(plain.includes(`in this one mail. On ${day}, times in Europe/Amsterdam (+02:00).\n`), plain);
    const time = local.toISOString().slice(11, 19);
    const listed = [0, 1, 2].filter((index) => plain.includes(`\n${time}: too warm on bed ${index}: `));
    assert.equal(listed.length, 2, plain);
    for (const index of listed) {
      const line = `too warm on bed ${index}: soil.celsius 31.5 °C, soil.state dry, lux 7 lx, padding xxx`;
      assert.ok(plain.includes(`\n${time}: ${line}`), plain);
      const url = `${CONSOLE}/sensors/${sensorIds[index]}?at=${at + index / 8}`;
      assert.ok(plain.includes(`\nChart of bed ${index} at ${time}: ${url}\n`), plain);
      assert.ok(html.includes(`href="${url}">${line}`), html);
    }
  });

  it('are given to templates: the zone by the same rule, the hours of the trigger, and the link', async () => {
    const body = { local: '{{local(date)}}', hour: '{{hour()}}', chart: '{{chart_url}}' };
    const { sensorIds } = await build({ timezone: 'Asia/Kolkata' }, [{ destination: receiver.url, body }]);
    const sent = async () => {
      clock.advance(3_600_000);
      await fire(sensorIds.slice(0, 1));
      return JSON.parse(receiver.received.at(-1)?.rawBody ?? '{}');
    };
    const offsetOf = ({ local }: { local: string }) => local.split(' ')[2];
    const first = await sent();
    assert.equal(offsetOf(first), '+05:30');
    assert.equal(first.chart, `${CONSOLE}/sensors/${sensorIds[0]}?at=${clock.now() / 1000}`);
    await setZone('America/New_York');
    const second = await sent();
    assert.equal(offsetOf(second), '-04:00');
    assert.equal(Number(second.hour), (Number(first.hour) + 1) % 24);
  });
});
