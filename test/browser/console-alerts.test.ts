import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { buildAlarms } from '../support/alarm';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, openConsole, useConsole, watchErrors } from '../support/console';
import { buildNotification, buildSensor, buildTrigger, connectTrigger, create, upload } from '../support/factories';
import { fakeClock } from '../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../support/hooks';

describe('many alerts in the console', function () {
  this.timeout(120_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);

  const open = useConsole(platform, user);
  const rows = (page: Page) => page.locator('tbody tr');

  /** Sensors with a metatag each, on which the trigger fires. */
  const fire = async (names: readonly string[], trigger: object, unit = '°C') => {
    const triggerId = await buildTrigger(user, { expression: 'sensor_data_value > 30', ...trigger });
    const ids: string[] = [];
    for (const [at, name] of names.entries()) {
      const id = await buildSensor(user, { name, unit });
      await connectTrigger(user, id, triggerId);
      await create(user, `/sensors/${id}/metatags`, { metatags: { floor: [String(at % 2)] } });
      ids.push(id);
    }
    await create(user, '/sensors/data', { sensors: ids.map((sensor_id) => ({ sensor_id, data: [{ value: 31.5 }] })) });
    await platform.settle();
    return { triggerId, ids };
  };
  const named = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name} ${at + 1}`);

  it('keeps names whole on a small laptop, in German too', async () => {
    await fire(['Gefrierschrank'], { name: 'Freezer above -15' });
    const page = await open('/alerts', { locale: 'de-DE', viewport: { width: 1024, height: 768 } });
    const name = page.getByRole('link', { name: 'Gefrierschrank' });
    await name.waitFor();
    const { height = 0 } = (await name.boundingBox()) ?? {};
    assert.ok(height < 60, `the name fills ${height} px, more than two lines`);
    const table = page.locator('.scroll').first();
    assert.equal(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
  });

  it('acknowledges 60 alerts with four clicks and one request', async () => {
    await fire(named(60, 'Freezer'), { name: 'Too warm', severity: 'critical' });
    const page = await open('/alerts');
    const errors = watchErrors(page);
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname));
    await page.getByRole('checkbox', { name: 'Select all 60 alerts' }).click();
    await page.getByText('60 of 60 selected').waitFor();
    await inspectConsole(page, 'alerts-selected');
    await page.getByRole('button', { name: 'Acknowledge', exact: true }).click();
    await page.getByRole('heading', { name: 'Acknowledge 60 alerts' }).waitFor();
    await page.getByLabel('Note').fill('The cooling is being repaired');
    await inspectConsole(page, 'alerts-acknowledge');
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('60 alerts acknowledged.').waitFor();
    await page.getByText('“The cooling is being repaired”').nth(59).waitFor();
    assert.deepEqual(
      sent.filter((path) => path.startsWith('/firings')),
      ['/firings/bulk'],
    );
    const { total } = (await user.api.get('/firings?state=firing&acknowledged=false&total=1')).body;
    assert.equal(total, 0);
    assert.deepEqual(errors, []);
  });

  it('groups and filters them, and shows the present value with its unit', async () => {
    const { ids } = await fire(['Freezer', 'Fridge'], { name: 'Too warm', severity: 'critical' });
    await fire(['Pond'], { name: 'Too high', severity: 'info' }, 'cm');
    const page = await open('/alerts');
    const errors = watchErrors(page);
    await rows(page).nth(2).waitFor();
    await rows(page).filter({ hasText: 'Pond' }).getByText('31.5 cm').first().waitFor();
    await upload(user, ids[0] ?? '', { value: 28.5 });
    await rows(page).filter({ hasText: 'Freezer' }).getByText('28.5 °C').waitFor();
    for (const [width, lines] of [
      [1280, 1],
      [1024, 2], // German texts are cut in one line
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const fields = await page.locator('.filters .input').all();
      const tops = await Promise.all(fields.map(async (one) => (await one.boundingBox())?.y));
      assert.deepEqual([fields.length, new Set(tops).size], [5, lines], `lines of filters at ${width} px`);
    }
    const group = (by: string) => page.getByLabel('Group by').selectOption({ label: by });
    const titles = async () => (await page.locator('main h2').allTextContents()).sort();
    await group('By severity');
    await page.getByRole('heading', { name: 'critical', exact: true }).waitFor();
    assert.deepEqual(await titles(), ['critical', 'info']);
    await group('By floor');
    await page.getByRole('heading', { name: 'floor: 1' }).waitFor();
    await page.getByRole('checkbox', { name: '2 alerts' }).check();
    await page.getByText('2 of 3 selected').waitFor();
    await inspectConsole(page, 'alerts-grouped');
    await group('Not grouped');
    await page.getByLabel('Severity').selectOption({ label: 'critical' });
    await rows(page).nth(2).waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search' }).fill('frid');
    await rows(page).nth(1).waitFor({ state: 'detached' });
    await rows(page).filter({ hasText: 'Fridge' }).waitFor();
    await page.waitForURL(/severity=critical.*q=frid/);
    await page.reload();
    await rows(page).filter({ hasText: 'Fridge' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like it');
    await page.getByRole('button', { name: 'Remove the filters' }).click();
    await rows(page).nth(2).waitFor();
    assert.deepEqual(errors, []);
  });

  it('says on each page about alerts that a trigger notifies nobody, until it does', async () => {
    const { triggerId } = await fire(['Freezer'], { name: 'Too warm' });
    const email = await buildNotification(user);
    const page = await open('/alerts');
    const errors = watchErrors(page);
    const visit = async (path: string) => {
      await page.goto(`${platform.url}/console${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    };
    const line = page.getByRole('link', { name: '“Too warm” notifies nobody' });
    const pages = ['/', '/alerts', '/deliveries', '/triggers', '/alerts?by=trigger'];
    for (const [at, path] of pages.entries()) {
      await visit(path);
      await (at < 3 ? line : page.getByText('notifies nobody', { exact: true })).waitFor();
      assert.equal(await page.getByText(/(notifies|notify|reach) nobody/).count(), 1, path);
      await inspectConsole(page, `unheard-${at}`);
    }
    await page.getByRole('link', { name: 'Edit the trigger' }).click();
    await page.waitForURL(/\/triggers\/\d+$/);
    await page.getByRole('link', { name: 'This trigger notifies nobody' }).click();
    await page.getByRole('group', { name: 'Reports to' }).getByText('nobody is notified').waitFor();
    await inspectConsole(page, 'unheard-trigger');
    await create(user, `/triggers/${triggerId}/notifications`, { notification: { id: email } });
    for (const path of [...pages, `/triggers/${triggerId}`]) {
      await visit(path);
      await page.getByText('Too warm').first().waitFor({ state: 'attached' });
      assert.equal(await page.getByText(/notifies nobody/).count(), 0, path);
    }
    assert.deepEqual(errors, []);
  });

  it('begins the ended ones of a filter with their totals', async () => {
    const { ids, triggerId } = await fire(named(30, 'Freezer'), { name: 'Too warm' });
    await fire(['Pond'], { name: 'Too high' }, 'cm');
    const end = ids.map((sensor_id) => ({ sensor_id, data: [{ value: 20 }] }));
    await create(user, '/sensors/data', { sensors: end });
    await platform.settle();
    const page = await open('/alerts?state=resolved');
    const totals = (text: RegExp) => page.getByText(text).waitFor();
    await totals(/^30 alerts of 1 trigger on 30 sensors · longest \d+\ss · median \d+\ss$/);
    await page.goto(`${platform.url}/console/alerts?state=all`);
    await totals(/^31 alerts of 2 triggers on 31 sensors · longest/);
    await page.goto(`${platform.url}/console/alerts?state=all&q=pond`);
    await totals(/^1 alert of 1 trigger on 1 sensor · longest \d+\s(s|min) · median/);
    await page.goto(`${platform.url}/console/alerts?trigger=${triggerId}&state=resolved&page=1`);
    await totals(/^30 alerts of 1 trigger/);
    assert.equal(await page.getByRole('columnheader', { name: 'Actions' }).count(), 0, 'they have none');
  });

  it('names each alert on which it failed, and mutes the others', async () => {
    const { ids, triggerId } = await fire(['Freezer', 'Fridge'], { name: 'Too warm' });
    const page = await open('/alerts');
    await page.getByRole('checkbox', { name: 'Select Too warm on Freezer' }).check();
    await page.getByRole('checkbox', { name: 'Select Too warm on Fridge' }).check();
    await page.getByRole('button', { name: 'Mute', exact: true }).click();
    await page.getByLabel('For').selectOption({ label: 'a day' });
    await page.route('**/firings/bulk', async (route) => {
      await user.api.delete(`/sensors/${ids[1]}/triggers/${triggerId}`);
      await route.continue();
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Mute' }).click();
    await page.getByRole('alert').getByText('It failed for 1 alert:').waitFor();
    await page
      .getByRole('alert')
      .getByText(/^Too warm on Fridge: /)
      .waitFor();
    await inspectConsole(page, 'alerts-failed');
    const { trigger } = (await user.api.get(`/sensors/${ids[0]}/triggers/${triggerId}`)).body;
    assert.ok(trigger.muted_until > Date.now() / 1000 + 80_000);
    await page.getByRole('cell', { name: 'warning muted' }).waitFor();
    await inspectConsole(page, 'alerts-muted');
    await page.goto(`${platform.url}/console/sensors/${ids[0]}`);
    await page.getByText(/^muted until /).waitFor();
    await page.goto(`${platform.url}/console/alerts`);
    await create(user, '/mutes', { mute: { name: 'Night', start: 1, end: trigger.muted_until + 3_600 } });
    await page.getByRole('button', { name: 'Unmute Too warm on Freezer' }).click();
    await page.getByRole('button', { name: 'Mute or resolve Too warm on Freezer' }).waitFor();
    await page.getByRole('link', { name: /^until / }).click();
    await page.getByRole('button', { name: 'Delete Night' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No mutes').waitFor();
    await page.getByRole('link', { name: 'Alerts' }).first().click();
    await page.getByRole('cell', { name: 'warning', exact: true }).waitFor();
    assert.equal((await user.api.get(`/sensors/${ids[0]}/triggers/${triggerId}`)).body.trigger.muted_until, null);
  });

  it('speaks German on the whole page', async () => {
    const { ids, triggerId } = await fire(['Gefrierschrank'], { name: 'Zu warm', severity: 'warning' });
    const muted_until = Math.floor(Date.now() / 1000) + 90_000;
    await user.api.put(`/sensors/${ids[0]}/triggers/${triggerId}`, { trigger: { muted_until } });
    const page = await open('/alerts?by=trigger', { locale: 'de-DE' });
    await page
      .getByRole('row', {
        name: /Warnung stumm Gefrierschrank bis .* 31,5 °C .* Warum\? vor /,
      })
      .waitFor();
    await page.getByRole('checkbox', { name: '1 Alarm', exact: true }).check();
    await page.getByRole('button', { name: 'Bestätigen', exact: true }).waitFor();
    await inspectConsole(page, 'alerts-german');
  });
});

describe('deliveries in the console', function () {
  this.timeout(120_000);
  before(ensureConsole);
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { DIGEST_AFTER: '2' } });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);
  const browser = useBrowser();

  it('shows a digest as one line that leads to its alerts, and narrows the list to a sensor', async () => {
    const sensors = Array.from({ length: 7 }, (_, at) => ({ name: `Freezer ${at + 1}` }));
    const notifications = [{ destination: receiver.url, text: 'now $sensor_data_value', digest: true }];
    const { sensorIds } = await buildAlarms(user, { sensors, trigger: { name: 'Too warm' }, notifications });
    const data = sensorIds.map((sensor_id) => ({ sensor_id, data: [{ value: 31 }] }));
    await create(user, '/sensors/data', { sensors: data });
    await platform.settle();
    clock.advance(60_000);
    await platform.settle();
    const page = await openConsole(browser, platform, user, '/deliveries');
    const errors = watchErrors(page);
    const rows = page.locator('tbody tr');
    await rows.nth(2).waitFor();
    assert.equal(await rows.count(), 3, 'what the digest holds has no rows of its own');
    const digest = page.getByRole('link', { name: '5 alerts', exact: true });
    await rows.filter({ has: digest }).getByText('Too warm on Freezer').waitFor();
    await inspectConsole(page, 'deliveries-digest');
    await page.getByLabel('Sensor', { exact: true }).selectOption({ label: 'Freezer 7' });
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.filter({ hasText: 'now 31' }).getByRole('link', { name: 'Too warm on Freezer 7' }).waitFor();
    await rows.getByRole('link').first().click();
    await page.getByRole('link', { name: '“Too warm”' }).waitFor();
    await page.getByText('Sent by', { exact: true }).waitFor();
    await page.goBack();
    await page.getByLabel('Sensor', { exact: true }).selectOption({ label: 'Any sensor' });
    await digest.click();
    await page.getByRole('heading', { name: '5 alerts', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Too warm on Freezer 7' }).waitFor();
    assert.equal(await page.getByText('Too warm on Freezer 7').count(), 1, 'each alert is listed once');
    await page.getByText('Sent', { exact: true }).click();
    await page.locator('pre').getByText('5+more+alerts').waitFor();
    await inspectConsole(page, 'delivery-digest');
    assert.deepEqual(errors, []);
  });
});

describe('two alerts of one trigger in the console', function () {
  this.timeout(120_000);
  before(ensureConsole);
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUserPerTest(platform);
  const browser = useBrowser();

  it('say which rule fired, as the API does, and how long the condition held', async () => {
    const rule = { expression: 'sensor_data_value > 30', hold: 60, inactivity: 60 };
    const { sensorIds } = await buildAlarms(user, {
      sensors: [{ name: 'Freezer' }],
      trigger: { name: 'Too warm', ...rule },
      notifications: [],
    });
    await upload(user, sensorIds[0] ?? '', { value: 31 });
    await platform.settle();
    // A second at a time: a longer pause without a heartbeat is an outage.
    for (let second = 1; second <= 125; second += 1) {
      clock.advance(1_000);
      await platform.container.heartbeat.beat();
      if (second % 60 === 1) await platform.settle();
    }
    const { firings } = (await user.api.get('/firings?state=firing')).body;
    assert.deepEqual(
      firings.map(({ reason, expression, inactivity, hold }: Record<string, unknown>) => ({
        ...{ reason, expression, inactivity, hold },
      })),
      [
        { reason: 'expression', expression: rule.expression, inactivity: null, hold: 60 },
        { reason: 'inactivity', expression: null, inactivity: 60, hold: 0 },
      ],
    );
    const page = await openConsole(browser, platform, user, '/alerts');
    const errors = watchErrors(page);
    const rows = page.locator('tbody tr');
    await rows.filter({ hasText: 'above 30' }).getByRole('link', { name: 'Too warm' }).waitFor();
    await rows.filter({ hasText: 'no data for 1 min' }).getByRole('link', { name: 'Too warm' }).waitFor();
    // The last value is no present one.
    await rows
      .filter({ hasText: 'no data for 1 min' })
      .getByText(/^since /)
      .waitFor();
    assert.equal(
      await rows
        .filter({ hasText: 'no data for 1 min' })
        .getByText(/fired at 31/)
        .count(),
      0,
    );
    await inspectConsole(page, 'alerts-rules');
    await rows.getByRole('link', { name: 'Too warm' }).first().click();
    await page.getByText(/^It fired: no data arrived \(.* ago\)\.$/).waitFor();
    await page.getByText('the condition was true, held for 1 min').nth(1).waitFor();
    await inspectConsole(page, 'why-hold');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.locator('.rows').getByText('no data for 1 min').waitFor();
    await page
      .locator('.rows')
      .getByText(/above\s30/)
      .waitFor();
    await inspectConsole(page, 'overview-rules');
    assert.deepEqual(errors, []);
  });
});
