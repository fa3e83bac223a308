import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tabTo } from '../support/browser';
import { inspectConsole, useConsole, watchErrors } from '../support/console';
import { buildSensor, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

const FILES = join(__dirname, '../fixtures/files');

describe('files that are uploaded in the console', function () {
  this.timeout(120_000);
  const platform = usePlatform();
  const user = useUser(platform);

  const open = useConsole(platform, user, { timezoneId: 'Europe/Amsterdam' });

  /** The dialog of a sensor, in which this file is chosen. */
  const choose = async (id: string, content: string | Buffer, name = 'file.csv') => {
    const page = await open(`/sensors/${id}/data`);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('File').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
    return { page, dialog, errors: watchErrors(page) };
  };

  /** What is stored: values by their dates in ISO 8601. */
  const stored = async (id: string) => {
    const { body } = await user.api.get(`/sensors/${id}/data?per_page=1000`);
    const points: { date: number; value: string }[] = body.data;
    return Object.fromEntries(points.map(({ date, value }) => [new Date(date * 1000).toISOString(), value]));
  };
  const countStored = async (id: string): Promise<number> =>
    (await user.api.get(`/sensors/${id}/data?per_page=1&total=1`)).body.total;

  it('make a sensor whose gaps are no points, for which a rule can be made at once', async () => {
    const page = await open('/');
    const errors = watchErrors(page);
    await page.getByRole('button', { name: 'Create the first sensor' }).click();
    const dialog = page.getByRole('dialog');
    const lines = Array.from({ length: 50 }, (_, at) => {
      const date = new Date(Date.UTC(2026, 10, 20) + at * 600_000).toISOString();
      return `${date},${at % 10 === 3 ? ['', '--', 'NaN', 'unavailable', 'null'][Math.floor(at / 10)] : 20 + (at % 8) / 2}`;
    });
    const file = ['date,value', ...lines, '2026-02-30T10:00:00Z,20'].join('\n');
    await dialog
      .getByLabel('Data')
      .setInputFiles({ name: 'Hall.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
    await dialog.getByText('45 points from 45 of 51 lines').waitFor();
    await dialog.getByText('5 lines without a value: 5, 15, 25, 35, 45.').waitFor();
    await dialog.getByText('1 line with an invalid date: 52 (“2026-02-30T10:00:00Z” is not a date).').waitFor();
    assert.equal(await dialog.getByLabel('Values').inputValue(), 'float');
    await inspectConsole(page, 'upload-gaps');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('45 points are stored.').waitFor();
    const id = /sensors\/(\d+)/.exec(page.url())?.[1] ?? '';
    assert.equal(await countStored(id), 45);
    await page.getByRole('link', { name: 'New trigger' }).click();
    await page.getByText('It would not have fired').waitFor();
    assert.match(await page.getByLabel('Above', { exact: true }).inputValue(), /^2\d/);
    assert.equal(await page.getByText('cannot be evaluated').count(), 0);
    assert.deepEqual(errors, []);
  });

  it('are shown with the values that their decimal commas mean', async () => {
    const id = await buildSensor(user, { name: 'commas', data_type: 'float' });
    const { page, dialog } = await choose(id, 'Datum;Temperatur\n20.11.2026 10:00;21,5\n20.11.2026 10:10;1.234,5\n');
    await dialog.getByText('21,5 → 21.5').waitFor();
    await dialog.getByText('Values: Numbers.').waitFor();
    await dialog.getByText('Cells are separated by semicolons; the names are in line 1.').waitFor();
    await dialog.getByRole('button', { name: 'Upload 2 points' }).click();
    await page.getByText('2 points are stored.').waitFor();
    assert.deepEqual(await stored(id), { '2026-11-20T09:00:00.000Z': '21.5', '2026-11-20T09:10:00.000Z': '1234.5' });
  });

  it('are not stored where a decimal comma splits the numbers', async () => {
    const id = await buildSensor(user, { name: 'split', data_type: 'float' });
    const { page, dialog } = await choose(id, 'date,value\n\n2026-11-20 10:00,21,5\n2026-11-20 10:01,21,6\n');
    await dialog.getByText(/3 \(3 cells, but 2 columns\), 4 \(3 cells/).waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Upload', exact: true }).isDisabled());
    await inspectConsole(page, 'upload-nothing');
    assert.equal(await countStored(id), 0);
  });

  it('are not read if they are archives, and it says what to do', async () => {
    const id = await buildSensor(user, { name: 'archive', data_type: 'float' });
    const archive = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(100)]);
    const { dialog } = await choose(id, archive, 'readings.xlsx');
    await dialog.getByText('This is an archive, or a workbook that cannot be read. Save it as XLSX or CSV.').waitFor();
  });

  it('may be workbooks, JSON or packed', async () => {
    for (const [name, shown, expected] of [
      ['workbook-with-times.xlsx', 'It is the sheet “Data” of the workbook.', ['1.5', '1.6']],
      ['answer-of-the-platform.json', 'The file is JSON.', ['21.5', '21.6']],
      ['packed.csv.gz', 'Cells are separated by commas; the names are in line 1.', ['1.5', '1.6']],
    ] as const) {
      const id = await buildSensor(user, { name, data_type: 'float' });
      const { page, dialog } = await choose(id, await readFile(join(FILES, name)), name);
      await dialog.getByText(shown).waitFor();
      await dialog.getByRole('button', { name: 'Upload 2 points' }).click();
      await page.getByText('2 points are stored.').waitFor();
      assert.deepEqual(Object.values(await stored(id)), expected);
    }
  });

  it('wait for a person to say whether a number stands for no value', async () => {
    const id = await buildSensor(user, { name: 'ozone', data_type: 'float' });
    const { page, dialog } = await choose(id, await readFile(join(FILES, 'fillers.csv')));
    await dialog.getByText('“ozone” is −999 in 2 lines, far from all other values. Is it a value?').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Upload', exact: true }).isDisabled());
    await inspectConsole(page, 'upload-filler');
    await dialog.getByRole('button', { name: 'It means that there is no value' }).click();
    await dialog.getByRole('button', { name: 'Upload 3 points' }).click();
    await page.getByText('3 points are stored.').waitFor();
    assert.deepEqual(Object.values(await stored(id)), ['31', '35', '38']);
  });

  it('in a time zone that a person changes, by the keyboard as well', async () => {
    const id = await buildSensor(user, { name: 'zones', data_type: 'float' });
    const { page, dialog } = await choose(id, 'Date,Time,Value\n2026-07-20,00:30,1\n2026-07-21,00:30,2\n');
    await dialog.getByText(/^2 points from 2 lines, 20 Jul 2026, 00:30:00 to 21 Jul 2026, 00:30:00/).waitFor();
    await tabTo(page, 'combobox', 'Time zone of the dates');
    await page.keyboard.type('UTC');
    await dialog.getByText(/^2 points from 2 lines, 20 Jul 2026, 02:30:00/).waitFor();
    await dialog.getByRole('button', { name: 'Upload 2 points' }).click();
    await page.getByText('2 points are stored.').waitFor();
    assert.deepEqual(Object.keys(await stored(id)), ['2026-07-20T00:30:00.000Z', '2026-07-21T00:30:00.000Z']);
  });

  it('wait for a person to say whether the day or the month is first', async () => {
    const id = await buildSensor(user, { name: 'order', data_type: 'float' });
    const { page, dialog } = await choose(id, 'date;value\n02/08/2022   15:30;1\n03/08/2022 12:05 AM;2\n');
    await dialog.getByText('Which comes first in 02/08/2022 15:30?').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Upload', exact: true }).isDisabled());
    await inspectConsole(page, 'upload-order');
    await dialog.getByRole('button', { name: 'The month' }).click();
    await dialog.getByRole('button', { name: 'Upload 2 points' }).click();
    await page.getByText('2 points are stored.').waitFor();
    assert.deepEqual(Object.keys(await stored(id)), ['2022-02-08T14:30:00.000Z', '2022-03-07T23:05:00.000Z']);
  });

  it('keep all variables of a date in the long form', async () => {
    const id = await buildSensor(user, { name: 'gateway', data_type: 'json' });
    const names = Array.from({ length: 13 }, (_, at) => `channel ${at + 1}`);
    const lines = Array.from({ length: 40 }, (_, at) => {
      const date = new Date(Date.UTC(2026, 10, 20, 10, at)).toISOString();
      return names.map((name, number) => `${date},${name},°C,${at + number / 10}`);
    });
    const { page, dialog } = await choose(id, ['timestamp,variable,unit,value', ...lines.flat()].join('\n'));
    await dialog.getByText('40 points from 520 lines').waitFor();
    await dialog.getByLabel('A field for each name in “variable”').and(dialog.locator(':checked')).waitFor();
    await inspectConsole(page, 'upload-long');
    await dialog.getByRole('button', { name: 'Upload 40 points' }).click();
    await page.getByText('40 points are stored.').waitFor();
    const values = Object.values(await stored(id)).map((value) => Object.keys(JSON.parse(value)));
    assert.deepEqual([values.length, values.every((fields) => fields.length === 13)], [40, true]);
  });

  it('that share dates or are ahead are stored as a person decides, and what takes the place of values is said', async () => {
    const id = await buildSensor(user, { name: 'shared dates', data_type: 'float' });
    await upload(user, id, [{ date: Date.UTC(2026, 10, 20, 10) / 1000, value: 7 }]);
    const lines = ['date,value', '2026-11-20T10:00:00Z,1', '2026-11-20T10:00:00Z,2', '2126-11-20T10:00:00Z,3'];
    const { page, dialog } = await choose(id, lines.join('\n'));
    await dialog.getByText('2 lines share 1 date (lines 2, 3)').waitFor();
    await dialog.getByText('1 line dated more than a day ahead: 4 (2126-11-20T10:00:00Z).').waitFor();
    await inspectConsole(page, 'upload-shared');
    await dialog.getByRole('button', { name: 'Upload 2 points' }).waitFor();
    await dialog.getByRole('button', { name: 'Keep the last' }).click();
    await dialog.getByRole('button', { name: 'Upload 1 point', exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Keep all' }).click();
    await dialog.getByLabel('Also store 1 line dated more than a day ahead').check();
    await dialog.getByRole('button', { name: 'Upload 3 points' }).click();
    await page.getByText('3 points are stored. 1 replaced an earlier value.').waitFor();
    assert.deepEqual(Object.entries(await stored(id)), [
      ['2026-11-20T10:00:00.000Z', '1'],
      ['2026-11-20T10:00:00.001Z', '2'],
      ['2126-11-20T10:00:00.000Z', '3'],
    ]);
  });

  it('can have columns that are not stored, or that are another kind', async () => {
    const id = await buildSensor(user, { name: 'columns', data_type: 'float' });
    const text = `\ufeffdate\tvalue\tnote\n2026-11-20T10:00:00Z\t1\tfine\n2026-11-20T10:01:00Z\tERR\tbroken\n`;
    const { page, dialog } = await choose(id, Buffer.from(text, 'utf16le'));
    await dialog.getByText('The sensor has values of the kind “Numbers”').waitFor();
    await dialog.getByLabel('Meaning of note').selectOption('Not stored');
    await dialog.getByLabel('Meaning of value').selectOption('Number');
    await dialog.getByText('1 line with a cell that does not fit its column: 3 (“ERR” is not a number).').waitFor();
    await dialog.getByRole('button', { name: 'Upload 1 point', exact: true }).click();
    await page.getByText('1 point is stored.').waitFor();
    assert.deepEqual(await stored(id), { '2026-11-20T10:00:00.000Z': '1' });
  });

  it('of 60,000 lines leave the page fluid, go in bounded requests, and say how far they came if one fails', async () => {
    const id = await buildSensor(user, { name: 'long file', data_type: 'json' });
    const start = Date.UTC(2025, 8, 1);
    const lines = Array.from({ length: 60_000 }, (_, at) => {
      const date = new Date(start + at * 600_000).toISOString().slice(0, 16).replace('T', ' ');
      return `${date},${at % 40},${(at / 7).toFixed(3)},${at % 11}`;
    });
    const { page, dialog, errors } = await choose(id, '');
    // Other work of the machine makes no long task of the page.
    await page.evaluate(`(() => {
      globalThis.longTasks = [0];
      new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
        .observe({ type: 'longtask' });
    })()`);
    const sizes: number[] = [];
    let isBroken = true;
    await page.route(`**/sensors/${id}/data`, (route) => {
      if (isBroken && sizes.length === 3) return route.abort();
      sizes.push(JSON.parse(route.request().postData() ?? '{}').data.length);
      return route.continue();
    });
    // From a file: what a test hands over itself is made into one by the page, in one long task.
    const folder = await mkdtemp(join(tmpdir(), 'console-upload-'));
    const path = join(folder, 'long.csv');
    await writeFile(path, ['date,a,b,c', ...lines].join('\n'));
    const begun = performance.now();
    await dialog.getByLabel('File').setInputFiles(path);
    const button = dialog.getByRole('button', { name: /^Upload [\d,]+ points$/ });
    await button.waitFor();
    const readMs = performance.now() - begun;
    await rm(folder, { recursive: true });
    await button.click();
    await dialog
      .getByText(
        /^The platform cannot be reached\. 15,000 of [\d,]+ points are stored, up to .* Upload the file again for the rest/,
      )
      .waitFor();
    assert.equal(await countStored(id), 15_000);
    isBroken = false;
    await button.click();
    await dialog.getByRole('progressbar', { name: 'Sent' }).waitFor();
    const expected = Number(
      /[\d,]+/.exec((await dialog.getByRole('status').textContent()) ?? '')?.[0].replace(',', ''),
    );
    await page.getByText(/^[\d,]+ points are stored\. 15,000 replaced earlier values\.$/).waitFor();
    assert.equal(await countStored(id), expected);
    assert.ok(Math.max(...sizes) <= 5_000, `${Math.max(...sizes)} points in one request`);
    const pause = Number(await page.evaluate('Math.max(...longTasks)'));
    console.log(`    read in ${Math.round(readMs)} ms; the longest task of the page took ${Math.round(pause)} ms`);
    // A page that read the file in one go would stand still all that time, however long a busy machine takes for it.
    assert.ok(pause < Math.max(300, readMs / 3), `the page stood still for ${pause} of ${readMs} ms`);
    assert.deepEqual(
      errors.filter((error) => !/ERR_FAILED/.test(error)),
      [],
    );
  });

  it('that became text sensors in earlier versions get no rule with numbers, and their kind is offered for change', async () => {
    const id = await buildSensor(user, { name: 'spelled', data_type: 'string' });
    const nowSeconds = Math.floor(Date.now() / 1000);
    await upload(
      user,
      id,
      Array.from({ length: 20 }, (_, at) => ({
        date: nowSeconds - 3_600 + at * 60,
        value: at === 7 ? '--' : String(20 + (at % 5)),
      })),
    );
    const page = await open(`/triggers/new?sensor=${id}`);
    await page.getByText('The values of spelled are numbers, but').waitFor();
    assert.equal(await page.getByLabel('Above', { exact: true }).inputValue(), '');
    await inspectConsole(page, 'trigger-text');
    await page.getByRole('button', { name: 'Read them as numbers' }).click();
    await page.getByText('It would not have fired').waitFor();
    assert.match(await page.getByLabel('Above', { exact: true }).inputValue(), /^2\d/);
    assert.equal((await user.api.get(`/sensors/${id}`)).body.sensor.data_type, 'float');
    await page.goto(`${platform.url}/console/sensors/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Values').selectOption('Text');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText(/ · Text · /).waitFor();
  });
});
