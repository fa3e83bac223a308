import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { digestOf } from '../../src/api/pages/password';
import { tabTo, useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, signIn, watchErrors } from '../support/console';
import { buildSensor, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

const PASSWORD = 'a long & "quoted" password';

describe('the console, in a browser', () => {
  before(ensureConsole);
  const platform = usePlatform();
  const browser = useBrowser();

  const open = () => browser.open({ javaScriptEnabled: true, locale: 'en-GB', timezoneId: 'Europe/Amsterdam' });

  it('leads a stranger from an account over a sensor and a file to a trigger that was tried on their data, and to its alert', async () => {
    const page = await open();
    const errors = watchErrors(page);
    await page.goto(platform.url);
    await page.waitForURL('**/console/');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await inspectConsole(page, 'sign-in');
    await page.getByRole('button', { name: 'Create an account' }).click();
    await inspectConsole(page, 'register');
    await page.getByLabel('Username').fill('stranger');
    await page.getByLabel('Email').fill('stranger@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('heading', { name: 'No sensors yet' }).waitFor();
    await inspectConsole(page, 'sensors-none');

    await page.getByRole('button', { name: 'Create the first sensor' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Living room');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Living room' }).waitFor();
    await page.getByRole('heading', { name: 'No data yet' }).waitFor();
    await inspectConsole(page, 'sensor-empty');

    await page.getByRole('button', { name: 'Upload data' }).click();
    await page.getByLabel('File').setInputFiles({ name: 'room.csv', mimeType: 'text/csv', buffer: twoDays() });
    await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
    await page.getByText('min 15 · mean').waitFor();
    await page.getByText('97 points are stored.').waitFor();
    await inspectConsole(page, 'sensor');

    await page.getByRole('link', { name: 'New trigger' }).click();
    await page.getByLabel('Name').fill('Too warm');
    await page.getByLabel('Fires when').selectOption('own');
    const expression = page.getByLabel('Expression');
    await expression.fill('sensor_data_value >> 24');
    await page.getByText(/Character 20: .*unexpected/i).waitFor();
    await page.locator('.mirror mark').waitFor();
    await inspectConsole(page, 'trigger-mistake');
    await expression.fill('sensor_data_value > 24 and last_sensor_data_value <= 24');
    await page.getByText('It would have fired twice').or(page.getByText('It would have fired 2 times')).waitFor();
    await inspectConsole(page, 'trigger');
    await page.getByRole('button', { name: 'Create the trigger' }).click();
    await page.getByRole('link', { name: 'Too warm', exact: true }).waitFor();

    for (const value of ['20', '30']) {
      await page.getByRole('button', { name: 'Upload' }).click();
      await page.getByRole('button', { name: 'One value' }).click();
      await page.getByRole('dialog').getByLabel('Value').fill(value);
      await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await platform.settle();
    }
    await page.getByRole('link', { name: /^Alerts/ }).click();
    const rule = 'sensor_data_value > 24 and last_sensor_data_value <= 24';
    const alert = page.getByRole('row', { name: new RegExp(`warning Living room 30 ${rule} Too warm`) });
    await alert.waitFor();
    await inspectConsole(page, 'alerts-firing');
    await alert.getByRole('button', { name: 'Acknowledge Too warm' }).click();
    await page.getByRole('dialog').getByLabel('Note').fill('The window is open');
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('The window is open').waitFor();
    await page.getByRole('link', { name: 'Too warm', exact: true }).click();
    await page.getByRole('heading', { name: 'Why “Too warm” fires' }).waitFor();
    await page
      .getByRole('row', { name: /^did not fire/ })
      .first()
      .waitFor();
    const fired = page.getByRole('row', { name: /^fired/ }).first();
    assert.equal((await fired.textContent())?.match(/fired/g)?.length, 1);
    await fired.getByText('the condition was true').waitFor();
    await inspectConsole(page, 'why-fired');

    assert.deepEqual(errors, []);
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'session_id');
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Lax']);
    assert.equal(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'), '{}');
  });

  describe('for a user with data', () => {
    const user = useUser(platform);

    it('draws values as they are stored, and says when the platform is away', async () => {
      const id = await buildSensor(user, { name: 'pulse', data_type: 'float' });
      const nowSeconds = Math.floor(Date.now() / 1000);
      await upload(
        user,
        id,
        [60, 30].map((ago) => ({ date: nowSeconds - ago, value: 10 })),
      );
      const page = await open();
      await signIn(page, platform.url, user);
      await page.goto(`${platform.url}/console/sensors/${id}?span=3600`);
      await page.getByText('live', { exact: true }).waitFor();
      await page.getByText('min 10 · mean 10 · max 10').waitFor();
      await upload(user, id, { value: 40 });
      await page.getByText('min 10 · mean 20 · max 40').waitFor(); // only the stream brings it

      await page.route('**/sensors/find?*', (route) =>
        route.fulfill({
          status: 503,
          headers: { 'Retry-After': '1' },
          json: { error: 'MySQL is not available', code: 'unavailable' },
        }),
      );
      await page.getByRole('link', { name: 'Sensors', exact: true }).click();
      await page.getByRole('alert').getByText('MySQL is not available.').waitFor();
      await inspectConsole(page, 'unavailable');
      await page.unroute('**/sensors/find?*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('link', { name: 'pulse' }).waitFor();

      await page.context().setOffline(true);
      await page.getByText(/^You are offline/).waitFor();
      await inspectConsole(page, 'offline');
      await page.context().setOffline(false);
      await page.getByText(/^You are offline/).waitFor({ state: 'detached' });
    });

    it('shares a sensor with another user, who sees its data and nothing to change it', async () => {
      const other = await platform.user();
      const id = await buildSensor(user, { name: 'harbour' });
      await upload(user, id, { value: 2.5 });
      const page = await open();
      await signIn(page, platform.url, user);
      await page.goto(`${platform.url}/console/sensors/${id}/about`);
      await page.getByLabel('Share with').fill('nobody-like-this');
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('Share with').fill(other.username);
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await page.getByRole('button', { name: `Stop sharing with ${other.username}` }).waitFor();

      const theirs = await open();
      await signIn(theirs, platform.url, other);
      await theirs.goto(`${platform.url}/console/sensors`);
      await theirs.getByRole('link', { name: 'harbour' }).click();
      await theirs.getByText(`shared by ${user.username}`).waitFor();
      await theirs.getByText('2.5', { exact: true }).waitFor();
      assert.equal(await theirs.getByRole('button', { name: /^(Upload|Edit|Delete)$/ }).count(), 0);
      await page.getByRole('button', { name: `Stop sharing with ${other.username}` }).click();
      await page.getByText('Only you can see this sensor.').waitFor();
      await theirs.goto(`${platform.url}/console/sensors/${id}`);
      await theirs.getByRole('alert').waitFor();
    });

    it('is used by the keyboard alone, from the menu of a phone to a sign-out', async () => {
      const page = await open();
      await page.setViewportSize({ width: 360, height: 780 });
      await page.goto(`${platform.url}/console/notifications`);
      const account = await platform.user({ password: digestOf(PASSWORD) });
      await tabTo(page, 'textbox', 'Username');
      await page.keyboard.type(account.username);
      await tabTo(page, 'textbox', 'Password');
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
      await tabTo(page, 'link', 'New notification');
      await page.keyboard.press('Enter');
      await page.getByLabel('Find a channel').and(page.locator(':focus')).waitFor();
      await page.keyboard.type('mail');
      await page.keyboard.press('Enter');
      await page.getByLabel('Address').waitFor();
      await page.reload();
      await tabTo(page, 'button', 'Menu');
      await page.keyboard.press('Enter');
      await tabTo(page, 'link', 'Groups');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Groups', level: 1 }).and(page.locator(':focus')).waitFor();
      await page.reload();
      await tabTo(page, 'button', 'Menu');
      await page.keyboard.press('Enter');
      await tabTo(page, 'button', 'Dark');
      await page.keyboard.press('Enter');
      assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
      await tabTo(page, 'button', 'Sign out');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });

    it('shows what was asked for by its address, and follows the keyboard', async () => {
      const id = await buildSensor(user, { name: 'steady' });
      const nowSeconds = Math.floor(Date.now() / 1000);
      await upload(
        user,
        id,
        [0, 60, 120].map((ago) => ({ date: nowSeconds - ago, value: 20 + ago / 60 })),
      );
      const page = await open();
      await signIn(page, platform.url, user);
      await page.goto(`${platform.url}/console/sensors/${id}?span=3600`);
      await page.getByRole('button', { name: '1 h', pressed: true }).waitFor();
      await page.getByRole('group', { name: /^Chart/ }).press('-');
      await page.waitForURL(/from=\d/);
      const { from, to } = Object.fromEntries(new URL(page.url()).searchParams);
      assert.ok(Math.abs(Number(to) - Number(from) - 7_200) < 1, 'twice as long');
      await page.getByRole('link', { name: 'Data', exact: true }).click();
      await page.getByRole('row', { name: /^22 / }).waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download as CSV' }).click(),
      ]);
      const [head, first] = (await readFile(await download.path(), 'utf8')).split(/\r?\n/);
      assert.equal(head, 'date,value');
      assert.match(first ?? '', /^\d{4}-\d\d-\d\dT.*,22$/);
      await page.goBack();
      await page.getByRole('group', { name: /^Chart/ }).waitFor();
    });
  });
});

/** Half-hourly values of two days, which rise above 24 once a day. */
function twoDays(): Buffer {
  const lines = Array.from({ length: 97 }, (_, at) => {
    const date = new Date(Date.UTC(2026, 10, 2) + at * 1_800_000).toISOString();
    return `${date},${(20 + 5 * Math.sin((at / 48) * 2 * Math.PI)).toFixed(2)}`;
  });
  return Buffer.from(`date,value\n${lines.join('\n')}\n`);
}
