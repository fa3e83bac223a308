import assert from 'node:assert/strict';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, openConsole, watchErrors } from '../support/console';
import { buildSensor, create, upload } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { until } from '../support/until';

const at = (text: string) => Date.parse(text) / 1000;

describe('dates in the console', function () {
  this.timeout(90_000);
  before(ensureConsole);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const browser = useBrowser();

  const open = (path: string, reader: { session: string } = user) =>
    openConsole(browser, platform, reader, path, { timezoneId: 'Europe/Berlin' });
  const stored = async (id: string) => {
    const { data } = (await user.api.get(`/sensors/${id}/data?per_page=1000`)).body;
    return data.map(({ date }: { date: number }) => new Date(date * 1000).toISOString());
  };

  it('of a file are refused before anything is stored where no clock shows them, and named where two do', async () => {
    const id = await buildSensor(user, { name: 'night', data_type: 'float' });
    const page = await open(`/sensors/${id}`);
    const errors = watchErrors(page);
    await page.getByRole('button', { name: 'Upload data' }).click();
    const dialog = page.getByRole('dialog');
    const times = ['2026-03-29 01:30', '2026-03-29 02:30', '2026-03-29 03:30', '2026-10-25 02:30', '2026-10-25 03:30'];
    const text = ['date,value', ...times.map((time, value) => `${time},${value}`)].join('\n');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'night.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const refused = '1 line with a time that the clocks skip (Europe/Berlin): 3 (2026-03-29 02:30).';
    await dialog.getByText(refused).waitFor();
    await dialog
      .getByText(
        '1 line has a time that occurs twice in Europe/Berlin, because the clocks go back. The first is meant (line 5).',
      )
      .waitFor();
    assert.deepEqual(await stored(id), []);
    await inspectConsole(page, 'upload-no-such-time');
    await dialog.getByLabel('Time zone of the dates').selectOption('UTC');
    await dialog.getByText(refused).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Upload 5 points' }).waitFor();
    await dialog.getByLabel('Time zone of the dates').selectOption('Europe/Berlin');
    await dialog.getByRole('button', { name: 'Upload 4 points' }).click();
    await page.getByText('4 points are stored.').waitFor();
    const utc = ['2026-03-29T00:30', '2026-03-29T01:30', '2026-10-25T00:30', '2026-10-25T02:30'];
    assert.deepEqual(
      await stored(id),
      utc.map((time) => `${time}:00.000Z`),
    );
    assert.deepEqual(errors, []);
  });

  it('limit what is deleted, after the number of points is shown', async () => {
    const id = await buildSensor(user, { name: 'meter' });
    const dates = Array.from({ length: 20 }, (_, hour) => at('2026-03-28T20:00:00Z') + hour * 3_600);
    await upload(user, id, [
      ...dates.map((date, value) => ({ date, value })),
      { date: at('2026-03-29T01:00:00.500Z'), value: 99 },
    ]);
    await platform.settle();
    const page = await open(`/sensors/${id}/data`);
    const errors = watchErrors(page);
    await page.getByText('21 points', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete a range' }).click();
    const dialog = page.getByRole('dialog');
    const [from, to] = [dialog.getByLabel('From', { exact: true }), dialog.getByLabel('To', { exact: true })];
    const button = dialog.getByRole('button', { name: 'Delete the range' });
    assert.ok(await button.isDisabled(), 'both ends are required');
    await from.fill('2026-03-29T02:30');
    await to.fill('2026-03-29T03:00');
    await dialog.getByText('29 Mar 2026, 02:30:00 does not exist in Europe/Berlin: the clocks go forward.').waitFor();
    assert.ok(await button.isDisabled());
    await inspectConsole(page, 'delete-range-no-such-time');
    await from.fill('2026-10-25T02:30');
    await dialog.getByText('25 Oct 2026, 02:30:00 occurs twice in Europe/Berlin').waitFor();
    await dialog.getByText('“To” must not be before “From”.').waitFor();
    await from.fill('2026-03-28T22:00');
    await dialog
      .getByText(
        'All 6 points from 28 Mar 2026, 22:00:00 to 29 Mar 2026, 03:00:00 will be deleted for everyone. This cannot be undone.',
      )
      .waitFor();
    await inspectConsole(page, 'delete-range');
    assert.equal((await stored(id)).length, 21, 'nothing is deleted before the question is answered');
    await button.click();
    await page.getByText('6 points were deleted.').waitFor();
    await page.getByText('15 points', { exact: true }).waitFor();
    await page.getByRole('row', { name: /29 Mar 2026, 03:00:00/ }).waitFor({ state: 'detached' });
    const left = await stored(id);
    assert.deepEqual([left.length, left[0], left[1]], [15, '2026-03-28T20:00:00.000Z', '2026-03-29T02:00:00.000Z']);
    await page.getByRole('link', { name: 'Chart', exact: true }).click();
    await page.getByText(/^min 0 · mean .* · max 19/).waitFor();
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await page.getByRole('button', { name: 'Delete a range' }).click();
    await from.fill('2026-01-01T00:00');
    await to.fill('2026-01-02T00:00');
    await dialog.getByText('There are no points from').waitFor();
    assert.ok(await button.isDisabled());
    assert.deepEqual(errors, []);
  });

  it('are deleted request by request while there are more, and only by the owner', async () => {
    const id = await buildSensor(user, { name: 'long' });
    await upload(
      user,
      id,
      Array.from({ length: 30 }, (_, value) => ({ date: at('2026-03-01T00:00:00Z') + value, value })),
    );
    const page = await open(`/sensors/${id}/data`);
    const answers = [
      { deleted: 4_000, more: true },
      { deleted: 2_000, more: true },
    ];
    let requests = 0;
    await page.route(`**/sensors/${id}/data?*`, async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue();
      requests += 1;
      const json = answers.shift();
      return json ? route.fulfill({ json }) : route.continue();
    });
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete a range' }).click();
      await page.getByLabel('From', { exact: true }).fill('2026-03-01T01:00:00');
      await page.getByLabel('To', { exact: true }).fill('2026-03-01T01:00:09');
      await page.getByText('All 10 points').waitFor();
      await page.getByRole('button', { name: 'Delete the range' }).click();
    };
    await remove();
    await page.getByText('6,010 points were deleted.').waitFor();
    assert.equal(requests, 3);
    await page.getByText('20 points', { exact: true }).waitFor();
    await page.unroute(`**/sensors/${id}/data?*`);
    const reader = await platform.user();
    await create(user, `/sensors/${id}/users`, { user: { id: reader.id } });
    const other = await open(`/sensors/${id}/data`, reader);
    await other.getByText('20 points', { exact: true }).waitFor();
    assert.equal(await other.getByRole('button', { name: 'Delete a range' }).count(), 0);
  });

  it('say how many points were deleted where a request fails, or the dialog is closed', async () => {
    const id = await buildSensor(user, { name: 'broken' });
    await upload(user, id, [{ date: at('2026-03-01T00:00:00Z'), value: 1 }]);
    const page = await open(`/sensors/${id}/data`);
    let answer = () => {};
    let requests = 0;
    await page.route(`**/sensors/${id}/data?*`, async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue();
      requests += 1;
      if (requests === 2) return route.fulfill({ status: 500, json: { error: 'something broke', code: 'internal' } });
      if (requests > 2)
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      return route.fulfill({ json: { deleted: 2_000, more: true } });
    });
    await page.getByRole('button', { name: 'Delete a range' }).click();
    await page.getByLabel('From', { exact: true }).fill('2026-03-01T00:00');
    await page.getByLabel('To', { exact: true }).fill('2026-03-02T00:00');
    await page.getByText('1 point from').waitFor();
    const button = page.getByRole('button', { name: 'Delete the range' });
    await button.click();
    const failed = '2,000 points deleted, then it failed: Something broke. Delete the range again.';
    await page.getByRole('alert').getByText(failed).waitFor();
    await button.click();
    await until('the next request waits', async () => requests === 3);
    await page.getByRole('button', { name: 'Cancel' }).click();
    answer();
    await page.getByText('2,000 points were deleted before you stopped.').waitFor();
    assert.equal(requests, 3);
  });
});
