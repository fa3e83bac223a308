import assert from 'node:assert/strict';
import { buildAlarm } from '../support/alarm';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, watchErrors } from '../support/console';
import { upload } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { Mailbox } from '../support/mailbox';
import { until } from '../support/until';

const PUBLIC_URL = 'https://sensors.example.org/api';
const HOUR = 3_600;

describe('the moment of an alert, in a browser', function () {
  this.timeout(60_000);
  before(ensureConsole);
  const mailbox = Mailbox.use();
  const platform = usePlatform(() => ({ config: { ...mailbox.settings, MAIL_CONFIRMATION: 'off' } }));
  const user = useUserPerTest(platform);
  const browser = useBrowser();

  const open = (timezoneId: string) => browser.open({ javaScriptEnabled: true, locale: 'en-GB', timezoneId });
  /** Fires at a point of five days ago, after which other points came. */
  const fire = async () => {
    const at = Math.floor(Date.now() / 1000) - 5 * 86_400 + 0.125;
    const { sensorId } = await buildAlarm(user, {
      sensor: { name: 'greenhouse' },
      trigger: { name: 'too warm', expression: 'sensor_data_value > 30' },
      notifications: [{ type: 'email', destination: 'ward@example.org', text: '' }],
    });
    await upload(user, sensorId, { value: 31, date: at });
    await platform.settle();
    const later = Array.from({ length: 48 }, (_, index) => ({ value: 20, date: at + (index + 1) * HOUR }));
    await upload(user, sensorId, later);
    await platform.settle();
    return { at, sensorId, mail: mailbox.mails.at(-1)?.text ?? assert.fail('no mail arrived') };
  };
  const signInAs = async (page: Awaited<ReturnType<typeof open>>) => {
    await page.getByLabel('Username').fill(user.username);
    await page.getByLabel('Password').fill(user.username);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const zone = async () => (await user.api.get('/users/current')).body.user.timezone;

  it('is opened by the link of a mail after a sign-in, with the hours around it, and can be shared', async () => {
    const { at, sensorId, mail } = await fire();
    const link = /href="([^"]+)">Chart of greenhouse</.exec(mail)?.[1] ?? assert.fail(mail);
    const page = await open('Asia/Dubai');
    const errors = watchErrors(page);
    await page.goto(link.replace(PUBLIC_URL, platform.url));
    await signInAs(page);
    const chart = page.getByRole('img', { name: /greenhouse from/ });
    await chart.waitFor();
    const shown = (seconds: number, options: object) =>
      page.evaluate(
        ([ms, form]) => new Intl.DateTimeFormat('en-GB', form as object).format(ms as number),
        [seconds * 1000, options],
      );
    const short = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' };
    const [from, to] = [await shown(at - 3 * HOUR, short), await shown(at + HOUR, short)];
    const moment = await shown(at, { dateStyle: 'medium', timeStyle: 'medium' });
    const name = `greenhouse from ${from} to ${to}, 1 firing marked, ${moment} marked`;
    await page.getByRole('img', { name, exact: true }).waitFor();
    await page
      .locator('.legend-item')
      .filter({ has: page.locator('.swatch.named') })
      .getByText(moment)
      .waitFor();
    await page.getByText('min 20 · mean 25.5 · max 31').waitFor();
    assert.equal(page.url(), `${platform.url}/console/sensors/${sensorId}?at=${at}`);
    await inspectConsole(page, 'moment');
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await page.getByRole('img', { name: `${moment} marked` }).waitFor();
    const moved = new URL(page.url()).searchParams;
    assert.deepEqual([moved.get('at'), [...moved.keys()].sort()], [String(at), ['at', 'from', 'to']]);
    await page.goto(`${platform.url}/console/alerts?state=all`);
    const same = page.getByRole('table', { name: 'Alerts' }).getByRole('link', { name: 'greenhouse' });
    assert.equal(await same.getAttribute('href'), `/console/sensors/${sensorId}?at=${at}`);
    assert.deepEqual(errors, []);
  });

  it('is in the zone of the browser from the first sign-in on, until the user chooses another', async () => {
    const page = await open('Asia/Dubai');
    const errors = watchErrors(page);
    await page.goto(`${platform.url}/console/account`);
    await signInAs(page);
    await until('a time zone is saved', async () => (await zone()) !== null);
    assert.equal(await zone(), 'Asia/Dubai');
    assert.match((await fire()).mail, /When: {4}.* \+04:00 \(Asia\/Dubai\)/);
    await page.reload();
    await page.getByLabel('Time zone').selectOption('Europe/Amsterdam');
    await inspectConsole(page, 'account-zone');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.equal(await zone(), 'Europe/Amsterdam');
    const other = await open('America/New_York');
    await other.goto(`${platform.url}/console/`);
    await signInAs(other);
    await other.getByRole('heading', { name: 'Overview' }).waitFor();
    await other.goto(`${platform.url}/console/account`);
    assert.equal(await other.getByLabel('Time zone').inputValue(), 'Europe/Amsterdam');
    assert.match((await fire()).mail, /When: {4}.* \+0[12]:00 \(Europe\/Amsterdam\)/);
    assert.deepEqual(errors, []);
  });
});
