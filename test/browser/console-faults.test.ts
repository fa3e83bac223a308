import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { digestOf } from '../../src/api/pages/password';
import { tabTo, useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, openConsole } from '../support/console';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { until } from '../support/until';

const PASSWORD = 'a long & "quoted" password';
const NOTHING_HAPPENS_MS = 300;

describe('the console, when something is wrong', function () {
  this.timeout(90_000);
  before(ensureConsole);
  const platform = usePlatform();
  const user = useUserPerTest(platform, { password: digestOf(PASSWORD) });
  const browser = useBrowser();

  const open = (path: string) => openConsole(browser, platform, user, path);
  const signBackIn = async (page: Page) => {
    await page.getByLabel('Username').fill(user.username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const nowSeconds = () => Math.floor(Date.now() / 1000);

  it('skips to the page by keyboard', async () => {
    const page = await open('/notifications');
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).and(page.locator(':focus')).waitFor();
    await tabTo(page, 'link', 'New notification');
  });

  it('stays signed in when a request of the previous session is answered late', async () => {
    const page = await open('/events');
    let answer: () => void = () => {};
    const isSignedIn = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let held = 0;
    await page.route(/\/groups\?/, async (route) => {
      held += 1;
      if (held > 1) return route.continue();
      await isSignedIn;
      await route.fulfill({ status: 401, json: { error: 'unauthorized', code: 'session_required' } });
    });
    const late = page.waitForResponse(/\/groups\?/);
    await page.reload();
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await platform.query('DELETE FROM sessions WHERE user_id = ?', [user.id]);
    // Something else that the page asks for may show the sign-in first.
    await page
      .getByRole('link', { name: 'Triggers' })
      .click({ timeout: 3_000 })
      .catch(() => {});
    await signBackIn(page);
    await page.getByRole('heading', { level: 1, name: /^(Events|Triggers)$/ }).waitFor();
    answer();
    await (await late).finished();
    await page.waitForTimeout(NOTHING_HAPPENS_MS);
    assert.equal(await page.getByRole('button', { name: 'Sign in' }).count(), 0);
  });

  it('brings the reason of a refusal into view, with the name of the field', async () => {
    for (let at = 0; at < 30; at += 1) await buildSensor(user, { name: `sensor ${at}` });
    const page = await open('/mutes');
    await page.getByRole('button', { name: 'New mute' }).click();
    await page.getByLabel('Name').fill('Nights');
    await page.getByRole('button', { name: 'Hours of the week' }).click();
    await page.getByLabel('From', { exact: true }).fill('');
    await page.getByRole('dialog').getByRole('checkbox').last().check();
    await page.getByRole('dialog').getByRole('button', { name: 'Mute', exact: true }).click();
    const alert = page.getByRole('alert').getByText('“From” must be a time such as 22:00.');
    await alert.waitFor();
    await until('the reason is in view', async () => {
      const box = await page.getByRole('alert').boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= 800;
    });
    for (let day = 0; day < 7; day += 1)
      await page.getByRole('group', { name: 'Days' }).getByRole('checkbox').nth(day).uncheck();
    await page.getByLabel('From', { exact: true }).fill('22:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Mute', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/^“Days” /)
      .waitFor();
  });

  it('loads a page that was opened offline once the connection is back, and is not live meanwhile', async () => {
    const id = await buildSensor(user, { name: 'pulse' });
    await upload(user, id, { value: 10 });
    const page = await open(`/sensors/${id}`);
    await page.getByText('live', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline. This is the last data received').waitFor();
    await page.getByText('live', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Environments' }).click();
    await page.getByRole('heading', { name: 'The page could not be loaded' }).waitFor();
    await inspectConsole(page, 'page-offline');
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Environments', level: 1 }).waitFor();
    await page.goto(`${platform.url}/console/sensors/${id}`);
    await page.getByText('live', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('live', { exact: true }).waitFor({ state: 'detached' });
    await page.context().setOffline(false);
    await page.getByText('live', { exact: true }).waitFor();
    await upload(user, id, { value: 20 });
    await page.getByText('min 10 · mean 15 · max 20').waitFor();
  });

  it('counts the characters of a rule in one way, while it is typed and when it is refused', async () => {
    const id = await buildSensor(user);
    await upload(user, id, { value: 10 });
    const page = await open(`/triggers/new?sensor=${id}`);
    await page.getByLabel('Name').fill('broken');
    await page.getByLabel('Fires when').selectOption('own');
    await page.getByLabel('Expression').fill('sensor_data_value = 30');
    await page.getByText(/^Character 19: /).waitFor();
    await page.getByRole('button', { name: 'Create the trigger' }).click();
    await page
      .getByRole('alert')
      .getByText(/^“Fires when” .* at character 19/)
      .waitFor();
  });

  it('shows at a glance which sensors have stopped', async () => {
    const quiet = await buildSensor(user, { name: 'stopped' });
    const alive = await buildSensor(user, { name: 'alive', expected_interval: 86_400 });
    const points = (end: number) => Array.from({ length: 48 }, (_, at) => ({ date: end - at * 1_800, value: at % 7 }));
    await upload(user, quiet, points(nowSeconds() - 2 * 86_400 - 60));
    await upload(user, alive, points(nowSeconds() - 43_200));
    const page = await open('/sensors');
    await page.getByRole('row', { name: /stopped .*no data for 2 d/ }).waitFor();
    const row = page.getByRole('row', { name: /alive/ });
    const area = row.locator('.spark .area');
    await area.waitFor({ state: 'attached' });
    const xs = [...((await area.getAttribute('d')) ?? '').matchAll(/[ML]([\d.]+) /g)].map(([, x]) => Number(x));
    assert.ok(Math.max(...xs) < 80 && Math.max(...xs) > 60, `the line of a day ends in its middle: ${Math.max(...xs)}`);
    assert.equal(
      await page
        .getByRole('row', { name: /stopped/ })
        .locator('.spark')
        .count(),
      0,
    );
    await inspectConsole(page, 'sensors-stopped');
  });

  it('lists all sensors to pick, and finds them by the search', async () => {
    const names = Array.from({ length: 205 }, (_, at) => `meter ${String(at).padStart(3, '0')}`);
    for (let from = 0; from < names.length; from += 41) {
      await Promise.all(names.slice(from, from + 41).map((name) => buildSensor(user, { name })));
    }
    const page = await open('/triggers/new');
    await page.getByRole('checkbox', { name: 'meter 204' }).waitFor();
    await page.getByRole('combobox', { name: 'Find sensors' }).fill('"meter 20"');
    await page.getByText('5 of 205 sensors', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'meter 204' }).check();
    await page.getByText('5 of 205 sensors, 1 chosen').waitFor();
    await page.getByRole('button', { name: 'Choose all 5 sensors' }).click();
    await page.getByText('5 of 205 sensors, 5 chosen').waitFor();
  });

  it('keeps what was being written when the session ends, and nothing after a sign-out', async () => {
    const sensor = await buildSensor(user, { name: 'cellar' });
    await upload(user, sensor, { value: 10 });
    const page = await open(`/triggers/new?sensor=${sensor}`);
    await page.getByLabel('Name').fill('Half of a rule');
    await page.getByLabel('Fires when').selectOption('below');
    await page.getByLabel('Below', { exact: true }).fill('77');
    await page.getByLabel('For at least', { exact: true }).fill('10');
    await user.api.delete('/sessions');
    await user.api.post('/logout');
    // Unless a request in the background has found out before.
    const save = page.getByRole('button', { name: 'Create the trigger' });
    await save.click({ timeout: 5_000 }).catch(() => {});
    await page.getByText('Your session has ended.').waitFor();
    await signBackIn(page);
    await until('the draft is back', async () => (await page.getByLabel('Name').inputValue()) === 'Half of a rule');
    assert.equal(await page.getByLabel('Fires when').inputValue(), 'below');
    assert.equal(await page.getByLabel('Below', { exact: true }).inputValue(), '77');
    assert.equal(await page.getByLabel('For at least', { exact: true }).inputValue(), '10');
    assert.equal(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'), '{}');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signBackIn(page);
    await page.getByRole('heading', { name: 'New trigger' }).waitFor();
    await until('the draft is gone', async () => (await page.getByLabel('Name').inputValue()) !== 'Half of a rule');
  });

  it('keeps a new environment and the note of an alert when the session ends', async () => {
    const sensor = await buildSensor(user, { name: 'cellar' });
    await connectTrigger(user, sensor, await buildTrigger(user, { name: 'Too warm' }));
    await upload(user, sensor, { value: 1_000 });
    await platform.settle();
    const page = await open('/environments');
    const endSession = async () => {
      await page.context().clearCookies();
      await page
        .getByRole('dialog')
        .locator('button[type=submit]')
        .click({ timeout: 5_000 })
        .catch(() => {});
      await page.getByText('Your session has ended.').waitFor();
      await signBackIn(page);
    };
    const add = () => page.getByRole('button', { name: 'New environment' }).first().click();
    await add();
    await page.getByLabel('Name', { exact: true }).fill('Half a kitchen');
    await page.getByLabel('Width in metres').fill('3.5');
    await endSession();
    await add();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Half a kitchen');
    assert.equal(await page.getByLabel('Width in metres').inputValue(), '3.5');
    await page.goto(`${platform.url}/console/alerts`);
    const acknowledge = () => page.getByRole('button', { name: 'Acknowledge Too warm' }).click();
    await acknowledge();
    await page.getByLabel('Note').fill('I am on');
    await endSession();
    await acknowledge();
    assert.equal(await page.getByLabel('Note').inputValue(), 'I am on');
  });

  it('refuses passwords that are too short wherever it sees them', async () => {
    const page = await open('/account/security');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill('seven77');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('The password needs at least 8 characters.').waitFor();
    const visitor = await browser.open({ javaScriptEnabled: true });
    await visitor.goto(`${platform.url}/console/`);
    await visitor.getByRole('button', { name: 'Create an account' }).click();
    await visitor.getByLabel('Username').fill(`new-${user.username}`);
    await visitor.getByLabel('Email').fill('new@example.org');
    await visitor.getByLabel('Password').fill('a');
    await visitor.getByRole('button', { name: 'Create the account' }).click();
    await visitor.getByText('The password needs at least 8 characters.').waitFor();
    assert.equal(
      (await platform.anonymous.post('/login', { username: user.username, password: user.password })).status,
      200,
    );
  });
});
