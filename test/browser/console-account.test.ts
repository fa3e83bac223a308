import assert from 'node:assert/strict';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, signIn, watchErrors } from '../support/console';
import { createKey } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { statusWith } from '../support/oauth2';

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
    await page.goto(`${platform.url}/console/account`);
    const change = async (from: string, to: string) => {
      await page.getByLabel('Current password').fill(from);
      await page.getByLabel('New password').fill(to);
      await page.getByRole('button', { name: 'Change the password' }).click();
    };
    await page.getByText('gateway').waitFor();
    await change(account.username, 'another one');
    await page.getByText('keys and applications go on, until you end them above').waitFor();
    assert.equal(await statusWith(platform, secret), 200);
    await page.getByRole('checkbox', { name: 'End everything else that may use my account, too' }).check();
    await inspectConsole(page, 'account-password');
    await change('another one', 'a third one');
    await page.getByText('All other sessions, keys and permissions have ended.').waitFor();
    await page.getByText('gateway').waitFor({ state: 'detached' });
    assert.equal(await statusWith(platform, secret), 401);
    assert.deepEqual(errors, []);
  });
});
