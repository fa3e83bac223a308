import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { localDateIn } from '../../src/language/local-time';
import { parseCsv } from '../../src/points/data-points/csv';
import { inspectConsole, useConsole, watchErrors } from '../support/console';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

const DAY = 86_400;
const HOUR = 3_600;
const BERLIN = { timezoneId: 'Europe/Berlin' };

/** The first day of the last week in Berlin, which begins an hour or two before this. */
function lastMonday(): number {
  const now = localDateIn('Europe/Berlin', Date.now());
  const monday = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - ((now.getUTCDay() + 6) % 7) - 7);
  return monday / 1000;
}

/** The number of pages of a PDF by Chromium, whose page objects may be in compressed streams. */
function pagesOf(pdf: Buffer): number {
  const text = pdf.toString('latin1');
  const streams = [...text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, bytes = '']) => {
    try {
      return inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  return [text, ...streams].join('\n').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

describe('the report in the console', function () {
  this.timeout(120_000);
  const platform = usePlatform();
  const user = useUser(platform);
  const open = useConsole(platform, user, BERLIN);
  const ids: string[] = [];

  before(async () => {
    const start = lastMonday();
    const trigger = await buildTrigger(user, { name: 'too warm', expression: 'sensor_data_value > -15' });
    for (let number = 1; number <= 24; number += 1) {
      const id = await buildSensor(user, {
        name: `Freezer ${number}`,
        data_type: 'float',
        unit: '°C',
        expected_interval: 2 * HOUR,
      });
      ids.push(id);
      const points = Array.from({ length: 24 * 8 }, (_, at) => ({
        date: start - DAY + at * HOUR,
        value: number === 3 && at >= 60 && at < 62 ? -10 : -20,
      }));
      await upload(user, id, number === 4 ? points.filter((_, at) => at < 80 || at > 90) : points);
      await connectTrigger(user, id, trigger);
      await user.api.post(`/sensors/${id}/metatags`, { metatags: { shop: [number <= 22 ? '3' : '4'] } });
    }
    await buildSensor(user, { name: 'Hall', data_type: 'json' });
  });

  it('is two clicks and a search away, and shows the last week of the found sensors', async () => {
    const page = await open('/sensors');
    const errors = watchErrors(page);
    await page.getByRole('combobox', { name: 'Find sensors' }).fill('shop:3');
    await page.getByText('22 of 25 sensors').waitFor();
    await page.getByRole('link', { name: 'Report', exact: true }).click();
    await page.getByRole('heading', { name: 'Report', level: 1 }).waitFor();
    const warm = page.getByRole('row', { name: /^Freezer 3 / });
    await warm.getByText('2 h').waitFor();
    assert.match((await warm.textContent()) ?? '', /−20\s°C.*−10\s°C2 h too warm0100\.0%0/);
    const freezer4 = await page.getByRole('row', { name: /^Freezer 4 / }).textContent();
    assert.match(freezer4 ?? '', /never while it had data1 \(12 h\)92\.8%/);
    assert.equal(await page.getByRole('row').count(), 23);
    assert.equal(new URL(page.url()).searchParams.get('q'), 'shop:3');
    await inspectConsole(page, 'report');
    await page.getByRole('combobox', { name: 'Rows' }).selectOption('day');
    await page.getByRole('heading', { name: 'Freezer 22' }).waitFor();
    assert.equal(await page.getByRole('row').count(), 22 * 8);
    await inspectConsole(page, 'report-days');
    await page.getByRole('combobox', { name: 'Period' }).selectOption('own');
    await page.getByLabel('From').waitFor();
    assert.deepEqual(errors, []);
  });

  it('is a card for each row on a phone, with the names of the numbers, and nothing cut', async () => {
    const page = await open('/report?q=shop:4', { viewport: { width: 390, height: 844 } });
    const row = page.getByRole('row', { name: /^Freezer 23 / });
    await row.waitFor();
    const cells = await row.locator('td').evaluateAll((all) =>
      all.map((cell) => {
        const { left, right } = cell.getBoundingClientRect();
        const isCut = left < 0 || right > window.innerWidth || cell.scrollWidth > cell.clientWidth;
        return { name: getComputedStyle(cell, '::before').content, isCut };
      }),
    );
    assert.deepEqual(
      cells.map(({ name }) => name.replaceAll('"', '')),
      ['none', 'Lowest', 'Mean', 'Highest', 'Outside of limits', 'Gaps', 'Available', 'Alerts'],
    );
    assert.deepEqual(
      cells.filter(({ isCut }) => isCut),
      [],
    );
    await inspectConsole(page, 'report-phone');
  });

  it('prints without navigation and buttons, with the headings and a place to sign', async () => {
    const page = await open('/report?q=shop:3&by=day', { colorScheme: 'dark' });
    await page.getByRole('heading', { name: 'Freezer 22' }).waitFor();
    assert.equal(await page.getByText('Signature').isVisible(), false);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.getByText('Signature').isVisible(), true);
    for (const hidden of ['.side', '.top', '.filters', '.button', '.actions', '.crumb', '.search', '.check']) {
      const shown = await page.locator(hidden).evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);
      assert.equal(shown, 0, hidden);
    }
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    assert.equal(background, 'rgb(255, 255, 255)');
    assert.equal(
      await page.evaluate('getComputedStyle(document.querySelector("thead")).display'),
      'table-header-group',
    );
    const pages = pagesOf(await page.pdf({ format: 'A4' }));
    assert.ok(pages >= 3 && pages <= 12, `${pages} pages for 22 sensors`);
    for (const path of ['/', '/sensors', '/alerts', `/sensors/${ids[0]}`]) {
      await page.goto(`${platform.url}/console${path}`);
      await page.locator('h1').waitFor();
      await until(`${path} is loaded`, async () => (await page.locator('.loading').count()) === 0);
      const controls = await page
        .locator('button:not(.sort), input, .side')
        .evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.outerHTML));
      assert.deepEqual(controls, [], path);
    }
    await page.emulateMedia({ media: 'screen' });
    await page.goto(`${platform.url}/console/report?q=${encodeURIComponent('"Freezer 1"')}`);
    await page.getByRole('row', { name: /^Freezer 1 / }).waitFor();
    assert.equal(pagesOf(await page.pdf({ format: 'A4' })), 1);
  });

  it('is a file that a spreadsheet of the language reads, as are the values of the selected sensors', async () => {
    const page = await open('/report?q=shop:4', { acceptDownloads: true, locale: 'en-DE' });
    const fileOf = async (name: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
      const text = readFileSync(await download.path(), 'utf8');
      assert.equal(text[0], '\ufeff');
      return {
        name: download.suggestedFilename(),
        lines: [...parseCsv(text.slice(1), ';')].map(({ cells }) => cells ?? []),
      };
    };
    await page.getByRole('row', { name: /^Freezer 24 / }).waitFor();
    const report = await fileOf('Download as CSV');
    assert.equal(report.name, 'report.csv');
    assert.equal(report.lines.length, 3);
    assert.equal(report.lines[0]?.[2], 'start (Europe/Berlin)');
    assert.match(report.lines[1]?.[2] ?? '', /^\d{4}-\d\d-\d\d 00:00:00$/);

    await page.goto(`${platform.url}/console/sensors?q=shop:4`);
    await page.getByLabel('Select all 2 sensors').check();
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByRole('combobox', { name: 'Values' }).selectOption('86400');
    const values = await fileOf('Download as CSV');
    assert.deepEqual(values.lines[0], ['date (Europe/Berlin)', 'Freezer 23 (°C)', 'Freezer 24 (°C)']);
    assert.deepEqual(
      values.lines.slice(1).map(([, ...cells]) => cells),
      Array.from({ length: 7 }, () => ['-20', '-20']),
    );
  });

  it('has the lists of alerts and deliveries as they are filtered', async () => {
    const page = await open('/alerts?state=all&severity=warning');
    for (const [path, query] of [
      ['/alerts?state=all&severity=warning', { severity: 'warning', state: null, dates: 'local' }],
      ['/alerts', { state: 'firing', sort: 'DESC' }],
      ['/deliveries?status=failed', { status: 'failed', timezone: 'Europe/Berlin' }],
    ] as const) {
      await page.goto(`${platform.url}/console${path}`);
      const link = page.getByRole('link', { name: 'Download as CSV' });
      const address = new URL((await link.getAttribute('href')) ?? '', page.url());
      for (const [name, value] of Object.entries(query)) assert.equal(address.searchParams.get(name), value, path);
      const { status, body } = await user.api.get(address.pathname + address.search);
      assert.equal(status, 200, path);
      assert.match(String(body), /^(date|created) \(Europe\/Berlin\),/);
    }
  });

  it('says when there are no sensors', async () => {
    const page = await open('/report?q=nothing');
    await page.getByText('Nothing found').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Download as CSV' }).count(), 0);
  });
});
