import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

const HOUR = 3_600;

describe('the list of sensors in the console', function () {
  this.timeout(120_000);
  const platform = usePlatform();
  const user = useUser(platform);
  const open = useConsole(platform, user);
  const names = (page: Page) => page.locator('tbody a.strong').allTextContents();
  const begins = (page: Page, expected: readonly string[]) =>
    until(
      `it begins with ${expected[0]}`,
      async () => String((await names(page)).slice(0, expected.length)) === String(expected),
    );

  before(async () => {
    const trigger = await buildTrigger(user, { name: 'Too warm', expression: 'sensor_data_value > 30' });
    const now = Math.floor(Date.now() / 1000);
    for (const [name, value, age] of [
      ['a without a rule', 20, 1],
      ['b fine', 20, 1],
      ['c stopped', 20, 5 * HOUR],
      ['d too warm', 31, 1],
    ] as const) {
      const id = await buildSensor(user, { name, expected_interval: HOUR });
      if (!name.startsWith('a')) await connectTrigger(user, id, trigger);
      await upload(user, id, { value, date: now - age });
    }
    const door = await buildSensor(user, { name: 'e door', data_type: 'boolean', unit: 'closed/open' });
    const minutes = Array.from({ length: 20 * 60 }, (_, minute) => minute);
    await upload(
      user,
      door,
      minutes.map((minute) => ({ date: now - (minutes.length - minute) * 60, value: minute === 605 })),
    );
    await platform.settle();
  });

  it('begins with what fires, then no data, then the rest by name, before the triggers are loaded', async () => {
    const page = await open('/account');
    await page.route(/\/sensors\/triggers\?/, () => undefined);
    await page.goto(`${platform.url}/console/sensors`);
    const expected = ['d too warm', 'c stopped', 'b fine', 'a without a rule', 'e door'];
    await page.locator('tbody tr').nth(4).waitFor();
    assert.deepEqual(await names(page), expected);
    await page.unroute(/\/sensors\/triggers\?/);
    await page.reload();
    await page.locator('.corner', { hasText: 'Too warm' }).waitFor();
    assert.deepEqual(await names(page), expected);
  });

  it('keeps the order of the address', async () => {
    const page = await open('/sensors');
    await begins(page, ['d too warm']);
    await page.getByRole('button', { name: 'Sensor', exact: true }).click();
    await begins(page, ['a without a rule', 'b fine']);
    assert.equal(new URL(page.url()).searchParams.get('sort'), 'name');
    await page.reload();
    await begins(page, ['a without a rule', 'b fine']);
  });

  it('shows that a door was open for a minute', async () => {
    const page = await open('/sensors');
    const line = page.locator('tr', { hasText: 'e door' }).locator('.spark path').last();
    await line.waitFor();
    const heights = new Set(((await line.getAttribute('d')) ?? '').match(/(?<=V)[\d.]+/g));
    assert.deepEqual([...heights].sort(), ['2.0', '30.0']);
    await page.getByTitle(/^open in 1 of 4\d half hours$/).waitFor();
  });
});
