import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

const DAY = 86_400;

describe('the first view of the console', function () {
  this.timeout(120_000);
  const platform = usePlatform();
  const user = useUser(platform);
  const open = useConsole(platform, user);
  let freezer = '';

  before(async () => {
    freezer = await buildSensor(user, { name: 'freezer', unit: '°C' });
    await connectTrigger(user, freezer, await buildTrigger(user, { name: 'too warm' }));
    const now = Math.floor(Date.now() / 1000);
    const data = Array.from({ length: 1_008 }, (_, back) => ({ date: now - back * 600, value: back === 0 ? 31 : 20 }));
    await upload(user, freezer, data);
    await platform.settle();
  });

  it('asks for alerts and failures together with the sensors', async () => {
    const page = await open('/account');
    const later = await hold(page, '**/sensors/find?*details=full*');
    const asked = ['/firings?', '/sensors/find?', '/notifications?'].map((path) =>
      page.waitForRequest((request) => request.url().includes(path) && !request.url().includes('per_page=1&')),
    );
    await page.goto(`${platform.url}/console/`);
    await Promise.all(asked);
    assert.equal(await page.locator('.summary').count(), 0, 'the sensors are not known yet');
    later();
    await page.locator('.rows').getByText('too warm').first().waitFor();
  });

  it('asks for the page of an address together with the session', async () => {
    const page = await open('/account');
    const later = await hold(page, '**/users/current');
    const script = page.waitForRequest(/assets\/chart-/);
    await page.goto(`${platform.url}/console/sensors/${freezer}`);
    await script;
    later();
    await page.locator('.legend > li').first().waitFor();
  });

  it('draws the chart of a sensor from its first answer, without all sensors of the user', async () => {
    const page = await open('/account');
    const asked: string[] = [];
    const failed: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('requestfailed', (request) => failed.push(request.url()));
    await page.goto(`${platform.url}/console/sensors/${freezer}?span=${7 * DAY}`);
    await page.locator('.legend > li').first().waitFor();
    await page.getByRole('list', { name: 'Alerts' }).getByText('too warm').waitFor();
    await page.waitForTimeout(500);
    const ofPoints = asked.filter((url) => /\/data\?start_date=/.test(url));
    assert.equal(new Set(ofPoints).size, ofPoints.length, 'no page of points is loaded twice');
    assert.deepEqual(
      failed.filter((url) => url.includes('/data?')),
      [],
    );
    const others = asked.filter((url) => /\/sensors\/find|\/triggers\?page|data\/stream/.test(url));
    assert.deepEqual(others, []);
  });
});

/** Holds back the answers for these addresses until the returned function is called. */
async function hold(page: Page, pattern: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
