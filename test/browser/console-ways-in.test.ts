import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { tabTo } from '../support/browser';
import { inspectConsole, useConsole, watchErrors } from '../support/console';
import { buildSensor, createKey } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import type { TestUser } from '../support/platform';

const LINE = 'weather,station=roof temp=11.5,humidity=80';
const PERMISSIONS = ['clipboard-read', 'clipboard-write'];

describe('the ways in, in the console', function () {
  this.timeout(90_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);

  const open = useConsole(platform, user, { permissions: PERMISSIONS });
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const copied = async (page: Page, name: string): Promise<string> => {
    await press(page, name);
    await page.getByText('Copied.').waitFor();
    return page.evaluate('navigator.clipboard.readText()');
  };
  const write = (token: string, lines: string) =>
    fetch(`${platform.url}/api/v2/write`, {
      method: 'POST',
      headers: { authorization: `Token ${token}` },
      body: lines,
    });

  it('lead from a choice to a key, a configuration and the sensor of the first message', async () => {
    const page = await open('/');
    const errors = watchErrors(page);
    await page.getByRole('link', { name: 'Connect a device' }).click();
    await page.getByRole('heading', { name: 'Connect a device', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Telegraf' }).waitFor();
    const groups = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
    assert.deepEqual(groups, ['Programs of your own', 'Agents and home automation', 'LoRaWAN', 'Weather stations']);
    await tabTo(page, 'link', /^Telegraf/);
    await page.keyboard.press('Enter');
    await page.getByText('token = "key_…"').waitFor();
    await inspectConsole(page, 'way-without-key');
    await press(page, 'Create the key');
    await page.getByText('Waiting for the first message …').waitFor();
    await inspectConsole(page, 'way-waiting');
    const text = await copied(page, 'Copy the text');
    const [key] = (await user.api.get('/keys')).body.keys;
    assert.deepEqual([key.scopes, key.create_limit], [['data:write', 'sensors:create'], 1000]);
    const [, url = '', token = ''] = /urls = \["(.*)"\]\n {2}token = "(.*)"/.exec(text) ?? [];
    assert.equal(url, platform.url);
    assert.equal((await write(token, LINE)).status, 204);
    await page.getByText('The first message has arrived.').waitFor();
    await inspectConsole(page, 'way-arrived');
    await page.getByRole('link', { name: 'weather,station=roof' }).click();
    await page.getByRole('heading', { name: 'weather', level: 1 }).waitFor();
    assert.deepEqual(errors, []);
  });

  it('say that a key is in use if what it sends makes no new series', async () => {
    const { secret } = await createKey(user, { scopes: ['data:write', 'sensors:create'] });
    await write(secret, LINE);
    const page = await open('/connect/influx');
    await press(page, 'Create the key');
    await page.getByText('Waiting for the first message …').waitFor();
    const token = await copied(page, 'Copy: Token');
    await write(token, LINE);
    await page.getByText('The key is in use.').waitFor();
    await press(page, 'Done');
    assert.equal(await page.getByText(token).count(), 0, 'the key is put away');
  });

  it('fill in every configuration completely', async () => {
    const page = await open('/connect');
    await page.getByRole('link', { name: 'Telegraf' }).waitFor();
    const links = await page
      .locator('.ways-in a')
      .evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute('href')));
    assert.ok(links.length > 9);
    for (const link of links.filter((one) => one?.includes('/connect/'))) {
      await page.goto(`${platform.url}${link}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('button', { name: /^Create/ }).waitFor();
      const text = (await page.getByRole('main').textContent()) ?? '';
      assert.doesNotMatch(text, /\{\{|undefined|[`*]/, String(link));
    }
    for (const way of ['ecowitt', 'home-assistant']) {
      await page.goto(`${platform.url}/console/connect/${way}`);
      await page.getByRole('heading', { name: '2. Set it up' }).waitFor();
      await inspectConsole(page, `way-${way}`);
    }
    await page.goto(`${platform.url}/console/connect/nothing`);
    await page.getByText('There is no such device.').waitFor();
  });

  it('list the series, and lead them to another sensor', async () => {
    const { secret } = await createKey(user, { scopes: ['data:write', 'sensors:create'] });
    await write(secret, `${LINE}\nweather,station=cellar temp=9`);
    const other = await buildSensor(user, { name: 'the roof', data_type: 'json' });
    const page = await open('/series');
    const errors = watchErrors(page);
    await page.getByText('2 names').waitFor();
    await inspectConsole(page, 'series');
    await page.getByLabel('Find series').fill('ROOF');
    await page.getByText('1 of 2 names').waitFor();
    await press(page, 'Change sensor: weather,station=roof');
    await page.getByRole('checkbox', { name: /^the roof/ }).check();
    await inspectConsole(page, 'series-lead');
    await press(page, 'Save');
    await page.getByRole('link', { name: 'the roof' }).waitFor();
    await write(secret, LINE);
    assert.equal((await user.api.get(`/sensors/${other}/data`)).body.data.length, 1);
    await page.goto(`${platform.url}/console/sensors/${other}/about`);
    await page.getByText('influx · weather,station=roof').waitFor();
    await inspectConsole(page, 'sensor-with-series');
    await page.getByRole('link', { name: 'Show the series' }).click();
    await page.getByText('1 name', { exact: true }).waitFor();
    await press(page, 'Forget weather,station=roof');
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
    await page.getByText('No series yet').waitFor();
    assert.deepEqual(await namesOf(user), ['weather,station=cellar']);
    assert.deepEqual(errors, []);
  });

  it('make keys with a limit of sensors', async () => {
    const page = await open('/account/keys');
    await press(page, 'New key');
    await page.getByLabel('Name', { exact: true }).fill('gateway');
    await page.getByLabel(/^create a sensor for each new name/).check();
    await page.getByLabel('Maximum number of sensors it may create').fill('20');
    await inspectConsole(page, 'new-key');
    await press(page, 'Create');
    await press(page, 'Done');
    await page.getByText('at most 20 sensors').waitFor();
    const [key] = (await user.api.get('/keys')).body.keys;
    assert.deepEqual([key.scopes, key.create_limit], [['data:write', 'sensors:create'], 20]);
  });
});

async function namesOf(user: TestUser): Promise<string[]> {
  return (await user.api.get('/series')).body.series.map(({ name }: { name: string }) => name);
}
