import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { digestOf } from '../../src/api/pages/password';
import { APPLICATIONS } from '../../src/platform/words/german/applications';
import { authorize, registerApplication } from '../support/applications';
import { inspect, useBrowser } from '../support/browser';
import { usePlatform, useUser, useUserPerTest } from '../support/hooks';
import { oauth1Client } from '../support/oauth1';
import { OAuth2Flow } from '../support/oauth2';

const PASSWORD = 'a long & "quoted" password';
const CALLBACK = 'https://weather.example.org/allowed';

describe('the pages for signing in and for applications, in a German browser', () => {
  const platform = usePlatform();
  const developer = useUser(platform);
  const user = useUserPerTest(platform, { password: digestOf(PASSWORD) });
  const browser = useBrowser();

  const open = async (path: string) => {
    const page = await browser.open({ locale: 'de-DE' });
    await page.goto(platform.url + path);
    return page;
  };
  const logIn = async (page: Page, password = PASSWORD) => {
    await page.getByLabel('Benutzername').fill(user.username);
    await page.getByLabel('Passwort').fill(password);
    await page.getByRole('button', { name: 'Anmelden' }).click();
  };
  /** It says that it is German, and no text is left in English. */
  const inspectGerman = async (page: Page, name: string) => {
    const content = await page.content();
    assert.match(content, /<html lang="de">/);
    const english = Object.entries(APPLICATIONS).filter(
      ([text, german]) => text !== german && content.includes(`>${text}`),
    );
    assert.deepEqual(english, [], name);
    await inspect(page, `german-${name}`);
  };

  it('log in, register an application, and list those that are allowed', async () => {
    const page = await open('/oauth/register_app');
    await inspectGerman(page, 'login');
    await logIn(page, 'wrong');
    await page.getByRole('alert').getByText('Der Benutzername oder das Passwort ist falsch.').waitFor();
    await logIn(page);
    await page.getByLabel('Name').fill('<b>Wetter & Co</b>');
    await page.getByLabel('Läuft auf einem Server').check();
    await inspectGerman(page, 'register');
    await page.getByLabel('Adressen für die Rückkehr').fill(CALLBACK);
    await page.getByRole('button', { name: 'Registrieren' }).click();
    await page.getByRole('heading', { name: '„<b>Wetter & Co</b>“ ist registriert' }).waitFor();
    await inspectGerman(page, 'registered');
    await authorize(platform, { user, application: await registerApplication(user) });
    await page.goto(`${platform.url}/oauth/authorizations`);
    await page.getByRole('button', { name: /^Entziehen/ }).waitFor();
    await inspectGerman(page, 'authorizations');
    await page.goto(`${platform.url}/oauth/authorize?oauth_token=unknown`);
    await page.getByRole('alert').getByText('Diese Anfrage ist unbekannt').waitFor();
    await inspectGerman(page, 'problem');
    await page.goto(`${platform.url}/oauth2/authorize?client_id=nobody&response_type=code`);
    await page.getByRole('alert').getByText('Die Anwendung, die Sie hierher geschickt hat, ist unbekannt').waitFor();
  });

  it('ask for consent to OAuth 1.0a, and show the code', async () => {
    const client = oauth1Client(platform.url, await registerApplication(developer, { callback_url: CALLBACK }));
    const ask = async () => {
      const { form } = await client('POST', '/oauth/request_token', { oauth: { oauth_callback: 'oob' } });
      return `/oauth/authorize?oauth_token=${form.oauth_token}`;
    };
    const page = await open(await ask());
    await logIn(page);
    await page.getByRole('heading', { name: 'Darf „Weather station“ Ihr Konto verwenden?' }).waitFor();
    await inspectGerman(page, 'consent1');
    await page.getByRole('button', { name: 'Erlauben', exact: true }).click();
    await page.getByRole('heading', { name: 'Geben Sie diesen Code in der Anwendung ein' }).waitFor();
    await inspectGerman(page, 'code');
    await page.goto(platform.url + (await ask()));
    await page.getByRole('button', { name: 'Nicht erlauben' }).click();
    await page.getByRole('heading', { name: 'Die Anwendung ist nicht erlaubt' }).waitFor();
    await inspectGerman(page, 'refused');
  });

  it('ask for consent to OAuth 2, and say that a request is wrong', async () => {
    const flow = new OAuth2Flow(platform, await registerApplication(developer, { callback_url: CALLBACK }));
    const page = await open(flow.address({ redirect_uri: CALLBACK }));
    await logIn(page);
    await page.getByText('Danach kehren Sie zurück zu: weather.example.org').waitFor();
    await inspectGerman(page, 'consent2');
    await page.goto(platform.url + flow.address({ redirect_uri: CALLBACK, response_type: 'token' }));
    await page.getByRole('alert').getByText('mit einer falschen Anfrage').waitFor();
    await inspectGerman(page, 'wrong-request');
  });
});
