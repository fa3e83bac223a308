import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { LINKS } from '../../src/platform/words/german/links';
import { buildAlarm } from '../support/alarm';
import { inspect, tabTo, useBrowser } from '../support/browser';
import { upload } from '../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../support/hooks';
import { Mailbox } from '../support/mailbox';

describe('the pages behind links, in a German browser without scripts', () => {
  const mailbox = Mailbox.use();
  const platform = usePlatform(() => ({ config: { ...mailbox.settings, MAIL_CONFIRMATION: 'required' } }));
  const user = useUserPerTest(platform);
  const receiver = useReceiver();
  const browser = useBrowser();

  const resetLink = async () => {
    await platform.anonymous.post('/requestPasswordReset', { username: user.username });
    const [mail] = mailbox.mails.filter(({ text }) => text.includes('/resetPassword?token='));
    return /\/resetPassword\?token=[\w-]+/.exec(mail?.text ?? '')?.[0] ?? assert.fail('no mail arrived');
  };
  const states = (page: Page) => page.locator('.states > li').allTextContents();
  /** The page says that it is German, and no text is left in English. */
  const inspectGerman = async (page: Page, name: string) => {
    const content = await page.content();
    assert.match(content, /<html lang="de">/);
    const english = Object.entries(LINKS).filter(([text, german]) => text !== german && content.includes(`>${text}`));
    assert.deepEqual(english, [], name);
    await inspect(page, `german-link-${name}`);
  };

  it('acknowledge an alert in German, lead on, and mute it at night by one press', async () => {
    const { sensorId } = await buildAlarm(user, {
      sensor: { name: 'Gefriertruhe' },
      trigger: { name: 'zu warm', expression: 'sensor_data_value > -15' },
      notifications: [{ destination: receiver.url, body: { link: '{{acknowledge_url}}' }, text: 'warm' }],
    });
    await upload(user, sensorId, { value: -3 });
    await platform.settle();
    const [link = ''] = /\/acknowledge\?token=[\w.-]+/.exec(receiver.received[0]?.rawBody ?? '') ?? [];
    const hour = new Intl.DateTimeFormat('en', { hour: '2-digit', hourCycle: 'h23', timeZone: 'UTC' });
    const ahead = (Number(hour.format(Date.now())) - 22 + 24) % 24;
    await user.api.put(`/users/${user.id}`, { user: { timezone: zoneBehind(ahead) } });
    const page = await browser.open({ locale: 'de-DE' });
    await page.goto(platform.url + link);
    await inspectGerman(page, 'acknowledge');
    await page.getByText('zu warm bei Gefriertruhe').waitFor();
    assert.deepEqual(await states(page), ['◆ Warnung']);
    await tabTo(page, 'button', 'Bestätigen');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Der Alarm ist bestätigt' }).waitFor();
    await inspectGerman(page, 'acknowledged');
    assert.deepEqual(await states(page), ['◆ Warnung', '✓ bestätigt']);
    const chart = await page.getByRole('link', { name: 'Diagramm' }).getAttribute('href');
    assert.match(chart ?? '', new RegExp(`^(?:\\./)?console/sensors/${sensorId}\\?at=`));
    assert.match(
      (await page.getByRole('link', { name: 'Alle Alarme' }).getAttribute('href')) ?? '',
      /console\/alerts$/,
    );
    await page.getByRole('button', { name: 'Eine Stunde stummschalten' }).waitFor();
    await page.getByRole('button', { name: 'Bis 07:00 Uhr stummschalten' }).click();
    await page.getByRole('heading', { name: 'Der Alarm ist stummgeschaltet' }).waitFor();
    await page.getByText(/^Stummgeschaltet bis .* 07:00:00/).waitFor();
    await inspectGerman(page, 'muted');
    assert.deepEqual(await states(page), ['◆ Warnung', '✓ bestätigt', '⊘ stumm']);
    assert.equal((await user.api.get('/mutes')).body.mutes.length, 1);
  });

  it('say in German what is wrong with a link, and with a new password', async () => {
    const page = await browser.open({ locale: 'de-DE' });
    await page.goto(`${platform.url}/acknowledge?token=n1-2.x`);
    await page.getByRole('heading', { name: 'Dieser Link gilt nicht mehr' }).waitFor();
    await inspectGerman(page, 'acknowledge-dead');
    await page.goto(`${platform.url}/unsubscribe`);
    await inspectGerman(page, 'unsubscribe');
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.getByRole('heading', { name: 'Dieser Link gilt nicht mehr' }).waitFor();
    await page.goto(`${platform.url}/confirm?token=x&from=everybody`);
    await inspectGerman(page, 'confirm-everybody');
    await page.goto(platform.url + (await resetLink()));
    await inspectGerman(page, 'reset');
    await page.getByLabel('Neues Passwort').fill('lang genug');
    await page.getByLabel('Dasselbe Passwort noch einmal').fill('lang genau');
    await page.getByRole('button', { name: 'Passwort ändern' }).click();
    await page.getByRole('alert').getByText('Die beiden Passwörter stimmen nicht überein.').waitFor();
    await page.getByLabel('Neues Passwort').fill('lang genug');
    await page.getByLabel('Dasselbe Passwort noch einmal').fill('lang genug');
    await page.getByRole('button', { name: 'Passwort ändern' }).click();
    await page.getByRole('heading', { name: 'Ihr Passwort wurde geändert' }).waitFor();
    await inspectGerman(page, 'reset-done');
  });
});

/** A zone without daylight saving in which it is now `hours` earlier than in UTC, so that it is night there. */
function zoneBehind(hours: number): string {
  return hours <= 12 ? `Etc/GMT+${hours}` : `Etc/GMT-${24 - hours}`;
}
