import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inspectConsole, useConsole, watchErrors } from '../support/console';
import { buildSensor, buildTrigger, connectTrigger, create, upload } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { until } from '../support/until';

const now = () => Math.floor(Date.now() / 1000);
/** Texts as they are read, whatever the spaces are. */
const textOf = async (page: Page, selector: string) =>
  (await page.locator(selector).allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());

/** The same, with a space between the parts of each. */
const partsOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((all) => all.map((one) => [...one.children].map((part) => part.textContent).join(' ')))
    .then((texts) => texts.map((text) => text.replace(/\s+/g, ' ').trim()));

describe('many alerts at once in the console', function () {
  this.timeout(180_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const open = useConsole(platform, user);

  /** Alerts of a trigger on sensors with these values. */
  const fire = async (trigger: Record<string, unknown>, values: readonly number[], name: string) => {
    const triggerId = await buildTrigger(user, trigger);
    const sensors: { sensor_id: string; data: { value: number }[] }[] = [];
    for (const [at, value] of values.entries()) {
      const sensor_id = await buildSensor(user, { name: `${name} ${at + 1}`, unit: '°C' });
      await connectTrigger(user, sensor_id, triggerId);
      sensors.push({ sensor_id, data: [{ value }] });
    }
    await create(user, '/sensors/data', { sensors });
    await platform.settle();
    return triggerId;
  };

  it('are grouped by their rules, the most urgent first, with the worst value in front', async () => {
    await fire(
      { name: 'Room too cold', severity: 'warning', expression: 'sensor_data_value < 15' },
      [...many(29, 14), 9],
      'Room',
    );
    const values = [-12, -3.5, ...many(10, -14)];
    const critical = { name: 'Freezer too warm', severity: 'critical', expression: 'sensor_data_value > -15' };
    await fire(critical, values, 'Freezer');
    const page = await open('/alerts');
    const errors = watchErrors(page);
    await page.locator('.alert-group').nth(1).waitFor();
    assert.deepEqual(await partsOf(page, '.alert-group > summary'), [
      'Freezer too warm critical 12 alerts · above −15 °C · worst −3.5 °C on Freezer 2 notifies nobody',
      'Room too cold warning 30 alerts · below 15 °C · worst 9 °C on Room 30 notifies nobody',
    ]);
    assert.equal(
      await page.locator('.alert-group').nth(1).getAttribute('open'),
      null,
      'the long second group is folded',
    );
    assert.equal(await page.locator('.alert-group tbody tr').count(), 12);
    assert.deepEqual((await textOf(page, '.alert-group tbody a.strong')).slice(0, 2), ['Freezer 2', 'Freezer 1']);
    assert.equal(await page.locator('main .button.primary').count(), 0);
    await inspectConsole(page, 'alerts-by-rule');
    await page.getByRole('checkbox', { name: 'Select all 42 alerts' }).check();
    assert.equal(await page.locator('main .button.primary').count(), 1);
    await page.getByRole('checkbox', { name: '42 of 42 selected' }).uncheck();
    await page.getByRole('checkbox', { name: 'Select Freezer too warm on Freezer 2' }).check();
    await page.getByRole('button', { name: 'Acknowledge', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('1 alert acknowledged.').waitFor();
    await page.getByText(/12 alerts · 11 not acknowledged/).waitFor();
    await page.getByRole('button', { name: 'Not acknowledged' }).click();
    await page.getByText(/^11 alerts · above −15\s°C · worst −12\s°C on Freezer 1/).waitFor();
    await page.getByLabel('Fired', { exact: true }).selectOption('Last 24 hours');
    await page.waitForURL(/state=unacknowledged.*span=86400/);
    await page.getByRole('button', { name: 'Resolved', exact: true }).click();
    await page.getByLabel('Fired', { exact: true }).selectOption('From … to …');
    await page.waitForURL(/from=\d+&to=\d+/);
    await page.getByText('Nothing found').waitFor();
    await page.goto(`${platform.url}/console/`);
    await page.getByRole('link', { name: '42 sensors', exact: true }).waitFor();
    await page.getByText('alerts on 42 sensors').waitFor();
    await page.locator('.rows li').filter({ hasText: 'Freezer too warm' }).getByText('12 alerts').waitFor();
    await inspectConsole(page, 'overview-many-alerts');
    assert.deepEqual(errors, []);
  });

  it('are found on a phone, whose filters open on request', async () => {
    await fire({ name: 'Too warm', expression: 'sensor_data_value > 30' }, [31, 32], 'Attic');
    const page = await open('/alerts', { viewport: { width: 390, height: 844 } });
    const row = page.getByRole('row', { name: /Attic 1/ });
    await row.waitFor();
    const { y = 1_000 } = (await row.boundingBox()) ?? {};
    assert.ok(y < 500, `the first alert begins at ${y} px`);
    await page.getByRole('button', { name: /^Menu/ }).getByText('2').waitFor();
    assert.equal(await page.getByLabel('Severity').isVisible(), false);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Severity').selectOption('info');
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
  });
});

describe('numbers in the console', function () {
  this.timeout(120_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const open = useConsole(platform, user);

  it('have prefixes and scales that fit, and words for true and false', async () => {
    const disk = await buildSensor(user, { name: 'disk', unit: 'B' });
    const count = await buildSensor(user, { name: 'count' });
    const door = await buildSensor(user, { name: 'door', data_type: 'boolean', unit: 'closed/open' });
    const dates = Array.from({ length: 60 }, (_, at) => now() - 3_600 + at * 60);
    await upload(
      user,
      disk,
      dates.map((date, at) => ({ date, value: 8_864_197_523 + at * 4_000_000 })),
    );
    await upload(
      user,
      count,
      dates.map((date, at) => ({ date, value: 123_456_789.25 + at })),
    );
    await upload(
      user,
      door,
      dates.map((date, at) => ({ date, value: at % 20 < 10 })),
    );
    const page = await open(`/sensors/${disk}`);
    const errors = watchErrors(page);
    await page.locator('.big-value').filter({ hasText: '8.475 GiB' }).waitFor();
    await page.getByText(/min 8\.255 · mean 8\.365 · max 8\.475\sGiB/).waitFor();
    await page.goto(`${platform.url}/console/sensors/${count}`);
    await page.locator('.big-value').filter({ hasText: '123,456,848' }).waitFor();
    await page.locator('.u-over').waitFor();
    const plot = page.locator('.u-over');
    const gutter = () => plot.evaluate((over) => Number.parseFloat(getComputedStyle(over).left));
    await until('the scale has room for its numbers', async () => (await gutter()) >= 56);
    await inspectConsole(page, 'sensor-large-numbers');
    await page.goto(`${platform.url}/console/sensors/${door}`);
    await page.locator('.big-value').filter({ hasText: 'closed' }).waitFor();
    await page.locator('.band-row').getByTitle('open').first().waitFor();
    await page.goto(`${platform.url}/console/sensors`);
    await page.getByRole('row', { name: /disk.*8\.475\sGiB/ }).waitFor();
    await page.getByRole('row', { name: /door.*closed/ }).waitFor();
    assert.match(
      (await page.locator('tr').filter({ hasText: 'door' }).locator('.spark path').last().getAttribute('d')) ?? '',
      /H.*V/,
    );
    await inspectConsole(page, 'sensors-quantities');
    assert.deepEqual(errors, []);
  });

  it('of many fields say which are shown, and others can be chosen', async () => {
    const id = await buildSensor(user, { name: 'station', data_type: 'json' });
    const value = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field${at + 1}`, at]));
    await upload(user, id, [
      { date: now() - 60, value },
      { date: now() - 30, value },
    ]);
    const page = await open(`/sensors/${id}`);
    await page.getByText('6 of 50 fields').waitFor();
    await page.getByRole('button', { name: 'Choose fields' }).click();
    await page.getByText('At most 12 fields are shown; 6 are chosen.').waitFor();
    await page.getByLabel('field1', { exact: true }).uncheck();
    await page.getByLabel('field50', { exact: true }).check();
    await inspectConsole(page, 'choose-fields');
    await page.getByRole('dialog').getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/fields=field2.*field50/);
    await page.locator('.legend').getByText('field50', { exact: true }).waitFor();
    assert.equal(await page.locator('.legend').getByText('field1', { exact: true }).count(), 0);
    await page.reload();
    await page.locator('.legend').getByText('field50', { exact: true }).waitFor();
  });

  it('in a zoomed chart come back with Back, and with a double click', async () => {
    const id = await buildSensor(user, { name: 'attic' });
    await upload(
      user,
      id,
      Array.from({ length: 60 }, (_, at) => ({ date: now() - 3_600 + at * 60, value: at })),
    );
    const page = await open(`/sensors/${id}`);
    await page.locator('.u-over').waitFor();
    const begun = page.url();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.waitForURL(/from=/);
    await page.goBack();
    await page.waitForURL(begun);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.waitForURL(/from=/);
    await page.locator('.u-over').dblclick();
    await page.waitForURL(begun);
  });
});

function many(count: number, value: number): number[] {
  return Array.from({ length: count }, () => value);
}
