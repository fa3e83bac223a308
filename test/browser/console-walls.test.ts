import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, openConsole, watchErrors } from '../support/console';
import {
  buildDashboard,
  buildEnvironment,
  buildSensor,
  buildTrigger,
  connectTrigger,
  upload,
} from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { pngOf } from '../support/plan-pictures';
import { until } from '../support/until';

const WALL = { width: 1920, height: 1080 };
const PHONE = { width: 390, height: 844 };
const OUTLINE = '52.37 4.895,52.3702 4.895,52.3702 4.8954,52.37 4.8954';
const FREEZERS = {
  filter: { metatag_statement_groups: [[{ metatag_name: 'kind', operator: 'equal', value: 'freezer' }]] },
};

describe('a dashboard on a wall', function () {
  this.timeout(180_000);
  before(ensureConsole);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const browser = useBrowser();

  const open = (path: string, options = {}) => openConsole(browser, platform, user, path, options);
  const tag = async (sensor: string) =>
    assert.equal((await user.api.put(`/sensors/${sensor}/metatags`, { metatags: { kind: ['freezer'] } })).status, 200);
  const publish = async (id: string): Promise<string> =>
    (await user.api.post(`/dashboards/${id}/public`)).body.dashboard.public;
  const nameOf = (at: number) => `Freezer ${String(at).padStart(2, '0')}`;

  /** Freezers with a rule. Those that are named are too warm. */
  const buildFreezers = async (count: number, warm: readonly number[] = []) => {
    const trigger = await buildTrigger(user, {
      ...{ name: 'Too warm', severity: 'critical' },
      expression: 'sensor_data_value > -15',
    });
    const ids: string[] = [];
    for (let at = 1; at <= count; at += 1) {
      const sensor = await buildSensor(user, { name: nameOf(at), unit: '°C' });
      await tag(sensor);
      await connectTrigger(user, sensor, trigger);
      await upload(user, sensor, { value: warm.includes(at) ? -9.5 : -18 - at / 10 });
      ids.push(sensor);
    }
    await platform.settle();
    return ids;
  };
  const followed = (kind: string, place: object) => ({ kind, selector: FREEZERS, ...place });
  const rowsOf = (page: Page) => page.locator('.tile-state li');

  it('shows the worst of sixty sensors first, and all of them without scrolling', async () => {
    await buildFreezers(60, [37, 59]);
    const id = await buildDashboard(user, {
      name: 'Cold store',
      tiles: [
        followed('state', { x: 0, y: 0, w: 6, h: 8 }),
        followed('counts', { x: 6, y: 0, w: 6, h: 3 }),
        followed('state', { text: 'Small', x: 6, y: 3, w: 6, h: 2 }),
        followed('alerts', { x: 6, y: 5, w: 6, h: 3 }),
      ],
    });
    const token = await publish(id);
    for (const path of [`/dashboards/${id}?wall`, `/public/${token}?wall`]) {
      const page = await open(path, { viewport: WALL });
      const errors = watchErrors(page);
      await page.getByRole('button', { name: 'Leave full screen' }).waitFor();
      const large = page.locator('.tile-state').first().locator('li');
      await until('all are listed', async () => (await large.count()) === 60);
      const texts = await large.allTextContents();
      assert.deepEqual(
        texts.slice(0, 3).map((text) => text.slice(0, 10)),
        ['Freezer 37', 'Freezer 59', 'Freezer 01'],
      );
      assert.match(texts[0] ?? '', /critical/);
      for (const at of [0, 1, 59]) assert.ok(await isInside(large.nth(at), WALL), `${texts[at]} is on the screen`);
      const small = page.locator('.tile-state').nth(1);
      await small.getByText(/^\d+ more: 0 firing, 0 no data$/).waitFor();
      assert.match((await small.locator('li').first().textContent()) ?? '', /^Freezer 37/);
      const counts = await page.locator('.tile-counts li').allTextContents();
      assert.deepEqual(
        counts.map((text) => text.replace(/\s+/g, ' ').trim()),
        ['2 firing', '0 no data', '58 ok'],
      );
      const height = await page.locator('.board').evaluate((board) => board.getBoundingClientRect().bottom);
      assert.ok(height > 1_000 && height <= 1_080, `the board ends at ${height} px`);
      assert.equal((await page.getByRole('link').count()) > 0, path.startsWith('/dashboards'));
      await inspectConsole(page, `wall-${path.split('/')[1]}`);
      assert.deepEqual(errors, []);
      await page.close();
    }
  });

  it('shows a sensor that gets the metatag later, and leads from a count to the list', async () => {
    await buildFreezers(1);
    const later = await buildSensor(user, { name: 'Freezer late' });
    const id = await buildDashboard(user, {
      tiles: [followed('state', { x: 0, y: 0, w: 6, h: 5 }), followed('counts', { x: 6, y: 0, w: 6, h: 3 })],
    });
    const page = await open(`/dashboards/${id}`);
    await rowsOf(page).getByText('Freezer 01').waitFor();
    assert.equal(await page.getByText('Freezer late').count(), 0);
    await tag(later);
    await rowsOf(page).getByText('Freezer late').waitFor({ timeout: 25_000 });
    await page.locator('.tile-counts').getByRole('link', { name: /ok/ }).click();
    await page.getByRole('combobox', { name: 'Find sensors' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('q'), 'kind:freezer state:ok');
  });

  it('keeps the plots of charts with six lines high, and draws the limit of the rule', async () => {
    const ids = await buildFreezers(6);
    const now = Math.floor(Date.now() / 1_000);
    for (const [at, sensor] of ids.entries()) {
      const data = Array.from({ length: 48 }, (_, hour) => ({
        date: now - hour * 1_700,
        value: -17 - at + Math.sin(hour),
      }));
      await upload(user, sensor, data);
    }
    const id = await buildDashboard(user, {
      name: 'Charts',
      tiles: [{ kind: 'chart', sensors: ids, x: 0, y: 0, w: 6, h: 5 }, followed('chart', { x: 6, y: 0, w: 6, h: 5 })],
    });
    const token = await publish(id);
    for (const path of [`/dashboards/${id}`, `/public/${token}`, `/public/${token}?wall`]) {
      for (const viewport of [PHONE, { width: 1280, height: 800 }, WALL]) {
        const page = await open(path, { viewport });
        const heights = () =>
          page.locator('.u-over').evaluateAll((plots) => plots.map((plot) => plot.getBoundingClientRect().height));
        const what = `${path} at ${viewport.width} px`;
        await until(`both charts are drawn, ${what}`, async () => (await heights()).length === 2);
        await until(`the plots are high, ${what}`, async () => Math.min(...(await heights())) >= 120);
        for (const tile of await page.locator('.tile-chart').all()) {
          const plot = await tile.locator('.u-over').evaluate((one) => one.getBoundingClientRect().bottom);
          const end = await tile.evaluate((one) => one.getBoundingClientRect().bottom);
          assert.ok(plot <= end, `the plot ends inside of its tile, ${what}`);
        }
        if (viewport === WALL)
          await inspectConsole(page, `wall-charts-${path.replace(/\W+|\d{3,}/g, '-').slice(0, 12)}`);
        await page.close();
      }
    }
  });

  it('shows a value in red, with a word, while its rule fires', async () => {
    const [warm = '', cold = ''] = await buildFreezers(2, [1]);
    const place = { y: 0, w: 3, h: 4 };
    const id = await buildDashboard(user, {
      name: 'Values',
      tiles: [
        { kind: 'value', sensors: [warm], x: 0, ...place },
        { kind: 'value', sensors: [cold], x: 3, ...place },
      ],
    });
    const page = await open(`/dashboards/${id}`);
    const [red, plain] = [page.locator('.tile-value').first(), page.locator('.tile-value').nth(1)];
    await red.getByText('critical').waitFor();
    await plain.getByText('−18.2 °C').waitFor();
    assert.equal(await plain.getByText('critical').count(), 0);
    const colourOf = (tile: typeof red) => tile.evaluate((one) => getComputedStyle(one).backgroundColor);
    assert.notEqual(await colourOf(red), await colourOf(plain));
    await inspectConsole(page, 'wall-values');
  });

  it('has tiles by search from the form, and its limits are said before they are reached', async () => {
    await buildFreezers(9);
    const oven = await buildSensor(user, { name: 'Oven' });
    await user.api.put(`/sensors/${oven}/metatags`, { metatags: { kind: ['oven'] } });
    const id = await buildDashboard(user, { name: 'Empty' });
    const page = await open(`/dashboards/${id}?edit=1`);
    await page.getByRole('button', { name: 'Add tile' }).click();
    const dialog = page.getByRole('dialog', { name: 'New tile' });
    await dialog.getByText('Sensors, at most 6').waitFor();
    const why = dialog.getByText('Tick at least one sensor: a search alone chooses none.');
    await why.waitFor();
    for (const at of [1, 2, 3, 4, 5, 6]) await dialog.getByLabel(nameOf(at)).check();
    assert.equal(await why.count(), 0);
    assert.ok(await dialog.getByLabel(nameOf(7)).isDisabled());
    await dialog.getByLabel(nameOf(6)).uncheck();
    assert.ok(await dialog.getByLabel(nameOf(7)).isEnabled());
    await dialog.getByRole('combobox', { name: 'Find sensors' }).fill('kind:freezer');
    await dialog.getByText('9 of 10 sensors').waitFor();
    assert.equal(await dialog.getByText(/^Choose all/).count(), 0, 'they are too many for a chart');
    await dialog.getByRole('button', { name: 'State' }).click();
    await dialog.getByRole('button', { name: 'By search' }).click();
    await dialog.getByRole('combobox', { name: 'Find sensors' }).fill('oven');
    await dialog.getByText('follows only metatags').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Add' }).isDisabled());
    await dialog.getByRole('combobox', { name: 'Find sensors' }).fill('kind:freezer');
    await dialog.getByText('9 of your sensors match.').waitFor();
    await inspectConsole(page, 'wall-tile-form');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('heading', { name: 'kind:freezer' }).waitFor();
    await page.getByRole('button', { name: 'Add tile' }).click();
    await dialog.getByText('9 of your sensors match.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await rowsOf(page).getByText('Freezer 01').waitFor();
    await page.getByText(/^\d more: 0 firing, 0 no data$/).waitFor();
    const [tile] = (await user.api.get(`/dashboards/${id}`)).body.dashboard.tiles;
    assert.deepEqual([tile.kind, tile.sensors, tile.selector], ['state', [], { ...FREEZERS, namespace: 'default' }]);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: /^Edit State/ }).click();
    const again = page.getByRole('dialog', { name: 'Edit tile' });
    await again.getByText('9 of your sensors match.').waitFor();
    assert.equal(await again.getByRole('combobox', { name: 'Find sensors' }).inputValue(), 'kind:freezer');
  });

  it('shows the plan of an environment, with its picture, values and states', async () => {
    const [warm = '', cold = ''] = await buildFreezers(2, [1]);
    const environment = await buildEnvironment(user, { name: 'Store', gps_outline: OUTLINE });
    const floor_plan = { image: pngOf(400, 300, { drawn: true }).toString('base64'), width: 20 };
    await user.api.put(`/environments/${environment}/floor_plan`, { floor_plan });
    await user.api.post(`/environments/${environment}/sensors`, { sensors: [{ id: warm }, { id: cold }] });
    const positions = [
      { sensor_id: warm, position: '52.37005 4.8951' },
      { sensor_id: cold, position: '52.37015 4.8953' },
    ];
    await user.api.put(`/environments/${environment}/positions`, { positions });
    const id = await buildDashboard(user, { name: 'Plans' });
    const page = await open(`/dashboards/${id}?edit=1`);
    await page.getByRole('button', { name: 'Add tile' }).click();
    const dialog = page.getByRole('dialog', { name: 'New tile' });
    await dialog.getByRole('button', { name: 'Plan' }).click();
    await dialog.getByLabel('Environment').selectOption('Store');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.marker').first().waitFor();
    const token = await publish(id);
    for (const path of [`/dashboards/${id}`, `/public/${token}?wall`]) {
      const shown = await open(path, { viewport: WALL });
      const errors = watchErrors(shown);
      await shown.locator('.marker.is-critical').getByText('−9.5 °C').waitFor();
      await shown.locator('.marker.is-critical').getByText('critical').waitFor();
      assert.equal(await shown.locator('.marker').count(), 2);
      const address = await shown.locator('.floor-plan').getAttribute('href');
      assert.equal((await shown.request.get(new URL(address ?? '', shown.url()).href)).status(), 200);
      const tile = (await shown.locator('.tile-plan').boundingBox()) ?? assert.fail('it is shown');
      for (const marker of await shown.locator('.marker').all()) {
        const box = (await marker.boundingBox()) ?? assert.fail('it is shown');
        assert.ok(box.y >= tile.y && box.y + box.height <= tile.y + tile.height, 'the marker is inside of its tile');
      }
      await inspectConsole(shown, `wall-plan-${path.split('/')[1]}`);
      assert.deepEqual(errors, []);
      await shown.close();
    }
  });

  it('has an address for the wall next to its public link', async () => {
    await buildFreezers(1);
    const id = await buildDashboard(user, { tiles: [followed('state', { x: 0, y: 0, w: 6, h: 4 })] });
    const token = await publish(id);
    const page = await open(`/dashboards/${id}`);
    await page.getByRole('button', { name: 'Public link' }).click();
    const links = page.getByRole('dialog').getByRole('link');
    const found = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    assert.deepEqual(
      found.map((link) => link?.replace(/^.*\/console/, '')),
      [`/public/${token}`, `/public/${token}?wall`],
    );
    await inspectConsole(page, 'wall-share');
  });
});

async function isInside(row: ReturnType<Page['locator']>, { width, height }: typeof WALL): Promise<boolean> {
  const box = await row.boundingBox();
  return box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
}
