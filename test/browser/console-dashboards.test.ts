import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { buildAlarm } from '../support/alarm';
import { useBrowser } from '../support/browser';
import { ensureConsole, GERMAN, inspectConsole, openConsole, watchErrors } from '../support/console';
import { buildDashboard, buildSensor, chartOf } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { until } from '../support/until';

const HOUR = 3_600;

describe('dashboards in the console', function () {
  this.timeout(120_000);
  before(ensureConsole);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const browser = useBrowser();

  const open = (path: string, options = {}) => openConsole(browser, platform, user, path, options);
  const dashboards = async () => (await user.api.get('/dashboards')).body.dashboards;
  const placesOf = (tiles: Record<string, unknown>[]) =>
    tiles.map(({ kind, x, y, w, h }) => [kind, x, y, w, h].join(' '));

  const upload = async (sensor: string, valueAt: (minutes: number) => unknown) => {
    const now = Math.floor(Date.now() / 1_000);
    const data = Array.from({ length: 288 }, (_, at) => ({ date: now - at * 300, value: valueAt(at) }));
    assert.equal((await user.api.post(`/sensors/${sensor}/data`, { data })).status, 201);
  };

  /** A dashboard with a tile of each kind, and one whose sensor is gone. */
  const buildWall = async () => {
    const { sensorId: freezer } = await buildAlarm(user, {
      sensor: { name: 'Freezer 7' },
      trigger: { name: 'Freezer too warm', severity: 'critical', expression: 'sensor_data_value > -10' },
      notifications: [],
    });
    const roof = await buildSensor(user, { name: 'Roof' });
    await platform.query('UPDATE sensors SET unit = ? WHERE id = ?', ['°C', freezer]);
    const units = '{"temperature":"°C","humidity":"%"}';
    await platform.query('UPDATE sensors SET field_units = ? WHERE id = ?', [units, roof]);
    await upload(freezer, (at) => Math.round((-18 + Math.sin(at / 20)) * 100) / 100);
    await upload(roof, (at) => ({ temperature: 12 + 4 * Math.sin(at / 40), humidity: 60 + 10 * Math.cos(at / 30) }));
    await user.api.post(`/sensors/${freezer}/data`, { value: -9.5 });
    await platform.settle();
    const gone = await buildSensor(user);
    const id = await buildDashboard(user, {
      name: 'Cold store',
      tiles: [
        { kind: 'value', sensors: [freezer], x: 0, y: 0, w: 3, h: 4 },
        { kind: 'value', sensors: [roof], fields: ['temperature'], text: 'Outside', x: 3, y: 0, w: 3, h: 4 },
        { kind: 'alerts', x: 6, y: 0, w: 6, h: 4 },
        chartOf(freezer, { y: 4, w: 8, h: 6 }),
        { kind: 'state', sensors: [freezer, roof, gone], x: 8, y: 4, w: 4, h: 3 },
        { kind: 'note', text: 'On call: 0123 456\nKeys are with the porter.', x: 8, y: 7, w: 4, h: 3 },
        chartOf(roof, { fields: ['temperature', 'humidity'], text: 'Weather', y: 10, w: 6, h: 6 }),
        chartOf(gone, { x: 6, y: 10, w: 6, h: 6 }),
      ],
    });
    await user.api.delete(`/sensors/${gone}`);
    return { id, freezer };
  };

  const publish = async (id: string): Promise<string> =>
    (await user.api.post(`/dashboards/${id}/public`)).body.dashboard.public;

  it('are made, filled and arranged by keyboard', async () => {
    await buildSensor(user, { name: 'Freezer 7' });
    const page = await open('/dashboards');
    const errors = watchErrors(page);
    await page.getByRole('heading', { name: 'No dashboards yet' }).waitFor();
    await inspectConsole(page, 'dashboards-none');
    await page.getByRole('button', { name: 'New dashboard' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Cold store');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Edit Cold store' }).waitFor();
    await addTile(page, 'Chart', async (dialog) => dialog.getByLabel('Freezer 7').check());
    await addTile(page, 'Note', async (dialog) => dialog.getByLabel('Text').fill('Keys are with the porter.'));
    const chart = page.locator('.tile-chart');
    await chart.getByText('Chart: shown once you save').waitFor();
    await chart.getByRole('heading', { name: 'Freezer 7' }).waitFor();
    const handle = page.getByRole('button', { name: /^Move Note/ });
    await handle.focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('status').getByText('column 6, row 1, 3 wide, 2 high').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('status').getByText('column 6, row 6,').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByRole('status').getByText('column 6, row 1,').waitFor();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByRole('status').getByText('column 6, row 1, 4 wide, 3 high').waitFor();
    assert.deepEqual(await dashboards().then(([one]) => one.tiles), [], 'nothing is stored yet');
    await inspectConsole(page, 'dashboard-edited');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Cold store', exact: true }).waitFor();
    await page.getByText('No data in this period').waitFor();
    const [{ tiles }] = await dashboards();
    assert.deepEqual(placesOf(tiles), ['note 5 0 4 3', 'chart 0 3 6 5']);
    await page.getByRole('link', { name: '← Dashboards' }).click();
    await page.getByText('2 tiles').waitFor();
    await inspectConsole(page, 'dashboards');
    assert.deepEqual(errors, []);
  });

  it('are arranged by mouse, and refuse to overwrite the change of another window', async () => {
    const { id } = await buildWall();
    const page = await open(`/dashboards/${id}?edit=1`);
    const handle = page.getByRole('button', { name: /^Move Alerts/ });
    const box = (await handle.boundingBox()) ?? assert.fail('it is shown');
    await page.mouse.move(box.x + 20, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x - 80, box.y + 10, { steps: 4 });
    await page.mouse.move(box.x - 700, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('status').getByText('Alerts: column 1, row 1').waitFor();
    await user.api.put(`/dashboards/${id}`, { dashboard: { name: 'Changed' } });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('changed since you read it').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Changed' }).waitFor();
    assert.equal((await dashboards())[0].tiles[0].kind, 'value');
  });

  it('are arranged on a phone, tile by tile', async () => {
    const { id } = await buildWall();
    const page = await open(`/dashboards/${id}?edit=1`, { viewport: { width: 360, height: 800 }, hasTouch: true });
    await page.getByRole('button', { name: 'Up: Alerts' }).tap();
    await page.getByRole('button', { name: 'Up: Alerts' }).tap();
    await page.getByRole('status').getByText('Alerts: column 1, row 1').waitFor();
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByRole('heading', { name: 'Cold store', exact: true }).waitFor();
    assert.deepEqual(
      placesOf((await dashboards())[0].tiles)
        .slice(0, 3)
        .map((place) => place.split(' ')[0]),
      ['alerts', 'value', 'value'],
    );
  });

  it('show each kind of tile, follow new points, and fill a wall', async () => {
    const { id, freezer } = await buildWall();
    const page = await open(`/dashboards/${id}`);
    const errors = watchErrors(page);
    await page.getByText('−9.5', { exact: false }).first().waitFor();
    await page.getByText('Freezer too warm').waitFor();
    await page.locator('.tile-state').getByText('critical', { exact: true }).waitFor();
    await page.getByText('1 sensor is not available').waitFor();
    await page
      .getByRole('img', { name: /^Weather|temperature/ })
      .first()
      .waitFor();
    await inspectConsole(page, 'dashboard');
    await user.api.post(`/sensors/${freezer}/data`, { value: -21.75 });
    await page.getByText('−21.75').first().waitFor({ timeout: 8_000 });
    await page.getByRole('button', { name: 'Full screen' }).click();
    await page.getByRole('button', { name: 'Leave full screen' }).waitFor();
    await inspectConsole(page, 'dashboard-wall');
    await page.context().setOffline(true);
    await page.getByText('offline', { exact: true }).waitFor();
    await page
      .getByText(/^as of/)
      .first()
      .waitFor();
    await page.context().setOffline(false);
    await page.getByText('offline', { exact: true }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    assert.deepEqual(errors, []);
  });

  it('show the last value of a sensor without data in the range, and its age', async () => {
    const freezer = await buildSensor(user, { name: 'Freezer 7', unit: '°C' });
    const date = Math.floor(Date.now() / 1_000) - 3 * 86_400;
    await user.api.post(`/sensors/${freezer}/data`, { data: [{ date, value: -18.25 }] });
    const id = await buildDashboard(user, {
      name: 'Cold store',
      tiles: [
        { kind: 'value', sensors: [freezer], range: HOUR, x: 0, y: 0, w: 3, h: 3 },
        chartOf(freezer, { range: HOUR, x: 3, y: 0, w: 6, h: 5 }),
      ],
    });
    for (const path of [`/dashboards/${id}`, `/public/${await publish(id)}`]) {
      const page = await open(path);
      const value = page.locator('.tile-value');
      await value.getByText('−18.25 °C').waitFor();
      await value.getByText('no data for 3 d').waitFor();
      await page.locator('.tile-chart').getByText('Freezer 7: −18.25 °C, 3 days ago').waitFor();
      await inspectConsole(page, `dashboard-no-data-${path.split('/')[1]}`);
    }
  });

  it('have scales on a wall that can be read from a distance', async () => {
    const { id } = await buildWall();
    const page = await open('/dashboards', { viewport: { width: 1920, height: 1080 } });
    await page.addInitScript(RECORD_FONTS);
    await page.goto(`${platform.url}/console/dashboards/${id}`);
    const sizes = () => page.evaluate<number[]>(SIZES_OF_TEXT);
    await until('the charts are drawn', async () => (await sizes()).length > 0);
    const isReadable = async () => (await sizes()).length > 0 && Math.min(...(await sizes())) >= 18;
    await page.getByRole('button', { name: 'Full screen' }).click();
    await until('all text on scales is large', isReadable);
    await page.getByRole('button', { name: 'Dark' }).click();
    await until('it is large in the other theme', isReadable);
    await inspectConsole(page, 'dashboard-wall-dark');
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.getByRole('button', { name: 'Leave full screen' }).click();
    await until('it is small again', async () => (await sizes()).length > 0 && Math.max(...(await sizes())) < 16);
  });

  it('show a whole value in a small tile, and scroll a long note by the keyboard', async () => {
    const freezer = await buildSensor(user, { name: 'Freezer 7', unit: '°C' });
    await upload(freezer, () => -18.25);
    const text = Array.from({ length: 12 }, (_, line) => `Line ${line}`).join('\n');
    const id = await buildDashboard(user, {
      name: 'Cold store',
      tiles: [
        { kind: 'value', sensors: [freezer], x: 0, y: 0, w: 3, h: 3 },
        { kind: 'note', text, x: 3, y: 0, w: 3, h: 3 },
      ],
    });
    const page = await open(`/public/${await publish(id)}`, { viewport: { width: 1920, height: 1080 } });
    await page.getByText('−18.25').first().waitFor();
    const [value, note] = [page.locator('.tile-value'), page.locator('.tile-note')];
    assert.equal(await value.evaluate(hiddenHeight), 0);
    assert.ok((await note.evaluate(hiddenHeight)) > 0);
    await note.focus();
    await page.keyboard.press('End');
    await until('the note scrolls', () => note.evaluate(({ scrollTop }) => scrollTop > 0));
  });

  it('are opened by a public link without cookies, until it ends', async () => {
    const { id } = await buildWall();
    const page = await open(`/dashboards/${id}`);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Create a public link' }).click();
    const link = (await page.getByRole('dialog').getByRole('link').first().getAttribute('href')) ?? '';
    assert.match(link, /\/console\/public\/[0-9A-Za-z]{43}$/);
    await inspectConsole(page, 'dashboard-shared');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Public link' }).click();
    const reader = await browser.open({ javaScriptEnabled: true, locale: 'en-GB' });
    const asked: string[] = [];
    reader.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    const errors = watchErrors(reader);
    const answer = await reader.goto(link);
    assert.deepEqual(
      [answer?.headers()['referrer-policy'], answer?.headers()['x-robots-tag']],
      ['no-referrer', 'noindex'],
    );
    await reader.getByRole('heading', { name: 'Cold store' }).waitFor();
    await reader.getByText('−9.5').first().waitFor();
    await reader.getByText('Freezer too warm').waitFor();
    await inspectConsole(reader, 'public');
    assert.equal(await reader.getByRole('link').count(), 0, 'nothing leads into the console');
    const token = link.split('/').pop();
    const ways = new Set(asked.map((one) => one.replace(/\/assets\/.*/, '/assets')));
    const expected = [
      'GET /console/assets',
      `GET /console/public/${token}`,
      `GET /public/${token}`,
      `GET /public/${token}/data`,
    ];
    assert.deepEqual([...ways].filter((one) => !/icon|manifest/.test(one)).sort(), expected.sort());
    assert.deepEqual(await reader.context().cookies(), []);
    await page.getByRole('button', { name: 'End the link' }).click();
    await page.getByRole('dialog', { name: 'End the link?' }).getByRole('button', { name: 'End the link' }).click();
    await page.getByRole('button', { name: 'Create a public link' }).waitFor();
    await reader.getByRole('heading', { name: 'This dashboard is not available' }).waitFor({ timeout: 20_000 });
    assert.equal(await reader.getByText('Freezer').count(), 0, 'nothing of it stays on the screen');
    await inspectConsole(reader, 'public-gone');
    assert.deepEqual(errors, []);
  });

  it('get a chart or a value from the page of a sensor', async () => {
    const sensor = await buildSensor(user, { name: 'Freezer 7' });
    await upload(sensor, (at) => at % 10);
    const page = await open(`/sensors/${sensor}?span=${6 * HOUR}`);
    const pin = async (fill: (dialog: ReturnType<Page['getByRole']>) => Promise<void>) => {
      await page.getByRole('button', { name: 'Pin to a dashboard' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Pin' }).waitFor();
      await fill(dialog);
      await dialog.getByRole('button', { name: 'Pin' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Pinned to “Mine”.').waitFor();
    };
    await pin((dialog) => dialog.getByLabel('Name of the new dashboard').fill('Mine'));
    await pin((dialog) => dialog.getByRole('button', { name: 'Value' }).click());
    const [{ tiles }] = await dashboards();
    assert.deepEqual(placesOf(tiles), ['chart 0 0 6 5', 'value 6 0 3 3']);
    assert.deepEqual(tiles[0].range, 6 * HOUR);
  });

  it('keep what was arranged when the session ends', async () => {
    const { id } = await buildWall();
    const page = await open(`/dashboards/${id}?edit=1`);
    await page.getByLabel('Name', { exact: true }).fill('Renamed');
    await page.getByRole('button', { name: 'Remove Alerts' }).click();
    await user.api.delete('/sessions');
    await platform.query('DELETE FROM sessions WHERE user_id = ?', [user.id]);
    // Something else that the page asks for may show the sign-in first.
    await page
      .getByRole('button', { name: 'Save' })
      .click({ timeout: 5_000 })
      .catch(() => {});
    await page.getByLabel('Username').fill(user.username);
    await page.getByLabel('Password', { exact: true }).fill(user.username);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Edit Cold store' }).waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Renamed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    const stored = async () => (await platform.query('SELECT tiles FROM dashboards WHERE id = ?', [id]))[0]?.tiles;
    await until('the tile is gone', async () => !String(await stored()).includes('"alerts"'));
  });

  it('are German for Germans', async () => {
    const { id } = await buildWall();
    const token = await publish(id);
    const page = await open(`/dashboards/${id}`, { locale: 'de-DE' });
    await page.getByRole('button', { name: GERMAN['Full screen'] }).waitFor();
    await page.getByText('−9,5').first().waitFor();
    await inspectConsole(page, 'dashboard-german');
    await page.getByRole('button', { name: GERMAN.Edit }).click();
    await page.getByRole('button', { name: GERMAN['Add tile'] }).click();
    await inspectConsole(page, 'dashboard-german-tile');
    const reader = await browser.open({ javaScriptEnabled: true, locale: 'de-DE' });
    await reader.goto(`${platform.url}/console/public/${token}`);
    await reader.getByRole('button', { name: GERMAN['Full screen'] }).waitFor();
    await reader.getByText('−9,5').first().waitFor();
    await inspectConsole(reader, 'public-german');
  });
});

/** Records the sizes of the text that each chart shows. */
const RECORD_FONTS = `(() => {
  const pen = CanvasRenderingContext2D.prototype;
  const { clearRect, fillText } = pen;
  pen.clearRect = function (...area) {
    this.canvas.sizes = [];
    return clearRect.apply(this, area);
  };
  pen.fillText = function (...drawn) {
    (this.canvas.sizes ??= []).push(parseFloat(this.font));
    return fillText.apply(this, drawn);
  };
})()`;
const SIZES_OF_TEXT = `[...document.querySelectorAll('canvas')].flatMap(({ sizes = [] }) => sizes)`;

/** How much of an element is out of sight until it is scrolled. */
function hiddenHeight({ scrollHeight, clientHeight }: Element): number {
  return scrollHeight - clientHeight;
}

async function addTile(page: Page, kind: string, fill: (dialog: ReturnType<Page['getByRole']>) => Promise<void>) {
  await page.getByRole('button', { name: 'Add tile' }).click();
  const dialog = page.getByRole('dialog', { name: 'New tile' });
  await dialog.getByRole('button', { name: kind }).click();
  await fill(dialog);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.waitFor({ state: 'detached' });
}
