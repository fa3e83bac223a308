import assert from 'node:assert/strict';
import { digestOf } from '../../src/http/pages/password';
import { inspect, tabTo, useBrowser } from '../support/browser';
import { buildNotification } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { linkIn, Mailbox } from '../support/mailbox';
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
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('heading', { name: 'This link has ended' }).waitFor();
      assert.equal(await page.getByRole('button').count(), 0);
    }
  });
});
