import assert from 'node:assert/strict';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, signIn, watchErrors } from '../support/console';
import {
  buildEnvironment,
  buildGroup,
  buildNotification,
  buildSensor,
  buildService,
  buildTrigger,
  connectNotification,
  connectTrigger,
  create,
  createKey,
  upload,
} from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import type { Platform, TestUser } from '../support/platform';
import { until } from '../support/until';

const PASSWORD = 'a long & "quoted" password';

describe('the console, in a browser', function () {
  this.timeout(90_000);
  before(ensureConsole);
  const platform = usePlatform();
  const browser = useBrowser();

  const open = () => browser.open({ javaScriptEnabled: true, locale: 'en-GB', timezoneId: 'Europe/Amsterdam' });

  it('leads a stranger from an account over a sensor and a file to a trigger that was tried on their data', async () => {
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
    await page.getByText('97 points uploaded.').waitFor();
    await inspectConsole(page, 'sensor');

    await page.getByRole('link', { name: 'New trigger' }).click();
    await page.getByLabel('Name').fill('Too warm');
    const expression = page.getByLabel('Fires when');
    await expression.fill('sensor_data_value >> 24');
    await page.getByText(/Character 20: .*unexpected/i).waitFor();
    await page.locator('.mirror mark').waitFor();
    await inspectConsole(page, 'trigger-mistake');
    await expression.fill('sensor_data_value > 24 and last_sensor_data_value <= 24');
    await page.getByText('It would have fired twice').or(page.getByText('It would have fired 2 times')).waitFor();
    await inspectConsole(page, 'trigger');
    await page.getByRole('button', { name: 'Create the trigger' }).click();
    await page.getByRole('link', { name: 'Too warm', exact: true }).waitFor();

    assert.deepEqual(errors, []);
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'session_id');
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Lax']);
    assert.equal(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'), '{}');
  });

  describe('for a user with data', () => {
    const user = useUser(platform);

    it('has every page in order on a phone and a desktop, light and dark', async () => {
      const things = await furnish(user, platform);
      const page = await open();
      const errors = watchErrors(page);
      await signIn(page, platform.url, user);
      for (const [name, path, heading] of pagesOf(things)) {
        await page.goto(`${platform.url}/console${path}`);
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
        await until(`${name} is loaded`, async () => (await page.locator('.loading').count()) === 0);
        await inspectConsole(page, name);
      }
      assert.deepEqual(errors, []);
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
      await page.goBack();
      await page.getByRole('group', { name: /^Chart/ }).waitFor();
    });
  });
});

type Things = Awaited<ReturnType<typeof furnish>>;

/** Something of everything. */
async function furnish(user: TestUser, platform: Platform) {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const sensor = await buildSensor(user, { name: 'greenhouse', data_type: 'json' });
  const door = await buildSensor(user, { name: 'door', data_type: 'boolean' });
  const trigger = await buildTrigger(user, { name: 'Too humid', expression: 'sensor_data_value.humidity > 70' });
  const notification = await buildNotification(user, { text: '{{sensor_name}}' });
  await connectTrigger(user, sensor, trigger);
  await connectNotification(user, sensor, trigger, notification);
  await upload(user, sensor, [
    { date: nowSeconds - 600, value: { temperature: 20.5, humidity: 60 } },
    { date: nowSeconds - 300, value: { temperature: 21, humidity: 80 } },
  ]);
  await upload(user, door, [
    { date: nowSeconds - 900, value: true },
    { date: nowSeconds - 200, value: false },
  ]);
  await platform.settle();
  const group = await buildGroup(user, { name: 'Neighbours', description: 'Who shares the roof', public: true });
  const outline = '52.3702 4.8952,52.3705 4.8958,52.3703 4.8963';
  const environment = await buildEnvironment(user, { name: 'Home', gps_outline: outline, floors: 2 });
  const service = await buildService(user, 'state_recognition_service', door);
  await createKey(user, { name: 'node', sensors: [sensor] });
  await create(user, '/events/notifications', {
    event_notification: { event: 'add_sensor_user', notification_id: notification },
  });
  await create(user, '/mutes', {
    mute: { name: 'maintenance', start: nowSeconds, end: nowSeconds + 3_600, sensors: [door] },
  });
  const [delivery] = (await user.api.get('/deliveries')).body.deliveries;
  return { sensor, door, trigger, group, environment, service, delivery: delivery.id };
}

function pagesOf({ sensor, door, trigger, group, environment, service, delivery }: Things) {
  return [
    ['sensors', '/', 'Sensors'],
    ['sensor-fields', `/sensors/${sensor}`, 'greenhouse'],
    ['sensor-boolean', `/sensors/${door}`, 'door'],
    ['sensor-data', `/sensors/${sensor}/data`, 'greenhouse'],
    ['sensor-about', `/sensors/${sensor}/about`, 'greenhouse'],
    ['why', `/sensors/${sensor}/triggers/${trigger}`, /Too humid/],
    ['triggers', '/triggers', 'Triggers'],
    ['trigger-saved', `/triggers/${trigger}?sensor=${sensor}`, 'Too humid'],
    ['alerts', '/alerts', 'Alerts'],
    ['mutes', '/mutes', 'Mutes'],
    ['notifications', '/notifications', 'Notifications'],
    ['deliveries', '/deliveries', 'Deliveries'],
    ['delivery', `/deliveries/${delivery}`, /Delivery/],
    ['events', '/events', 'Events'],
    ['groups', '/groups', 'Groups'],
    ['group', `/groups/${group}`, 'Neighbours'],
    ['environments', '/environments', 'Environments'],
    ['environment', `/environments/${environment}`, 'Home'],
    ['services', '/services', 'Services'],
    ['service', `/services/${service}`, /./],
    ['account', '/account', 'Account'],
    ['missing', '/nothing/here', 'There is no such page'],
  ] as const;
}

/** Half-hourly values of two days, which rise above 24 once a day. */
function twoDays(): Buffer {
  const lines = Array.from({ length: 97 }, (_, at) => {
    const date = new Date(Date.UTC(2026, 10, 2) + at * 1_800_000).toISOString();
    return `${date},${(20 + 5 * Math.sin((at / 48) * 2 * Math.PI)).toFixed(2)}`;
  });
  return Buffer.from(`date,value\n${lines.join('\n')}\n`);
}
