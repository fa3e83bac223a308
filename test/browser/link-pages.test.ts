import assert from 'node:assert/strict';
import { digestOf } from '../../src/api/pages/password';
import { apiClient } from '../support/api-client';
import { inspect, tabTo, useBrowser } from '../support/browser';
import { buildNotification, createKey } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { linkIn, Mailbox } from '../support/mailbox';
import { statusWith } from '../support/oauth2';
import { until } from '../support/until';

describe('the pages behind links in mails, in a browser without scripts', () => {
  const mailbox = Mailbox.use();
  const platform = usePlatform(() => ({ config: { ...mailbox.settings, MAIL_CONFIRMATION: 'required' } }));
  const user = useUserPerTest(platform);
  const browser = useBrowser();

  const build = () => buildNotification(user, { type: 'email', destination: 'ward@example.org', text: 'hot' });
  const confirmLink = async () => {
    await until('the address is asked', () => mailbox.to('ward@example.org').length > 0);
    return linkIn(mailbox.to('ward@example.org')[0] ?? '', 'confirm');
  };
  const record = async (id: string) => (await user.api.get(`/notifications/${id}`)).body.notification;
  const resetLink = async () => {
    await platform.anonymous.post('/requestPasswordReset', { username: user.username });
    const [mail] = mailbox.mails.filter(({ text }) => text.includes('/resetPassword?token='));
    return /\/resetPassword\?token=[\w-]+/.exec(mail?.text ?? '')?.[0] ?? assert.fail('no mail arrived');
  };

  it('let an address agree to mails by keyboard, but not by looking', async () => {
    const id = await build();
    const page = await browser.open();
    await page.goto(platform.url + (await confirmLink()));
    await inspect(page, 'confirm');
    assert.equal((await record(id)).confirmed, false);
    await tabTo(page, 'button', 'Receive alerts');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You receive alerts' }).waitFor();
    assert.equal((await record(id)).confirmed, true);
    await inspect(page, 'confirmed');
  });

  it('stop the mails of a user by keyboard, and allow them again', async () => {
    const id = await build();
    const page = await browser.open();
    await page.goto(platform.url + (await confirmLink()).replace('confirm', 'unsubscribe'));
    await inspect(page, 'unsubscribe');
    assert.equal((await record(id)).disabled_reason, '');
    await tabTo(page, 'button', 'Unsubscribe');
    await page.keyboard.press('Space');
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    assert.equal((await record(id)).disabled_reason, 'unsubscribed');
    await inspect(page, 'unsubscribed');
    await tabTo(page, 'link', 'Allow these mails again');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Receive alerts' }).click();
    await page.getByRole('heading', { name: 'You receive alerts' }).waitFor();
    assert.equal((await record(id)).enabled, true);
  });

  it('stop the mails of all accounts by keyboard, and allow them again', async () => {
    const id = await build();
    const page = await browser.open();
    await page.goto(platform.url + (await confirmLink()).replace('confirm', 'unsubscribe'));
    await tabTo(page, 'button', 'Stop all mails');
    await page.keyboard.press('Enter');
    await page.getByText('No account of this platform can send mails to your mailbox any more.').waitFor();
    await inspect(page, 'unsubscribed-from-all');
    const warning = async () => (await user.api.get(`/notifications/${id}`)).body.warning;
    assert.match(await warning(), /takes no mails of any account/);
    await tabTo(page, 'link', 'Allow these mails again');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Take mails of this platform again?' }).waitFor();
    await inspect(page, 'take-mails-again');
    await tabTo(page, 'button', 'Take mails again');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You take mails again' }).waitFor();
    assert.equal(await warning(), undefined);
    await page.goto(platform.url + (await confirmLink()).replace('confirm', 'unsubscribe'));
    await page.getByRole('link', { name: 'Take that back' }).click();
    await page.getByRole('heading', { name: 'Take mails of this platform again?' }).waitFor();
  });

  it('say after a new password that keys go on, or end them', async () => {
    const page = await browser.open();
    for (const [everything, status] of [
      [false, 200],
      [true, 401],
    ] as const) {
      const { secret } = await createKey(user);
      mailbox.mails.length = 0;
      await page.goto(platform.url + (await resetLink()));
      await page.getByLabel('New password').fill('long enough');
      await page.getByLabel('The same password again').fill('long enough');
      if (everything) await page.getByLabel('End everything else that may use my account, too').check();
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByRole('heading', { name: 'Your password has been changed' }).waitFor();
      assert.equal(await page.getByText('go on. To end them, log in to the console').count(), everything ? 0 : 1);
      await inspect(page, everything ? 'reset-everything' : 'reset-keys-stay');
      assert.equal(await statusWith(platform, secret), status);
      const login = { username: user.username, password: digestOf('long enough') };
      const { body } = await platform.anonymous.post('/login', login);
      Object.assign(user, { api: apiClient(platform.url, { 'X-SESSION_ID': body.session_id }) });
    }
  });

  it('change a password, which the form sends as it is, by keyboard', async () => {
    const page = await browser.open();
    await page.goto(platform.url + (await resetLink()));
    await inspect(page, 'reset');
    const password = 'grüne Vögel & "Zitate"';
    await tabTo(page, 'textbox', 'New password');
    await page.keyboard.type(password);
    await tabTo(page, 'textbox', 'The same password again');
    await page.keyboard.type('grüne Vögel');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The two passwords are not the same.').waitFor();
    await inspect(page, 'reset-mismatch');
    await page.getByLabel('New password').fill(password);
    await page.getByLabel('The same password again').fill(password);
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'Your password has been changed' }).waitFor();
    await page.getByText(user.username).waitFor();
    await inspect(page, 'reset-done');
    const login = { username: user.username, password: digestOf(password) };
    assert.equal((await platform.anonymous.post('/login', login)).status, 200);
  });

  it('say what is wrong with a link, in words', async () => {
    const page = await browser.open();
    for (const [path, button] of [
      ['/resetPassword?token=unknown', 'Change password'],
      ['/confirm?token=a17.o9Xyx3sJmVbHkGmX4n2f0mY0yqv3m1sG6m4kqz7F1aE', 'Receive alerts'],
      ['/unsubscribe', 'Unsubscribe'],
    ] as const) {
      await page.goto(platform.url + path);
      for (const field of await page.getByRole('textbox').all()) await field.fill('long enough');
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('heading', { name: 'This link has ended' }).waitFor();
      assert.equal(await page.getByRole('button').count(), 0);
    }
  });
});
