import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { digestOf } from '../../src/api/pages/password';
import { buildAlarm } from '../support/alarm';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, useConsole, watchErrors } from '../support/console';
import { buildNotification, upload } from '../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../support/hooks';
import { discord } from '../support/services/discord';
import { type Service, startService } from '../support/services/service';
import { until } from '../support/until';

describe('the channels of notifications in the console', function () {
  this.timeout(90_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const receiver = useReceiver();
  let chat: Service;
  beforeEach(async () => {
    chat = await startService(discord);
    await platform.startWorkers(['evaluation', 'deliveries']);
  });
  afterEach(async () => {
    await platform.stopWorkers();
    await chat.close();
  });

  const open = useConsole(platform, user);
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const saved = async () => (await user.api.get('/notifications')).body.notifications;
  const fire = async (notifications: Record<string, unknown>[] = [{ destination: receiver.url }]) => {
    const { sensorId } = await buildAlarm(user, {
      sensor: { name: 'greenhouse' },
      trigger: { name: 'too warm', expression: 'sensor_data_value > 30', severity: 'critical', notify_resolved: true },
      notifications,
    });
    await upload(user, sensorId, { value: 31.5 });
    await receiver.waitFor(1);
  };
  const webhook = () => discord.values(chat.url).webhook_url ?? '';

  it('begin with a grid that the keyboard searches', async () => {
    const page = await open('/notifications/new');
    const errors = watchErrors(page);
    const search = page.getByRole('searchbox', { name: 'Find a channel' });
    await search.and(page.locator(':focus')).waitFor();
    const groups = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
    assert.deepEqual(groups, ['Mail', 'This browser', 'Chat', 'Messages to a phone', 'Incidents', 'Other']);
    await inspectConsole(page, 'channels');
    await page.keyboard.type('disc');
    await page.keyboard.press('ArrowDown');
    await button(page, 'Discord').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowUp');
    await search.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Webhook URL').waitFor();
    await button(page, 'Another channel').click();
    await page.keyboard.type('nothing has this name');
    await page.getByText('No channel has this name.').waitFor();
    await search.fill('incidents');
    assert.equal(await page.locator('.channel').count(), 3);
    assert.deepEqual(errors, []);
  });

  it('make a notification of a service, whose answer is shown, and whose secret is not shown again', async () => {
    await fire();
    const page = await open('/notifications/new');
    const errors = watchErrors(page);
    await button(page, 'Discord').click();
    const field = page.getByLabel('Webhook URL');
    assert.equal(await field.getAttribute('type'), 'password');
    await page.getByText('In Discord: the settings of the channel').waitFor();
    await field.fill('https://discord.com/elsewhere');
    await button(page, 'Save and test').click();
    await page.getByRole('alert').getByText('Must be the whole URL, which ends in /webhooks/<id>/<token>.').waitFor();
    await field.fill(discord.wrong?.(chat.url).webhook_url ?? '');
    await button(page, 'Save and test').click();
    await page
      .getByText(
        /The test failed: 404: .*Unknown Webhook.*The notification is saved, and the delivery is tried again\.$/,
      )
      .waitFor();
    await inspectConsole(page, 'channel-refused');
    await field.fill(webhook());
    await button(page, 'Show what is sent').click();
    const body = page.locator('.request-body');
    await body.getByText('Critical: too warm on greenhouse').waitFor();
    assert.equal(await page.getByText('aBcDeFgHiJkLmNoPqRsTuVwXyZ').count(), 0, 'the secret is hidden');
    await page.getByText(`POST ${chat.url}/api/webhooks/1310203040506070809/…`).waitFor();
    await button(page, 'End').click();
    await body.getByText('Resolved: ').waitFor();
    await inspectConsole(page, 'channel-preview');
    await button(page, 'Save and test').click();
    await page.getByText('The test was delivered').waitFor();
    const [, one, ...others] = await saved();
    assert.deepEqual([one.preset, others.length], ['discord', 0], 'the refused one is replaced');
    assert.equal(chat.shown.length, 1);
    assert.equal(await button(page, 'Save').count(), 0, 'it is saved');
    await button(page, 'Done').click();
    const name = `Discord · ${new URL(chat.url).host} · 1310203040506070809`;
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('delivered', { exact: true }).waitFor();
    await page.getByText('The request to Discord').click();
    await page.getByText('Method, headers and secrets').click();
    await page.getByLabel('Name of secret 1').waitFor();
    assert.equal(await page.locator('input[type=password]').count(), 0);
    await inspectConsole(page, 'channel-stored');
    await button(page, 'Replace token').click();
    await page.getByLabel('Value of token').fill('unknown');
    await button(page, 'Save').click();
    await page.getByText('The notification is saved.').waitFor();
    await button(page, `Send a test to ${name}`).click();
    await page.getByText(/The test failed: 404/).waitFor();
    assert.deepEqual(errors, []);
  });

  it('send any request, whose mistakes are named at their fields', async () => {
    await fire();
    const page = await open('/notifications/new');
    const errors = watchErrors(page);
    await button(page, 'Any URL').click();
    await page.getByLabel('URL', { exact: true }).fill(`${receiver.url}/{{sensor_name}}`);
    await button(page, 'Own').click();
    const body = page.getByLabel('Body as JSON');
    await body.fill('{ "text": ');
    await button(page, 'Save').click();
    await page
      .getByRole('alert')
      .getByText(/^Not valid JSON: /)
      .waitFor();
    await body.fill('{ "text": ["{{title}} {{nothing}}"] }');
    await button(page, 'Show what is sent').click();
    const problem = 'text[0]: cannot be used: unknown name "nothing" at character 13.';
    await page.getByRole('alert').getByText(problem).waitFor();
    assert.equal(await body.getAttribute('aria-invalid'), 'true');
    await inspectConsole(page, 'channel-mistake');
    await body.fill('{ "text": ["{{title}}"] }');
    await page.getByLabel('URL', { exact: true }).fill(`${receiver.url}/{{sensor_name}}?k={{secrets.key}}`);
    await button(page, 'Show what is sent').click();
    await page.getByRole('alert').getByText('Cannot be used: there is no secret "key" at character').waitFor();
    await page.getByText('Method, headers and secrets').click();
    await button(page, 'PUT').click();
    await button(page, 'Add a header').click();
    await page.getByLabel('Name of header 1').fill('Authorization');
    await page.getByLabel('Value of Authorization').fill('Bearer s3cret');
    await button(page, 'Add a secret').click();
    await page.getByLabel('Name of secret 1').fill('key');
    await page.getByLabel('Value of key').fill('k3y');
    await page.locator('summary', { hasText: 'More' }).click();
    await page.getByLabel('Body when an alert is acknowledged').fill('{ "seen": "{{title}}" }');
    await button(page, 'Show what is sent').click();
    await page.getByText(`PUT ${receiver.url}/greenhouse?k=…`).waitFor();
    await button(page, 'Acknowledgement').click();
    await page.locator('.request-body').getByText('"seen"').waitFor();
    await inspectConsole(page, 'channel-any-url');
    receiver.received.length = 0;
    receiver.responses.push((response) => void setTimeout(() => response.writeHead(202).end('taken'), 1_000));
    await button(page, 'Save and test').click();
    await page.getByText('Waiting for the answer …').waitFor();
    await page.getByText('The test was delivered: 202: taken').waitFor();
    const [request] = receiver.received;
    assert.deepEqual(
      [request?.method, request?.path, request?.headers.authorization, request?.rawBody],
      ['PUT', '/sample%20sensor?k=k3y', 'Bearer s3cret', '{"text":["Test: sample trigger on sample sensor"]}'],
    );
    assert.deepEqual(errors, []);
  });

  it('name a probe that is too frequent at its field, and tell notifications apart by their names', async () => {
    const id = await buildNotification(user, { destination: receiver.url });
    const page = await open(`/notifications/${id}`);
    const unit = page.getByLabel('Unit of “Send a probe every”');
    assert.equal(await unit.inputValue(), '86400');
    await page.getByLabel('Send a probe every', { exact: true }).fill('20');
    await unit.selectOption('minutes');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('Must be at least 1 hour.', { exact: true }).waitFor();
    await inspectConsole(page, 'channel-probe');
    await unit.selectOption('hours');
    await page.getByLabel('Name', { exact: true }).fill('The team');
    await button(page, 'Save').click();
    await page.getByText('The notification is saved.').waitFor();
    const [saved] = (await user.api.get('/notifications')).body.notifications;
    assert.deepEqual([saved.name, saved.probe], ['The team', 72_000]);
    await user.api.post(`/notifications/${id}/test`);
    await page.goto(`${platform.url}/console/notifications`);
    await button(page, 'Delete The team').waitFor();
    await inspectConsole(page, 'channel-list');
    await page.goto(`${platform.url}/console/deliveries`);
    await page.getByRole('cell', { name: 'The team', exact: true }).waitFor();
  });

  it('keep hidden values through a change of the text', async () => {
    const id = await buildNotification(user, {
      destination: `${receiver.url}/hook`,
      ...{ headers: { 'X-Key': 'k3y' }, content_type: 'text/plain', body: '{{text}}!', text: 'before' },
    });
    const page = await open(`/notifications/${id}`);
    assert.equal(await page.getByLabel('Body as text').inputValue(), '{{text}}!');
    await page.getByLabel('Text', { exact: true }).fill('after');
    await button(page, 'Save').click();
    await page.getByText('The notification is saved.').waitFor();
    await user.api.post(`/notifications/${id}/test`);
    const [request] = await receiver.waitFor(1);
    assert.deepEqual([request?.headers['x-key'], request?.rawBody], ['k3y', 'after!']);
  });
});

describe('the path from an account to a message in a chat', function () {
  this.timeout(90_000);
  before(ensureConsole);
  const platform = usePlatform();
  const browser = useBrowser();

  it('takes few clicks', async () => {
    await platform.startWorkers(['deliveries']);
    const chat = await startService(discord);
    const account = await platform.user({ password: digestOf('a long password') });
    const page = await browser.open({ javaScriptEnabled: true, locale: 'en-GB' });
    let clicks = 0;
    const started = performance.now();
    const click = async (role: 'button' | 'link', name: string) => {
      clicks += 1;
      await page.getByRole(role, { name, exact: true }).click();
    };
    await page.goto(`${platform.url}/console/`);
    await page.getByLabel('Username').fill(account.username);
    await page.getByLabel('Password').fill('a long password');
    await click('button', 'Sign in');
    await click('link', 'Notifications');
    await click('link', 'New notification');
    await click('button', 'Discord');
    await page.getByLabel('Webhook URL').fill(discord.values(chat.url).webhook_url ?? '');
    await click('button', 'Save and test');
    await page.getByText('The test was delivered').waitFor();
    await until('the message is in the chat', () => chat.shown.length === 1);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`      from the sign-in to a message in the chat: ${clicks} clicks, ${seconds} s`);
    assert.ok(clicks <= 5, `${clicks} clicks`);
    await platform.stopWorkers();
    await chat.close();
  });
});
