import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { inspectConsole, saidInGerman, useConsole, watchErrors } from '../support/console';
import { buildSensor, buildTrigger, connectTrigger, share, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

describe('labels in the console', function () {
  this.timeout(90_000);
  const platform = usePlatform();
  const user = useUser(platform);
  const friend = useUser(platform);
  const open = useConsole(platform, user);

  const tag = async (id: string, metatags: object, { api } = user, namespace = 'default') => {
    const answer = await api.put(`/sensors/${id}/metatags?namespace=${namespace}`, { metatags });
    assert.equal(answer.status, 200);
  };
  const tags = async (id: string, namespace = 'default') =>
    (await user.api.get(`/sensors/${id}/metatags?namespace=${namespace}`)).body.metatags;
  const openWith = async (...columns: string[]) => {
    const page = await open('/sensors');
    await page.evaluate((stored) => localStorage.setItem('sensors-view', stored), JSON.stringify({ columns }));
    await page.reload();
    return page;
  };

  it('are edited in the table: Enter stores one metatag, Escape leaves, an error says why', async () => {
    const [first, second, foreign] = [
      await buildSensor(user, { name: 'freezer 1' }),
      await buildSensor(user, { name: 'freezer 2' }),
      await buildSensor(friend, { name: 'freezer 3' }),
    ];
    await tag(first, { limit: 8, kind: 'freezer' });
    await tag(first, { limit: 3 }, user, 'shop');
    await tag(second, { zone: ['one, two'] });
    await tag(foreign, { limit: 5 }, friend);
    await share(friend, foreign, user);
    const page = await openWith('tag:limit', 'tag:shop:limit', 'tag:zone');
    const errors = watchErrors(page);
    const pencil = (what: string) => page.getByRole('button', { name: `Edit ${what}`, exact: true });
    const field = (what: string) => page.getByRole('textbox', { name: what, exact: true });
    await pencil('limit of freezer 1').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await field('limit of freezer 2').fill('-18,5');
    await inspectConsole(page, 'sensors-edited');
    await page.keyboard.press('Enter');
    await pencil('limit of freezer 2').and(page.locator(':focus')).waitFor();
    assert.deepEqual(await tags(second), { zone: ['one, two'], limit: ['-18.5'] });
    await page
      .getByRole('row', { name: /freezer 2/ })
      .getByText('-18.5')
      .waitFor();
    await page.keyboard.press('Enter');
    await field('limit of freezer 2').fill('99');
    await page.keyboard.press('Escape');
    await pencil('limit of freezer 2').and(page.locator(':focus')).waitFor();
    await pencil('shop:limit of freezer 1').click();
    await field('shop:limit of freezer 1').fill('4, 2');
    await page.keyboard.press('Enter');
    await pencil('shop:limit of freezer 1').waitFor();
    assert.deepEqual(
      [await tags(first, 'shop'), await tags(first)],
      [{ limit: ['4', '2'] }, { limit: [8], kind: ['freezer'] }],
    );
    await pencil('limit of freezer 1').click();
    await field('limit of freezer 1').fill('x'.repeat(101));
    await page.keyboard.press('Enter');
    await page.getByText(/is longer than 100 characters/).waitFor();
    await inspectConsole(page, 'sensors-edit-refused');
    await field('limit of freezer 1').fill('');
    await page.keyboard.press('Enter');
    await pencil('limit of freezer 1').waitFor();
    assert.deepEqual(await tags(first), { kind: ['freezer'] });
    assert.equal(await pencil('limit of freezer 3').count(), 0, 'it is not mine');
    assert.equal(await pencil('zone of freezer 2').count(), 0, 'it has a comma');
    assert.deepEqual(await tags(second), { zone: ['one, two'], limit: ['-18.5'] });
    assert.deepEqual(errors, []);
  });

  const savedText = async (page: Page, click: () => Promise<void>) => {
    const [download] = await Promise.all([page.waitForEvent('download'), click()]);
    return readFileSync(await download.path(), 'utf8');
  };
  const choose = (page: Page, label: string, text: string) =>
    page.getByLabel(label).setInputFiles({ name: 'labels.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

  it('leave as a file and come back: the rule decides by the new limit', async () => {
    const first = await buildSensor(user, { name: 'walk 1' });
    const second = await buildSensor(user, { name: 'walk 2', display_name: 'Second' });
    for (let n = 0; n < 2; n += 1) await buildSensor(user, { name: 'walk door' });
    await tag(first, { limit: 8 });
    await tag(second, { limit: 9, kind: 'freezer' });
    const trigger = await buildTrigger(user, { expression: 'sensor_data_value > label("limit", 100)', repeat: 0 });
    await connectTrigger(user, first, trigger);
    const decided = async (value: number) => {
      await upload(user, first, { value });
      await platform.settle();
      const [{ reason, variables }] = (await user.api.get(`/sensors/${first}/triggers/${trigger}/decisions`)).body
        .decisions;
      return [reason, variables.labels];
    };
    assert.deepEqual(await decided(10), ['fired', { limit: 8 }]);
    const page = await openWith('tag:limit');
    const errors = watchErrors(page);
    await page.getByRole('combobox', { name: 'Find sensors' }).fill('walk');
    await page.getByRole('status').getByText(/^4 of/).waitFor();
    await page.getByRole('button', { name: 'Labels …' }).click();
    const dialog = page.getByRole('dialog');
    const text = await savedText(page, () => dialog.getByRole('button', { name: 'Download 4 sensors as CSV' }).click());
    assert.deepEqual(text.split('\r\n').slice(0, 3), [
      '\ufeffid,name,limit',
      `${second},Second,9`,
      `${first},walk 1,8`,
    ]);
    await choose(page, 'Labels from a file', `${text.replace('walk 1,8', 'walk 1,20.5')},cellar,3\r\n,walk door,4\r\n`);
    await dialog.getByText('4 sensors found. 1 label changes.').waitFor();
    await dialog.getByRole('row', { name: 'walk 1 limit 8 20.5' }).waitFor();
    await dialog.getByRole('row', { name: '6 cellar no sensor has this name' }).waitFor();
    await dialog.getByRole('row', { name: '7 walk door 2 sensors have this name: add a column id' }).waitFor();
    assert.deepEqual(await tags(first), { limit: [8] }, 'nothing is stored yet');
    await inspectConsole(page, 'labels-file');
    await dialog.getByRole('button', { name: 'Store 1 label' }).click();
    await dialog.getByText('1 sensor changed.').waitFor();
    await dialog.getByText('2 lines are left out.').waitFor();
    await inspectConsole(page, 'labels-stored');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page
      .getByRole('row', { name: /walk 1/ })
      .getByText('20.5')
      .waitFor();
    assert.deepEqual([await tags(first), await tags(second)], [{ limit: ['20.5'] }, { limit: [9], kind: ['freezer'] }]);
    assert.deepEqual(await decided(15), ['resolved', { limit: 20.5 }]);
    assert.deepEqual(errors, []);
  });

  it('have semicolons and decimal commas in German, and a refused label does not keep the others', async () => {
    const [first, second] = [await buildSensor(user, { name: 'hall 1' }), await buildSensor(user, { name: 'hall 2' })];
    await tag(first, { limit: -18.5 });
    const german = (text: string, n = 0) => saidInGerman(text).replace('{n}', String(n));
    const file = german('Labels from a file');
    const page = await open('/sensors?q=hall', { locale: 'de-DE' });
    await page.getByRole('button', { name: 'Labels …' }).click();
    const text = await savedText(page, () =>
      page.getByRole('button', { name: german('Download {n} sensors as CSV', 2) }).click(),
    );
    assert.match(text, /;hall 1;[^;]*;-18,5/);
    await choose(page, file, 'name;limit\r\nhall 2');
    await page.getByText(german('{n} labels change.', 0)).waitFor();
    await choose(page, file, 'sensor;limit\r\nhall 2;4');
    await page.getByText(german('The first line must name the column id or name.')).waitFor();
    await choose(page, file, `name;limit\r\nhall 1;${'x'.repeat(101)}\r\nhall 2;-20,5`);
    await page.getByRole('button', { name: german('Store {n} labels', 2) }).click();
    await page.getByText(german('{n} sensor changed.', 1)).waitFor();
    await page.getByText(german('{n} sensor was not changed: {why}', 1).split('{')[0] ?? '').waitFor();
    await inspectConsole(page, 'labels-refused');
    assert.deepEqual([await tags(first), await tags(second)], [{ limit: [-18.5] }, { limit: ['-20.5'] }]);
  });
});
