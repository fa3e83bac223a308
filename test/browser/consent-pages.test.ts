import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { digestOf } from '../../src/api/pages/password';
import { registerApplication } from '../support/applications';
import { inspect, tabTo, useBrowser } from '../support/browser';
import { usePlatform, useUser, useUserPerTest } from '../support/hooks';
import { oauth1Client } from '../support/oauth1';
import { OAuth2Flow } from '../support/oauth2';

const PASSWORD = 'correct horse battery staple';

describe('the page that asks for consent, in a browser without scripts', () => {
  const platform = usePlatform();
  const developer = useUser(platform);
  const user = useUserPerTest(platform, { password: digestOf(PASSWORD) });
  const browser = useBrowser();
  const arrived: string[] = [];
  let callback = '';
  const site = createServer((request, response) => {
    arrived.push(request.url ?? '');
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>back</title><h1>Welcome back</h1>');
  });
  before(async () => {
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    callback = `http://127.0.0.1:${(site.address() as AddressInfo).port}/allowed?place=roof`;
  });
  after(() => new Promise((resolve) => site.close(resolve)));
  beforeEach(() => {
    arrived.length = 0;
  });

  const logIn = async (page: Page) => {
    await page.getByLabel('Username').fill(user.username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
  };
  const back = async (page: Page) => {
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    return new URL(arrived[0] ?? '', callback).searchParams;
  };

  describe('of OAuth 1.0a', () => {
    const requestToken = async (to = callback) => {
      const description = 'Shows the weather at your house on a map, hour by hour.';
      const application = await registerApplication(developer, { description, callback_url: callback });
      const client = oauth1Client(platform.url, application);
      const { form } = await client('POST', '/oauth/request_token', { oauth: { oauth_callback: to } });
      return form.oauth_token ?? assert.fail('no token');
    };

    it('is reached by a login, and allows by keyboard for the time that was chosen', async () => {
      const token = await requestToken();
      const page = await browser.open();
      await page.goto(`${platform.url}/oauth/authorize?oauth_token=${token}`);
      await inspect(page, 'consent1-login');
      await logIn(page);
      await page.getByRole('heading', { name: 'Allow “Weather station” to use your account?' }).waitFor();
      await inspect(page, 'consent1');
      await tabTo(page, 'combobox', 'For how long?');
      await page.keyboard.type('One week');
      await tabTo(page, 'button', 'Allow');
      await page.keyboard.press('Enter');
      const parameters = await back(page);
      assert.deepEqual([parameters.get('place'), parameters.get('oauth_token')], ['roof', token]);
      assert.ok(parameters.get('oauth_verifier'));
      const [allowed] = (await user.api.get('/oauth/authorizations')).body.authorizations;
      assert.equal(Math.round(allowed.expires - allowed.created), 7 * 86_400);
    });

    it('refuses by keyboard', async () => {
      const token = await requestToken();
      const page = await browser.open();
      await page.goto(`${platform.url}/oauth/authorize?oauth_token=${token}`);
      await logIn(page);
      await tabTo(page, 'button', 'Do not allow');
      await page.keyboard.press('Space');
      assert.equal((await back(page)).get('oauth_problem'), 'user_refused');
      assert.deepEqual((await user.api.get('/oauth/authorizations')).body.authorizations, []);
    });

    it('shows the code to an application that cannot be called back, and what is wrong with a request', async () => {
      const token = await requestToken('oob');
      const page = await browser.open();
      await page.goto(`${platform.url}/oauth/authorize?oauth_token=${token}`);
      await logIn(page);
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await page.getByRole('heading', { name: 'Enter this code in the application' }).waitFor();
      assert.match((await page.getByRole('status').textContent()) ?? '', /^[0-9A-Za-z]{10}$/);
      await inspect(page, 'consent1-code');
      await page.goto(`${platform.url}/oauth/authorize?oauth_token=${token}`);
      await page
        .getByRole('alert')
        .getByText(/already decided: begin again in the application/)
        .waitFor();
      await inspect(page, 'consent1-problem');
    });
  });

  describe('of OAuth 2', () => {
    const build = async (fields: Record<string, unknown> = {}) =>
      new OAuth2Flow(platform, await registerApplication(developer, { callback_url: callback, ...fields }));

    it('is reached by a login, and allows by keyboard', async () => {
      const flow = await build();
      const page = await browser.open();
      await page.goto(platform.url + flow.address({ redirect_uri: callback, scope: 'read data:write' }));
      await logIn(page);
      await page.getByText('Upload and delete data of your sensors').waitFor();
      await inspect(page, 'consent2');
      await tabTo(page, 'button', 'Allow');
      await page.keyboard.press('Enter');
      const parameters = await back(page);
      assert.deepEqual([parameters.get('place'), parameters.get('state')], ['roof', 'xyz']);
      const { status } = await flow.exchange(parameters.get('code') ?? '', { redirect_uri: callback });
      assert.equal(status, 200);
    });

    it('refuses by keyboard, and lets another account decide', async () => {
      const flow = await build({
        name: 'An application whose name is longer than any person would ever want to read it',
      });
      const page = await browser.open();
      await page.goto(platform.url + flow.address({ redirect_uri: callback, scope: 'write' }));
      await logIn(page);
      await tabTo(page, 'button', 'Use another account');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
      await logIn(page);
      await page.getByRole('heading', { name: /longer than any person/ }).waitFor();
      await inspect(page, 'consent2-long');
      await tabTo(page, 'button', 'Do not allow');
      await page.keyboard.press('Enter');
      assert.equal((await back(page)).get('error'), 'access_denied');
    });

    it('says what is wrong with an application', async () => {
      const page = await browser.open();
      await page.goto(platform.url + (await build()).address({ redirect_uri: 'https://other.example.org/' }));
      await page
        .getByRole('alert')
        .getByText(/has not registered/)
        .waitFor();
      await inspect(page, 'consent2-problem');
    });

    it('leads nobody to an application with a wrong request, but by a link on the page that says so', async () => {
      const name = 'An application whose name is longer than any person would ever want to read it';
      const flow = await build({ name });
      const page = await browser.open();
      await page.goto(platform.url + flow.address({ redirect_uri: callback, response_type: 'token' }));
      await logIn(page);
      await page
        .getByRole('alert')
        .getByText(/response_type must be code/)
        .waitFor();
      assert.deepEqual(arrived, []);
      await inspect(page, 'consent2-refused');
      await tabTo(page, 'link', 'go back');
      await page.keyboard.press('Enter');
      const parameters = await back(page);
      assert.deepEqual([parameters.get('place'), parameters.get('error')], ['roof', 'unsupported_response_type']);
    });
  });
});
