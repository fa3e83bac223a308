import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { digestOf } from '../../src/api/pages/password';
import { authorize, registerApplication } from '../support/applications';
import { inspect, tabTo, useBrowser } from '../support/browser';
import { usePlatform, useUserPerTest } from '../support/hooks';

const PASSWORD = 'a long & "quoted" password';

describe('the pages about applications, in a browser without scripts', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform, { password: digestOf(PASSWORD) });
  const browser = useBrowser();

  const logIn = async (page: Page) => {
    await tabTo(page, 'textbox', 'Username');
    await page.keyboard.type(user.username);
    await tabTo(page, 'textbox', 'Password');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
  };

  it('log in, and say what is wrong with a login', async () => {
    const page = await browser.open();
    await page.goto(`${platform.url}/oauth/register_app`);
    await inspect(page, 'login');
    await page.getByLabel('Username').fill(user.username);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button').click();
    await page.getByRole('alert').getByText('The username or the password is wrong.').waitFor();
    await inspect(page, 'login-wrong');
    await logIn(page);
    await page.getByRole('heading', { name: 'Register an application' }).waitFor();
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'session_id');
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Lax']);
  });

  it('register an application by keyboard, and show its secret once', async () => {
    const page = await browser.open();
    await page.goto(`${platform.url}/oauth/register_app`);
    await logIn(page);
    await page.getByRole('heading', { name: 'Register an application' }).waitFor();
    await inspect(page, 'register');
    await tabTo(page, 'textbox', 'Name');
    await page.keyboard.type('<b>Weather & co</b>');
    await tabTo(page, 'radio', 'Runs on a server, which keeps the secret');
    await tabTo(page, 'textbox', 'Addresses to return to');
    await page.keyboard.type('ftp://weather.example.org/allowed');
    await tabTo(page, 'button', 'Register');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/An address to return to must begin with https/)
      .waitFor();
    await inspect(page, 'register-error');
    assert.equal(await page.getByLabel('Name').inputValue(), '<b>Weather & co</b>');
    await page
      .getByLabel('Addresses to return to')
      .fill('https://weather.example.org/allowed\nhttps://other.example.org/');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: '“<b>Weather & co</b>” is registered' }).waitFor();
    await inspect(page, 'registered');
    const [application] = (await user.api.get('/oauth/applications')).body.applications;
    assert.deepEqual(application.callback_urls, ['https://weather.example.org/allowed', 'https://other.example.org/']);
    await page.getByText(application.consumer_key).waitFor();
    await page.getByRole('link', { name: 'Continue to your applications' }).click();
    await page.waitForURL(`${platform.url}/console/account/applications`);
  });

  it('copy the id and the secret of a new application where scripts run', async () => {
    const page = await browser.open({ javaScriptEnabled: true, permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${platform.url}/oauth/register_app`);
    await logIn(page);
    await page.getByLabel('Name').fill('Weather');
    await page.getByLabel('Addresses to return to').fill('https://weather.example.org/allowed');
    await page.getByRole('button', { name: 'Register' }).click();
    const [id, secret] = [page.locator('.code').first(), page.locator('.code').last()];
    for (const [at, [name, text]] of [
      ['Copy the id', await id.textContent()],
      ['Copy the secret', await secret.textContent()],
    ].entries()) {
      await page.getByRole('button', { name: name ?? '' }).click();
      await page.getByRole('button', { name: 'Copied.' }).nth(at).waitFor();
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), text);
    }
    await inspect(page, 'registered-copied');
  });

  it('list what the user allowed, and revoke it by keyboard', async () => {
    const [first, second] = [
      await registerApplication(user, { name: 'Weather station' }),
      await registerApplication(user, { name: 'Sleep diary with a rather long name that has to be broken somewhere' }),
    ];
    await authorize(platform, { user, application: first });
    await authorize(platform, { user, application: second, expiresMs: Date.now() + 86_400_000 });
    const page = await browser.open();
    await page.goto(`${platform.url}/oauth/authorizations`);
    await logIn(page);
    await page.getByRole('heading', { name: 'Weather station' }).waitFor();
    await inspect(page, 'allowed');
    await tabTo(page, 'button', 'Revoke Weather station');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Weather station' }).waitFor({ state: 'detached' });
    const left = (await user.api.get('/oauth/authorizations')).body.authorizations;
    assert.deepEqual(
      left.map((one: { application: { id: string } }) => one.application.id),
      [second.id],
    );
    await page.getByRole('button', { name: /Revoke Sleep/ }).click();
    await page.getByText('No application may use your account.').waitFor();
    await inspect(page, 'allowed-none');
  });

  it('log out, for another account', async () => {
    const page = await browser.open();
    await page.goto(`${platform.url}/oauth/authorizations`);
    await logIn(page);
    await tabTo(page, 'button', 'Use another account');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    const cookies = (await page.context().cookies()).map(({ name }) => name);
    assert.ok(!cookies.includes('session_id'));
  });
});
