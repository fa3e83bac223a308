import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { buildAlarm } from '../support/alarm';
import { useBrowser } from '../support/browser';
import { AUTHORITY } from '../support/certificates';
import { ensureConsole, inspectConsole, signIn, watchErrors } from '../support/console';
import { buildNotification, upload } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { linkIn, Mailbox } from '../support/mailbox';
import { type PushService, startPushService } from '../support/push-service';
import { serviceWorkerOf } from '../support/service-worker';
import { until } from '../support/until';

const ASSETS = join(__dirname, '../../dist/web/assets');
const MESSAGE = {
  title: 'Critical: too warm on freezer',
  text: 'Value: -3',
  tag: 'episode-1',
  state: 'firing',
  severity: 'critical',
};
const NOTHING_HAPPENS_MS = 500;

describe('alerts in a browser', function () {
  this.timeout(90_000);
  const folder = mkdtempSync(join(tmpdir(), 'push-'));
  const authorities = join(folder, 'authority.pem');
  writeFileSync(authorities, AUTHORITY);
  let service: PushService;
  before(async () => {
    ensureConsole();
    service = await startPushService();
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });
  const mailbox = Mailbox.use();
  const platform = usePlatform(() => ({
    config: { ...mailbox.settings, MAIL_CONFIRMATION: 'off', DELIVERY_CA_FILE: authorities },
  }));
  const user = useUserPerTest(platform);
  const browser = useBrowser();

  const open = async (options: BrowserContextOptions = {}, prepare?: (page: Page) => Promise<unknown>) => {
    const page = await browser.open({
      ...{ javaScriptEnabled: true, locale: 'en-GB', serviceWorkers: 'allow', ...options },
    });
    await prepare?.(page);
    await signIn(page, platform.url, user);
    await page.goto(`${platform.url}/console/notifications`);
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
    return page;
  };
  const allowed = { permissions: ['notifications'] };
  const notifications = async () => (await user.api.get('/notifications')).body.notifications;
  /** The URLs in the caches of the browser, below the root of the platform. */
  const cached = async (page: Page): Promise<string[]> => {
    const urls: string[] = await page.evaluate(
      `caches.keys().then((names) => Promise.all(names.map(async (name) => (await (await caches.open(name)).keys())
        .map(({ url }) => url)))).then((all) => all.flat())`,
    );
    return urls.map((url) => url.replace(platform.url, ''));
  };

  it('are shown with their actions, and are replaced by their end', async () => {
    const page = await open(allowed);
    const { push, shown } = await serviceWorkerOf(page);
    await push(JSON.stringify({ ...MESSAGE, url: platform.url, acknowledge_url: `${platform.url}/acknowledge` }));
    await until('it is shown', async () => (await shown()).length === 1);
    assert.deepEqual(await shown(), [
      {
        title: 'Critical: too warm on freezer',
        body: 'Value: -3',
        tag: 'episode-1',
        requireInteraction: true,
        actions: [
          { action: 'acknowledge', title: 'Acknowledge' },
          { action: 'open', title: 'Open' },
        ],
      },
    ]);
    await push(JSON.stringify({ ...MESSAGE, title: 'Resolved', state: 'resolved', url: platform.url }));
    await until('it is replaced', async () => (await shown())[0]?.title === 'Resolved');
    const [end, ...more] = await shown();
    assert.deepEqual(more, []);
    assert.deepEqual([end?.requireInteraction, end?.actions.map(({ action }) => action)], [false, ['open']]);
    await push('no JSON');
    await until('it is shown as well', async () => (await shown()).length === 2);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await until('nothing is left after a sign-out', async () => (await shown()).length === 0);
  });

  it('acknowledge by their action, without a session', async () => {
    const { sensorId } = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 30' },
      notifications: [{ type: 'email', destination: 'ward@example.org', text: 'hot' }],
    });
    await upload(user, sensorId, { value: 31 });
    await platform.settle();
    const link = `${platform.url}${linkIn(mailbox.mails.at(-1)?.text ?? '', 'acknowledge')}`;
    const page = await open(allowed);
    const { push, shown, click } = await serviceWorkerOf(page);
    const say = async (tag: string, acknowledgeUrl: string) => {
      await push(JSON.stringify({ ...MESSAGE, tag, url: platform.url, acknowledge_url: acknowledgeUrl }));
      await until('it is shown', async () => (await shown()).some((one) => one.tag === tag));
    };
    await page.context().clearCookies();
    await say('one', link);
    await click('one', 'acknowledge');
    const [firing] = (await user.api.get(`/firings?sensor_id=${sensorId}`)).body.firings;
    assert.equal(firing.acknowledged.note, 'by the link in a mail to ward@example.org');
    assert.deepEqual(await shown(), []);
  }).retries(2); // a busy browser forgets now and then what it shows

  it('say in the console whether this browser shows them, and why it cannot', async () => {
    const denied = await open();
    const errors = watchErrors(denied);
    await denied.getByRole('button', { name: 'Show alerts in this browser' }).click();
    await denied.getByText('Notifications are not allowed for this site.').waitFor();
    await denied.getByText('Notifications are not allowed for this site.').waitFor();
    await inspectConsole(denied, 'push-denied');
    assert.deepEqual(errors, []);
    const without = await open({}, (page) => page.addInitScript('delete window.PushManager'));
    await without.getByText('This browser cannot show alerts:').waitFor();
    const phone = await open(
      { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1' },
      (page) => page.addInitScript('delete window.PushManager'),
    );
    await phone.getByText('alerts need the app on the home screen').waitFor();
  });

  it('ask for permission at the click only, and say if the push service of the browser cannot be reached', async () => {
    const asked = 'Notification.requestPermission = () => { window.asked = true; return Promise.resolve("granted"); };';
    const page = await open(allowed, (one) => one.addInitScript(asked));
    await serviceWorkerOf(page);
    const button = page.getByRole('button', { name: 'Show alerts in this browser' });
    await button.waitFor();
    await page.waitForTimeout(NOTHING_HAPPENS_MS);
    assert.equal(await page.evaluate('window.asked'), undefined);
    await button.click();
    // Chromium's own push service is in the Internet.
    await page.getByText('The push service of the browser is switched off or cannot be reached.').waitFor();
    assert.equal(await page.evaluate('window.asked'), true);
    assert.deepEqual(await notifications(), []);
  });

  it('come from the platform to a browser whose push service is a stand-in, which can be subscribed once', async () => {
    const subscribed = service.subscribe();
    const other = await buildNotification(user, { destination: 'https://example.org/' });
    const page = await open(allowed, (one) =>
      one.addInitScript(`{
        let current = null;
        const json = ${JSON.stringify(subscribed.toJSON())};
        const subscription = { endpoint: json.endpoint, toJSON: () => json, unsubscribe: async () => { current = null; } };
        PushManager.prototype.getSubscription = async () => current;
        PushManager.prototype.subscribe = async (options) => {
          window.subscribedWith = options;
          current = { ...subscription, options: { applicationServerKey: options.applicationServerKey.buffer } };
          return current;
        };
      }`),
    );
    const errors = watchErrors(page);
    await serviceWorkerOf(page);
    await inspectConsole(page, 'push-offer');
    await page.getByRole('button', { name: 'Show alerts in this browser' }).click();
    await page.getByText('This browser shows alerts from now on.').waitFor();
    await page.getByText('This browser shows alerts', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Show alerts in this browser' }).count(), 0);
    await inspectConsole(page, 'push-subscribed');
    const [, made] = await notifications();
    assert.deepEqual([made.type, made.destination, made.name], ['push', subscribed.endpoint, 'Chrome on Linux']);
    const { push_key } = (await user.api.get('/notifications/push_key')).body;
    const used = await page.evaluate(`({ visible: window.subscribedWith.userVisibleOnly,
      key: btoa(String.fromCharCode(...window.subscribedWith.applicationServerKey)) })`);
    const key = Buffer.from(push_key.public_key, 'base64url').toString('base64');
    assert.deepEqual(used, { visible: true, key });
    const sent = page.waitForResponse(/\/notifications\/\d+\/test$/);
    await page.getByRole('button', { name: 'Send a test to Chrome on Linux' }).click();
    // The request waits for the attempt.
    await until(
      'the test is a delivery',
      async () =>
        (await platform.query("SELECT id FROM deliveries WHERE type = 'push' AND trigger_id IS NULL")).length > 0,
    );
    await platform.settle();
    await sent;
    await page.getByText(/^The test was delivered/).waitFor();
    assert.deepEqual(service.problems, []);
    assert.equal(service.pushed.at(-1)?.message.state, 'none');
    await page.getByRole('link', { name: 'Chrome on Linux', exact: true }).click();
    await page.getByLabel('Name of the browser').fill('My desk');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Delete My desk' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Show alerts in this browser' }).waitFor();
    assert.deepEqual(
      (await notifications()).map(({ id }: { id: string }) => id),
      [other],
    );
    assert.equal(await page.evaluate(`PushManager.prototype.getSubscription()`), null);
    assert.deepEqual(errors, []);
  });

  it('keep the files of one version, and nothing of what other programs store', async () => {
    const page = await open(allowed);
    await serviceWorkerOf(page);
    const names = () => page.evaluate<string[]>('caches.keys().then((all) => all.sort())');
    const [current = '', ...more] = await names();
    assert.deepEqual([current.startsWith(`console ${platform.url}/console/ `), more], [true, []]);
    const old = `console ${platform.url}/console/ 0123`;
    await page.evaluate(`Promise.all(['another program', '${old}'].map((name) => caches.open(name)))`);
    await page.evaluate(`navigator.serviceWorker.getRegistration().then((found) => found.unregister())`);
    await page.reload();
    await until('the old version is removed', async () => !(await names()).includes(old));
    assert.deepEqual(await names(), ['another program', current]);
  });

  it('come with a console that opens without a connection, from a cache that holds no data of anybody', async () => {
    const page = await open(allowed);
    await serviceWorkerOf(page);
    for (const path of ['/', '/triggers', '/account']) {
      await page.goto(`${platform.url}/console${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    const before = await cached(page);
    assert.ok(before.includes('/console/'));
    const built = readdirSync(ASSETS).map((name) => `/console/assets/${name}`);
    assert.deepEqual(before.filter((path) => path.includes('/assets/')).sort(), built.sort());
    for (const path of before)
      assert.match(path, /^\/console\/(?:assets\/[\w.-]+|icons\/[\w-]+\.png|icon\.svg|manifest\.webmanifest)?$/);
    await page.context().setOffline(true);
    await page.goto(`${platform.url}/console/sensors/42`);
    await page.getByRole('heading', { name: 'The platform does not answer' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.deepEqual(await cached(page), before);
    const page2 = await page.evaluate(
      `caches.match('${platform.url}/console/', { ignoreVary: true }).then(async (found) =>
        ({ text: await found.text(), policy: found.headers.get('content-security-policy') }))`,
    );
    const { text, policy } = page2 as { text: string; policy: string };
    assert.ok(!text.includes(user.username) && !text.includes(user.session));
    assert.match(policy, /default-src 'none'; script-src 'self'/);
  });
});
