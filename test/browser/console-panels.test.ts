import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, openConsole, watchErrors } from '../support/console';
import { buildNote, buildSensor, buildTrigger, connectTrigger, share, upload } from '../support/factories';
import { usePlatform, useUser, useUserPerTest } from '../support/hooks';
import { until } from '../support/until';

const HOUR = 3_600;
const PNG = '89504e470d0a1a0a';

describe('a chart with several units, in a browser', function () {
  this.timeout(90_000);
  before(ensureConsole);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const friend = useUser(platform);
  const browser = useBrowser();

  /** Hourly values of the last day: a greenhouse with three units, and CO₂ next to it. */
  const build = async () => {
    const last = Math.floor(Date.now() / 1000 / HOUR) * HOUR;
    const dates = Array.from({ length: 20 }, (_, at) => last - (19 - at) * HOUR);
    const units = { temperature: '°C', pressure: 'hPa' };
    const greenhouse = await buildSensor(user, { name: 'greenhouse', data_type: 'json', field_units: units });
    const office = await buildSensor(user, { name: 'office', unit: 'ppm' });
    const freezer = await buildSensor(user, { name: 'freezer', unit: '°C' });
    const json = (at: number) => ({ temperature: 15 + at / 2, pressure: 1010 + at / 10 });
    await upload(
      user,
      greenhouse,
      dates.map((date, at) => ({ date, value: json(at) })),
    );
    await upload(
      user,
      office,
      dates.map((date, at) => ({ date, value: 500 + 20 * at })),
    );
    await upload(
      user,
      freezer,
      dates.map((date) => ({ date, value: -18 })),
    );
    return { greenhouse, office, freezer, dates, last };
  };
  const units = (page: Page) => page.locator('.panel-unit').allTextContents();
  const rangeOf = (page: Page) => {
    const { searchParams } = new URL(page.url());
    return { from: Number(searchParams.get('from')), to: Number(searchParams.get('to')) };
  };
  const bytesOf = async (download: Download) => readFile(await download.path());

  it('names compared sensors without data in the range', async () => {
    const { office } = await build();
    const quiet = await buildSensor(user, { name: 'attic' });
    const page = await openConsole(browser, platform, user, `/sensors/${office}?with=${quiet}`);
    await page.getByText('attic: no data in this range').waitFor();
    await upload(user, quiet, { value: 7 });
    await page.getByRole('button', { name: 'attic', exact: true }).waitFor();
    assert.equal(await page.getByText('no data in this range').count(), 0);
  });

  it('has a panel for each unit, and a legend that switches lines off', async () => {
    const { greenhouse, office, freezer } = await build();
    const trigger = await buildTrigger(user, { name: 'too warm', expression: 'sensor_data_value.temperature > 23' });
    await connectTrigger(user, greenhouse, trigger);
    const page = await openConsole(browser, platform, user, `/sensors/${greenhouse}?with=${office},${freezer}`);
    const errors = watchErrors(page);
    await page.getByRole('button', { name: 'freezer', exact: true }).waitFor();
    assert.deepEqual(await units(page), ['°C', 'hPa', 'ppm']);
    await page.getByText('min 500 · mean 690 · max 880 ppm').waitFor();
    await page.locator('.big-value', { hasText: '24.5 °C' }).waitFor();
    await page.getByRole('img', { name: /^greenhouse: temperature, freezer from / }).waitFor();
    await page.getByRole('img', { name: /^office from / }).waitFor();
    await inspectConsole(page, 'panels');
    const pressure = page.getByRole('button', { name: 'greenhouse: pressure' });
    await pressure.focus();
    await page.keyboard.press('Space');
    assert.equal(await pressure.getAttribute('aria-pressed'), 'false');
    assert.deepEqual(await units(page), ['°C', 'ppm']);
    await pressure.click();
    assert.deepEqual(await units(page), ['°C', 'hPa', 'ppm']);
    await page.locator('.u-over').last().hover();
    const tip = page.locator('.tip');
    await tip.getByText(/\shPa$/).waitFor();
    await tip.getByText('−18 °C').waitFor();
    await page.getByText('Values as a table').click();
    const table = page.getByRole('table', { name: 'Values as a table' });
    await table.getByRole('columnheader', { name: 'office (ppm)' }).waitFor();
    assert.equal(await table.getByRole('row').count(), 21, 'each date');
    assert.deepEqual(errors, []);
  });

  it('takes notes by a click and by keyboard, marks them and lists them', async () => {
    const { freezer, last } = await build();
    await buildNote(user, freezer, { date: last - 2 * HOUR, end_date: last - HOUR, text: 'defrosted' });
    const page = await openConsole(browser, platform, user, `/sensors/${freezer}`);
    const errors = watchErrors(page);
    await page.getByRole('img', { name: /1 note$/ }).waitFor();
    await page.locator('.u-over').click();
    await page.locator('.tip').getByRole('button', { name: 'Add a note' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note').fill('door open');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('img', { name: /2 notes$/ }).waitFor();
    const chart = page.getByRole('group', { name: /^Chart; arrows/ });
    await chart.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter'); // the focus is on the first button of the menu
    await dialog.getByLabel('Note').fill('by keyboard');
    await dialog.getByLabel('For a period').check();
    await page.keyboard.press('Enter');
    const list = page.getByRole('table', { name: 'Notes' });
    await list.getByText('by keyboard').waitFor();
    const { notes } = (await user.api.get(`/sensors/${freezer}/notes`)).body;
    assert.deepEqual(notes.map(({ text }: { text: string }) => text).sort(), ['by keyboard', 'defrosted', 'door open']);
    await inspectConsole(page, 'notes');
    await page.getByRole('button', { name: 'Edit “door open”' }).click();
    await inspectConsole(page, 'note-form');
    await dialog.getByLabel('Note').fill('door closed');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await list.getByText('door closed').waitFor();
    await page.getByRole('button', { name: 'Delete “defrosted”' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await list.getByText('defrosted', { exact: true }).waitFor({ state: 'detached' });
    await share(user, freezer, friend);
    const other = await openConsole(browser, platform, friend, `/sensors/${freezer}`);
    await other.getByRole('table', { name: 'Notes' }).getByText('door closed').waitFor();
    assert.equal(await other.getByRole('button', { name: 'Add a note' }).count(), 0);
    assert.deepEqual(errors, []);
  });

  it('is in the first screen of a phone', async () => {
    const { freezer, greenhouse } = await build();
    for (const locale of ['en-GB', 'de-DE']) {
      const page = await openConsole(browser, platform, user, '/', { locale, viewport: { width: 390, height: 740 } });
      for (const sensor of [freezer, greenhouse]) {
        await page.goto(`${platform.url}/console/sensors/${sensor}`);
        const plot = page.locator('.u-over').first();
        await page.getByText(/^min/).first().waitFor();
        await until('the chart is in the first screen', async () => {
          const box = await plot.boundingBox({ timeout: 1_000 }).catch(() => null);
          return box !== null && box.y > 0 && box.y + box.height <= 740;
        });
        await inspectConsole(page, `sensor-phone-${locale}-${sensor}`);
      }
    }
  });

  it('moves under one finger and zooms under two', async () => {
    const { freezer, last } = await build();
    const [from, to] = [last - 10 * HOUR, last];
    const options = { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true };
    const page = await openConsole(browser, platform, user, `/sensors/${freezer}?from=${from}&to=${to}`, options);
    await page.getByText('min −18').waitFor();
    const plot = page.locator('.u-over');
    await plot.scrollIntoViewIfNeeded();
    const box = (await plot.boundingBox()) ?? assert.fail('no chart');
    const session = await page.context().newCDPSession(page);
    const y = box.y + box.height / 2;
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...shares: number[]) => {
      const touchPoints = shares.map((share, id) => ({ id, x: Math.round(box.x + share * box.width), y }));
      return session.send('Input.dispatchTouchEvent', { type, touchPoints });
    };
    await touch('touchStart', 0.8);
    for (const share of [0.7, 0.5, 0.3]) await touch('touchMove', share);
    await touch('touchEnd');
    await page.waitForURL((url) => Number(url.searchParams.get('from')) !== from);
    const moved = rangeOf(page);
    assert.ok(Math.abs(moved.from - (from + 5 * HOUR)) < HOUR / 2, JSON.stringify([from, moved]));
    assert.ok(Math.abs(moved.to - moved.from - 10 * HOUR) < 1, 'the length stays');
    await touch('touchStart', 0.4, 0.6);
    await touch('touchMove', 0.35, 0.65);
    await touch('touchMove', 0.3, 0.7);
    await touch('touchEnd');
    await page.waitForURL((url) => Number(url.searchParams.get('from')) !== moved.from);
    const zoomed = rangeOf(page);
    assert.ok(Math.abs(zoomed.to - zoomed.from - 5 * HOUR) < HOUR / 2, JSON.stringify(zoomed));
  });

  it('is downloaded as a picture, and its range as CSV', async () => {
    const { greenhouse, office, dates } = await build();
    const [from, to] = [dates[5], dates[9]];
    const path = `/sensors/${greenhouse}?with=${office}&from=${from}&to=${to}`;
    const page = await openConsole(browser, platform, user, path, { acceptDownloads: true });
    await page.getByText(/ max .*\sppm$/).waitFor();
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await inspectConsole(page, 'downloads');
    const [picture] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'PNG' }).click(),
    ]);
    assert.equal(picture.suggestedFilename(), 'greenhouse, office.png');
    const png = await bytesOf(picture);
    assert.equal(png.subarray(0, 8).toString('hex'), PNG);
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    assert.ok(width > 1_200 && height > 600, `${width} × ${height}`);
    assert.ok(png.length > 10_000, 'it is not blank');
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV: office' }).click(),
    ]);
    const lines = (await bytesOf(csv)).toString().trim().split(/\r?\n/);
    assert.equal(lines.length, 1 + 5, lines.join('\n'));
  });

  it('is a heat map by choice, whose cells open the chart', async () => {
    const { freezer, office, last } = await build();
    const page = await openConsole(browser, platform, user, `/sensors/${office}?with=${freezer}&span=604800`);
    const errors = watchErrors(page);
    await page.getByRole('button', { name: 'Heat map' }).click();
    await page.getByRole('img', { name: /^office from / }).waitFor();
    await inspectConsole(page, 'heat');
    const heat = page.getByRole('group', { name: /^Heat map; arrows/ });
    await heat.focus();
    await page.keyboard.press('ArrowUp');
    await page.getByText('880 ppm').last().waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const { from, to } = await page.waitForURL(/from=/).then(() => rangeOf(page));
    assert.equal(to - from, HOUR);
    assert.ok(from >= last - 2 * HOUR && from <= last, String(from));
    await page.getByLabel('Values').selectOption({ label: 'freezer' });
    await page.getByRole('img', { name: /^freezer from / }).waitFor();
    assert.deepEqual(errors, []);
  });

  it('shows a range from a date to another, and the data up to a date', async () => {
    const { freezer, dates } = await build();
    const page = await openConsole(browser, platform, user, `/sensors/${freezer}`, { timezoneId: 'UTC' });
    await page.getByRole('button', { name: 'From … to …' }).click();
    const iso = (seconds = 0) => new Date(seconds * 1000).toISOString().slice(0, 19);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('From').fill(iso(dates[4]));
    await dialog.getByLabel('To').fill(iso(dates[3]));
    await dialog.getByText('“To” must be after “From”.').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Show' }).isDisabled());
    await dialog.getByLabel('To').fill(iso(dates[8]));
    await dialog.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/from=/);
    assert.deepEqual(rangeOf(page), { from: dates[4], to: dates[8] });
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await page.getByText('20 points', { exact: true }).waitFor();
    await page.getByRole('columnheader', { name: 'Value (°C)' }).waitFor();
    await page.getByRole('button', { name: 'Go to a date' }).click();
    await dialog.getByLabel('Points up to').fill(iso(dates[6]));
    await dialog.getByRole('button', { name: 'Show' }).click();
    await page.getByText(/^7 points up to /).waitFor();
    await inspectConsole(page, 'data-until');
    await page.getByRole('button', { name: 'Newest' }).click();
    await page.getByText('20 points', { exact: true }).waitFor();
  });

  it('gets the units from the form of the sensor', async () => {
    const { greenhouse, freezer } = await build();
    const page = await openConsole(browser, platform, user, `/sensors/${greenhouse}/about`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('temperature').fill('K');
    await dialog.getByLabel('pressure').fill('');
    await inspectConsole(page, 'sensor-edit');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('temperature K', { exact: true }).waitFor();
    const { sensor } = (await user.api.get(`/sensors/${greenhouse}`)).body;
    assert.deepEqual(sensor.field_units, { temperature: 'K' });
    await page.goto(`${platform.url}/console/sensors/${freezer}/about`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Unit', { exact: true }).fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await user.api.get(`/sensors/${freezer}`)).body.sensor.unit, '');
  });
});
