import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, signIn, watchErrors } from '../support/console';
import { useForAll, usePlatform } from '../support/hooks';
import { startIdentityProvider } from '../support/identity-provider';

describe('logins by an identity provider in the console', function () {
  this.timeout(180_000);
  const provider = useForAll(
    () => startIdentityProvider(),
    (started) => started.close(),
  );
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  const platform = usePlatform(() => ({ clock, config: provider.settings({ OIDC_CREATE_USERS: 'true' }) }));
  before(async () => {
    ensureConsole();
    await provider.register(platform.url);
  });
  const browser = useBrowser();
  const host = () => new URL(provider.issuer).host;

  /** On the pages of the provider itself. */
  const logInThere = async (page: Page, person: string) => {
    await page.getByPlaceholder('Enter any login').fill(person);
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  it('lead through the pages of the provider to the page that was asked for, and out again', async () => {
    provider.people.set('ada', { preferred_username: 'ada' });
    const page = await browser.open({ javaScriptEnabled: true });
    const errors = watchErrors(page);
    await page.goto(`${platform.url}/console/account`);
    const button = page.getByRole('link', { name: `Sign in with ${host()}` });
    await button.waitFor();
    await inspectConsole(page, 'sign-in-with-provider');
    await button.click();
    await logInThere(page, 'ada');
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    assert.equal(page.url(), `${platform.url}/console/account`);
    await page.getByText('ada, id').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${platform.url}/console/**`);
    await button.waitFor();
    assert.deepEqual(
      errors.filter((error) => !/401/.test(String(error))),
      [],
    );
  });

  it('are linked to an account, and removed', async () => {
    const user = await platform.user();
    provider.people.set('grace', { preferred_username: 'grace-there' });
    const page = await browser.open({ javaScriptEnabled: true });
    await signIn(page, platform.url, user);
    await page.goto(`${platform.url}/console/account/security`);
    await page.getByRole('button', { name: 'Link an identity' }).click();
    await logInThere(page, 'grace');
    const rows = page.getByRole('table', { name: 'Linked identities' }).locator('tbody tr');
    await rows.getByText('grace-there').waitFor();
    await inspectConsole(page, 'linked-identities');
    await page.getByRole('button', { name: 'Remove grace-there' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await rows.waitFor({ state: 'detached' });
    assert.equal((await user.api.get('/identities')).body.identities.length, 0);
  });

  it('open accounts without a password, which sign in again where others give theirs, and choose one', async () => {
    provider.people.set('lin', { preferred_username: 'lin' });
    const page = await browser.open({ javaScriptEnabled: true, locale: 'en-GB' });
    await page.goto(`${platform.url}/console/account/security`);
    await page.getByRole('link', { name: `Sign in with ${host()}` }).click();
    await logInThere(page, 'lin');
    const choose = page.getByRole('button', { name: 'Choose a password' });
    await choose.waitFor();
    const app = page.getByRole('button', { name: 'Set up an authenticator app' });
    await app.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This account has no password').waitFor();
    assert.equal(await page.getByLabel('Current password').count(), 0);
    await inspectConsole(page, 'proof-without-password');
    clock.offset = 11 * 60_000;
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText(/Log in again/).waitFor();
    await dialog.getByRole('link', { name: `Sign in again with ${host()}` }).click();
    await page.waitForURL(`${platform.url}/console/account/security`);
    await app.click();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('New password').fill('a long password');
    await choose.click();
    await page.getByRole('button', { name: 'Change the password' }).waitFor();
    await page.getByLabel('Current password').waitFor();
    await page.goto(`${platform.url}/console/account`);
    await page.getByLabel('Email').fill('lin@example.org');
    await page.getByLabel('Current password').fill('a long password');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
  });
});

describe('the sign-in page without an identity provider', function () {
  this.timeout(60_000);
  before(ensureConsole);
  const platform = usePlatform();
  const browser = useBrowser();

  it('asks for the password only', async () => {
    const page = await browser.open({ javaScriptEnabled: true });
    await page.goto(`${platform.url}/console/`);
    await page.getByLabel('Password').waitFor();
    assert.equal(await page.getByText('Sign in with').count(), 0);
  });
});
