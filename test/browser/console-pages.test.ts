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

describe('the pages of the console', () => {
  before(ensureConsole);
  const platform = usePlatform();
  const browser = useBrowser();
  const user = useUser(platform);

  it('has every page in order on a phone and a desktop, light and dark', async () => {
    const things = await furnish(user, platform);
    const page = await browser.open({ javaScriptEnabled: true, locale: 'en-GB', timezoneId: 'Europe/Amsterdam' });
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

  it('shows what is chosen where the system replaces all colours', async () => {
    const sensor = await buildSensor(user, { name: 'brook' });
    await upload(user, sensor, { value: 4 });
    const page = await browser.open({ javaScriptEnabled: true, locale: 'en-GB', forcedColors: 'active' });
    await signIn(page, platform.url, user);
    await page.goto(`${platform.url}/console/sensors/${sensor}`);
    await page.locator('.legend > li').first().waitFor();
    const styleOf = (element: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${element}')).${name}`);
    for (const [kind, chosen, name] of [
      ['.nav a', '[aria-current=page]', 'backgroundColor'],
      ['.choices button', '[aria-pressed=true]', 'backgroundColor'],
      ['.tabs a', '[aria-current=page]', 'borderBottomColor'],
    ] as const) {
      const [one, other] = [await styleOf(kind + chosen, name), await styleOf(`${kind}:not(${chosen})`, name)];
      assert.notEqual(one, other, kind);
    }
    assert.equal(
      await styleOf('.nav a[aria-current=page]', 'color'),
      await styleOf('.choices button[aria-pressed=true]', 'color'),
    );
  });

  it('puts sensors into a group and an environment, and takes them out', async () => {
    await buildSensor(user, { name: 'pond' });
    const group = await buildGroup(user, { name: 'Anglers' });
    const environment = await buildEnvironment(user, { name: 'Garden' });
    const page = await browser.open({ javaScriptEnabled: true });
    await signIn(page, platform.url, user);
    const ways = [
      { path: `/groups/${group}`, open: 'Add sensors', put: 'Add', takeOut: 'Remove pond from the group' },
      { path: `/environments/${environment}`, open: 'Put sensors in', put: 'Put in', takeOut: 'Take out pond' },
    ];
    for (const { path, open, put, takeOut } of ways) {
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      const sensors = async () => (await user.api.get(`${path}/sensors`)).body.sensors.length;
      await page.goto(`${platform.url}/console${path}`);
      await button(open).click();
      await page.getByRole('checkbox', { name: 'pond' }).check();
      await button(put).click();
      await button(takeOut).waitFor();
      assert.equal(await sensors(), 1);
      await button(takeOut).click();
      await page.getByText('No sensors yet.').waitFor();
      assert.equal(await sensors(), 0);
    }
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
    ['overview', '/', 'Overview'],
    ['sensors', '/sensors', 'Sensors'],
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
    ['environment-outline', `/environments/${environment}/outline`, 'Home'],
    ['services', '/services', 'Services'],
    ['service', `/services/${service}`, /./],
    ['account', '/account', 'Account'],
    ['account-security', '/account/security', 'Account'],
    ['account-keys', '/account/keys', 'Account'],
    ['missing', '/nothing/here', 'There is no such page'],
  ] as const;
}
