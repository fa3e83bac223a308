import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inspectConsole, useConsole } from '../support/console';
import { buildNotification, buildSensor, buildTrigger, connectTrigger, create, upload } from '../support/factories';
import { usePlatform, useReceiver, useUser } from '../support/hooks';
import { until } from '../support/until';

/** What a finger hits. */
const LEAST_PX = 40;

describe('the console on a phone', function () {
  this.timeout(120_000);
  const platform = usePlatform();
  const user = useUser(platform);
  const receiver = useReceiver();
  const open = useConsole(platform, user, { viewport: { width: 390, height: 844 } });
  const head = (page: Page) => page.locator('.head > .actions');
  /** The boxes of the visible buttons: those within the line that is shown. */
  const boxes = async (page: Page) => {
    const { y: top = 0, height: room = 0 } = (await head(page).boundingBox()) ?? {};
    const all = await head(page).locator('.button').all();
    const found = await Promise.all(all.map((one) => one.boundingBox()));
    return found.filter((box) => box !== null).filter(({ y }) => y < top + room - 1);
  };

  let paths: string[];
  before(async () => {
    const trigger = await buildTrigger(user, { name: 'Too warm', expression: 'sensor_data_value > 30' });
    const sensor = await buildSensor(user, { name: 'Freezer' });
    await connectTrigger(user, sensor, trigger);
    await upload(user, sensor, { value: 31 });
    await platform.settle();
    const notification = await buildNotification(user, { type: 'url', destination: receiver.url });
    const tiles = [{ kind: 'counts', sensors: [], text: 'All', x: 0, y: 0, w: 4, h: 3 }];
    const { dashboard } = await create(user, '/dashboards', { dashboard: { name: 'Cold store', tiles } });
    paths = ['/', '/sensors', `/sensors/${sensor}`, '/alerts', `/dashboards/${dashboard.id}`, '/report'];
    paths.push(`/sensors/${sensor}/triggers/${trigger}`, `/notifications/${notification}`, '/mutes', '/deliveries');
  });

  for (const locale of ['en-GB', 'de-DE']) {
    it(`has the buttons of a page in one line, each large enough for a finger (${locale})`, async () => {
      const page = await open('/account', { locale });
      for (const path of paths) {
        await page.goto(`${platform.url}/console${path}`);
        await head(page).locator('.button').first().waitFor();
        await until('it is loaded', async () => (await page.locator('.loading').count()) === 0);
        const found = await boxes(page);
        const lines = new Set(found.map(({ y }) => Math.round(y)));
        assert.equal(lines.size, 1, `${path}: ${JSON.stringify(found)}`);
        for (const { height, width } of found) assert.ok(height >= LEAST_PX && width >= LEAST_PX, path);
        const menu = await page.locator('.top .button').boundingBox();
        assert.ok((menu?.height ?? 0) >= LEAST_PX);
      }
    });
  }

  const narrow = { viewport: { width: 360, height: 740 } };

  it('shows the main button first, and opens the others', async () => {
    const page = await open(paths[4] ?? '', narrow);
    const edit = page.getByRole('button', { name: 'Edit', exact: true });
    await edit.waitFor();
    const [first] = (await boxes(page)).sort((a, b) => a.x - b.x);
    assert.equal((await edit.boundingBox())?.x, first?.x);
    const more = page.getByRole('button', { name: 'More', exact: true });
    const before = (await boxes(page)).length;
    const content = async () => (await page.locator('.page > :nth-child(2)').boundingBox())?.y;
    const placed = await content();
    await more.click();
    assert.equal(await more.getAttribute('aria-expanded'), 'true');
    assert.equal(await content(), placed, 'the content moves');
    assert.equal((await boxes(page)).length, 5, `${before} before`);
    assert.ok(before < 5);
    await inspectConsole(page, 'phone-actions');
    await page.setViewportSize(narrow.viewport);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor();
  });

  it('shows what the keyboard reaches', async () => {
    const page = await open(paths[4] ?? '', narrow);
    const remove = page.getByRole('button', { name: 'Delete' });
    await remove.waitFor();
    const isSeen = async () => {
      const box = await remove.boundingBox();
      return (await boxes(page)).some(({ x, y }) => x === box?.x && y === box?.y);
    };
    assert.equal(await isSeen(), false);
    await page.getByRole('button', { name: 'Share' }).focus();
    await page.keyboard.press('Tab');
    assert.equal(await isSeen(), true);
  });
});
