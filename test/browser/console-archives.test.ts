import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { ARCHIVES } from '../../src/platform/words/german/archives';
import { entriesOf, exportedZip, finishArchives, linesOf, writeZip } from '../support/archives';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, openConsole, saidInGerman, watchErrors } from '../support/console';
import { buildSensor, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

const PASSPHRASE = 'correct horse battery staple';

describe('exports and imports in the console', function () {
  this.timeout(90_000);
  const platform = usePlatform();
  const browser = useBrowser();
  const user = useUser(platform);
  const other = useUser(platform);
  let zip: Buffer;

  before(async () => {
    ensureConsole();
    const id = await buildSensor(user, { name: 'freezer' });
    await upload(user, id, [
      { value: -18.5, date: 1_795_229_500 },
      { value: -18.25, date: 1_795_229_560 },
    ]);
    zip = await exportedZip(platform, user);
    await platform.query('DELETE FROM archive_parts');
    await platform.query('DELETE FROM archives');
  });

  const rowOf = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody tr').first();
  const send = async (page: Page, buffer: Buffer) => {
    await page.locator('input[type=file]').setInputFiles({ name: 'export.zip', mimeType: 'application/zip', buffer });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
  };

  it('make a file of the account, with its secrets for the password, and download it', async () => {
    const page = await openConsole(browser, platform, user, '/account');
    const errors = watchErrors(page);
    await page.getByRole('link', { name: 'Export and import' }).click();
    await page.getByRole('button', { name: 'Export everything' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: /With the secrets/ }).check();
    await dialog.getByLabel('Current password').fill(user.username);
    await dialog.getByLabel('Passphrase').fill('too short');
    await dialog.getByRole('button', { name: 'Export' }).click();
    await dialog.getByRole('alert').getByText('At least 12 characters.').waitFor();
    await dialog.getByLabel('Passphrase').fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Export' }).click();
    await rowOf(page, 'Export').getByText('waiting').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Export everything' }).count(), 0);
    await finishArchives(platform);
    await rowOf(page, 'Export').getByText('finished').waitFor();
    await rowOf(page, 'Export').getByText('1 sensor, 2 points').waitFor();
    await inspectConsole(page, 'account-export');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    const entries = await entriesOf(readFileSync(await download.path()));
    assert.deepEqual(
      linesOf(entries, 'sensors.ndjson').map(({ sensor }) => sensor.name),
      ['freezer'],
    );
    assert.ok(entries.has('secrets.enc'));
    await page.getByRole('button', { name: 'Delete' }).click();
    await rowOf(page, 'Export').getByText('cancelled').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Download' }).count(), 0);
    assert.deepEqual(errors, []);
  });

  it('add what a file has, and say what was not carried over', async () => {
    const page = await openConsole(browser, platform, other, '/account/export');
    const errors = watchErrors(page);
    await send(page, zip);
    await rowOf(page, 'Import').getByText('in progress').waitFor();
    await finishArchives(platform);
    const row = rowOf(page, 'Import');
    await row.getByText('finished').waitFor();
    await row.getByText('Sensors: 1 added, 0 there already').waitFor();
    await row.getByText('2 points').waitFor();
    await row.getByText('What was not carried over').click();
    await row.getByText('members of groups: they join by themselves').waitFor();
    await inspectConsole(page, 'account-import');
    assert.deepEqual(errors, []);
    const { body } = await other.api.get('/sensors');
    assert.deepEqual(
      body.sensors.map(({ name }: { name: string }) => name),
      ['freezer'],
    );
  });

  it('say in German why a file was refused, and which entry is wrong', async () => {
    const page = await openConsole(browser, platform, other, '/account/export', { locale: 'de-AT' });
    await send(page, Buffer.from('no file of an export'));
    await page
      .getByRole('alert')
      .getByText(`${ARCHIVES['the body must be the zip file of an export'].slice(1)}.`)
      .waitFor();
    await page.reload();
    await send(page, await writeZip({ 'manifest.json': '{"format":"another"}' }));
    await rowOf(page, 'Import').getByText(saidInGerman('in progress')).waitFor();
    await finishArchives(platform);
    const why = ARCHIVES['the format {format} is not known'].replace('{format}', 'another');
    await page.getByText(`manifest.json: ${why}`).waitFor();
    await inspectConsole(page, 'account-import-german');
  });
});
