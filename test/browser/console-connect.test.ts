import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, signIn, watchErrors } from '../support/console';
import { buildSensor, createKey, upload } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';

const run = promisify(execFile);
const ACCOUNT = { Username: 'ada', Email: 'ada@example.org', Password: 'a password of mine' };

describe('connecting a device in the console', function () {
  this.timeout(90_000);
  before(ensureConsole);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const browser = useBrowser();

  const open = () =>
    browser.open({ javaScriptEnabled: true, locale: 'en-GB', permissions: ['clipboard-read', 'clipboard-write'] });
  const copied = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()');

  it('takes six clicks from an account to the first point, by code that works as it was copied', async () => {
    const page = await open();
    const errors = watchErrors(page);
    let clicks = 0;
    const click = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      clicks += 1;
    };
    const follow = async (name: string | RegExp) => {
      await page.getByRole('link', { name }).click();
      clicks += 1;
    };
    await page.goto(platform.url);
    await click('Create an account');
    for (const [label, text] of Object.entries(ACCOUNT)) await page.getByLabel(label).fill(text);
    await click('Create the account');
    await follow('Connect a device');
    await page.getByRole('link', { name: /^HTTP/ }).waitFor();
    await inspectConsole(page, 'connect');
    await follow(/^HTTP/);
    await inspectConsole(page, 'connect-http');
    await click('Create sensor and key');
    await page.getByText('Listening …').waitFor();
    await inspectConsole(page, 'connect-listening');
    await click('Copy the code');
    await page.getByText('Copied.').waitFor();
    assert.equal(clicks, 6);
    const begun = performance.now();
    const { stdout } = await run('bash', ['-c', await copied(page)], { timeout: 20_000 });
    assert.match(stdout, /"accepted":1/);
    await page.getByText('The first value has arrived.').waitFor();
    await page.getByText('min 21.5 · mean 21.5 · max 21.5').waitFor();
    console.log(`    from curl to the chart: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    await page.getByText('The numbers in the code are samples.').getByRole('link', { name: 'Data' }).waitFor();
    await inspectConsole(page, 'connect-arrived');
    await click('Node.js');
    await click('Copy the code');
    const { stdout: printed } = await run(process.execPath, ['--input-type=module', '-e', await copied(page)]);
    assert.match(printed, /^201 /);
    await click('Done');
    assert.equal(await page.getByText('key_').count(), 0, 'the key is put away');
    assert.deepEqual(errors, []);
  });

  it('makes a key for a sensor that is there, which can upload to it and to nothing else', async () => {
    const id = await buildSensor(user, { name: 'freezer' });
    const other = await buildSensor(user, { name: 'cellar' });
    await upload(user, id, { value: -18 });
    const page = await open();
    await signIn(page, platform.url, user);
    await page.goto(`${platform.url}/console/sensors/${id}`);
    await page.getByRole('button', { name: 'Connect a device' }).click();
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('Values appear in the chart as they arrive.').waitFor();
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByText('Copied.').waitFor();
    const key = await copied(page);
    const send = async (sensor: string) =>
      (await platform.anonymous.post(`/sensors/${sensor}/data`, { value: 1 }, { Authorization: `Bearer ${key}` }))
        .status;
    assert.deepEqual([await send(id), await send(other)], [201, 404]);
    const [made] = (await user.api.get('/keys')).body.keys;
    assert.deepEqual([made.name, made.scopes, made.sensors], ['freezer', ['data:write'], [id]]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal(await page.getByText(key).count(), 0);
  });

  it('changes an empty page into a chart as soon as a point is stored, which fits the data', async () => {
    const id = await buildSensor(user, { name: 'new one' });
    const { secret } = await createKey(user, { sensors: [id], scopes: ['data:write'] });
    const page = await open();
    await signIn(page, platform.url, user);
    const streamed = page.waitForResponse(/sensors\/data\/stream/);
    await page.goto(`${platform.url}/console/sensors/${id}`);
    await page.getByRole('heading', { name: 'No data yet' }).waitFor();
    await streamed;
    const nowSeconds = Date.now() / 1000;
    const data = [20, 15, 10, 5].map((ago) => ({ date: nowSeconds - ago, value: ago }));
    const begun = performance.now();
    await platform.anonymous.post(`/sensors/${id}/data`, { data }, { Authorization: `Bearer ${secret}` });
    await page.getByText('min 5 · mean 12.5 · max 20').waitFor({ timeout: 8_000 });
    console.log(`    from a point to the chart: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    const shown = (await page.locator('span.numbers', { hasText: ' – ' }).first().textContent()) ?? '';
    const [from = Number.NaN, to = Number.NaN] = shown.split(' – ').map((date) => Date.parse(date) / 1000);
    assert.ok(to - from <= 60, `15 seconds of data are shown in ${to - from} s: ${shown}`);
    await inspectConsole(page, 'sensor-first-points');
  });
});
