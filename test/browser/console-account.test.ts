import assert from 'node:assert/strict';
import { digestOf } from '../../src/api/pages/password';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, openConsole, signIn, watchErrors } from '../support/console';
import { createKey } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { statusWith } from '../support/oauth2';
import { until } from '../support/until';

describe('the account page of the console', function () {
  this.timeout(60_000);
  before(ensureConsole);
  const platform = usePlatform({ config: { TRUST_PROXY: '1' } });
  const browser = useBrowser();
  const user = useUser(platform);

  it('lists where the user is signed in, and ends one session or all others', async () => {
    const { username, password } = user;
    const login = (address: string) =>
      platform.anonymous.post('/login', { username, password }, { 'X-Forwarded-For': address });
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) await login(address);
    const page = await browser.open({ javaScriptEnabled: true });
    const errors = watchErrors(page);
    await signIn(page, platform.url, user);
    await page.goto(`${platform.url}/console/account`);
    await page.getByRole('link', { name: 'Security', exact: true }).click();
    assert.ok(page.url().endsWith('/account/security'));
    const rows = page.getByRole('table', { name: 'Where you are signed in' }).locator('tbody tr');
    await rows.first().getByText('this browser').waitFor();
    assert.equal(await rows.count(), 4);
    await page.getByRole('button', { name: /^End the session from 192\.0\.2\.2/ }).click();
    await page.getByText('192.0.2.2').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('heading', { name: 'End the 2 other sessions?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
    await page.getByText('192.0.2.3').waitFor({ state: 'detached' });
    assert.equal(await rows.count(), 1);
    const { body } = await user.api.get('/sessions');
    assert.deepEqual(
      body.sessions.map(({ current }: { current: boolean }) => current),
      [true],
    );
    await rows.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal((await user.api.get('/users/current')).status, 401);
    assert.deepEqual(errors, []);
  });

  it('changes the password, and ends keys only where the user asks for it', async () => {
    const account = await platform.user();
    const page = await browser.open({ javaScriptEnabled: true });
    const errors = watchErrors(page);
    await signIn(page, platform.url, account);
    const { secret } = await createKey(account, { name: 'gateway' });
    const keys = () => page.goto(`${platform.url}/console/account/keys`);
    const security = () => page.goto(`${platform.url}/console/account/security`);
    const change = async (from: string, to: string) => {
      await page.getByLabel('Current password').fill(from);
      await page.getByLabel('New password').fill(to);
      await page.getByRole('button', { name: 'Change the password' }).click();
    };
    await keys();
    await page.getByText('gateway').waitFor();
    await security();
    await page.getByText('At least 8 characters.').waitFor();
    await change(account.username, 'another one');
    await page.getByText('Keys and applications keep their access until you end it.').waitFor();
    assert.equal(await statusWith(platform, secret), 200);
    await page.getByRole('checkbox', { name: /^End all other access to my account, too/ }).check();
    await inspectConsole(page, 'account-password');
    await change('another one', 'a third one');
    await page.getByText('All other sessions, keys and permissions have ended.').waitFor();
    await keys();
    await page.getByText('No keys yet.').waitFor();
    assert.equal(await statusWith(platform, secret), 401);
    assert.deepEqual(errors, []);
  });

  it('has a tab with an address for each part, and keeps what was typed when the session ends', async () => {
    const account = await platform.user({ password: digestOf('a long password') });
    const page = await openConsole(browser, platform, account, '/account');
    const errors = watchErrors(page);
    for (const [tab, heading] of TABS) {
      await page.getByRole('navigation', { name: 'Parts of the account' }).getByText(tab).click();
      await page.getByRole('heading', { name: heading, level: 2 }).waitFor();
      await until('it is loaded', async () => (await page.locator('.loading').count()) === 0);
      assert.equal(await page.getByRole('link', { name: tab, exact: true }).getAttribute('aria-current'), 'page');
      await inspectConsole(page, `account-${tab.toLowerCase().replace(' ', '-')}`);
      await page.reload();
      await page.getByRole('heading', { name: heading, level: 2 }).waitFor();
    }
    await page.getByRole('navigation', { name: 'Parts of the account' }).getByText('Profile').click();
    await page.getByLabel('First name').fill('Half a na');
    await platform.query('DELETE FROM sessions WHERE user_id = ?', [account.id]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Username').fill(account.username);
    await page.getByLabel('Password').fill('a long password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('First name').waitFor();
    assert.equal(await page.getByLabel('First name').inputValue(), 'Half a na');
    assert.deepEqual(errors, []);
  });

  it('says when the weekly report on alerts comes, and ends it', async () => {
    const account = await platform.user();
    const page = await openConsole(browser, platform, account, '/account');
    const saved = async () => (await account.api.get(`/users/${account.id}`)).body.user.weekly_report;
    const choose = async (label: string, option: string) => {
      await page.getByLabel(label, { exact: true }).selectOption(option);
      await page.getByRole('button', { name: 'Save' }).click();
    };
    await page.getByLabel('Weekly report on alerts', { exact: true }).selectOption('Friday');
    await choose('Time of day', '06:00');
    await until('it is saved', async () => (await saved())?.hour === 6);
    assert.deepEqual(await saved(), { day: 'friday', hour: 6 });
    await page.reload();
    assert.equal(await page.getByLabel('Time of day', { exact: true }).inputValue(), '6');
    await inspectConsole(page, 'account-weekly-report');
    await choose('Weekly report on alerts', 'Never');
    await until('it has ended', async () => (await saved()) === null);
  });

  it('speaks German', async () => {
    const account = await platform.user();
    const page = await openConsole(browser, platform, account, '/account/security', { locale: 'de-DE' });
    await page.getByRole('button', { name: 'Passwort ändern' }).waitFor();
    await inspectConsole(page, 'account-german');
  });
});

const TABS = [
  ['Profile', 'About you'],
  ['Security', 'Password'],
  ['Keys', 'Keys'],
  ['Applications', 'Applications'],
  ['Blocked people', 'Blocked people'],
] as const;
