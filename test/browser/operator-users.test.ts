import assert from 'node:assert/strict';
import { passwordDigest } from '../../client/src';
import { inspect, useBrowser } from '../support/browser';
import { ensureConsole, openConsole } from '../support/console';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  createKey,
  upload,
} from '../support/factories';
import { usePlatform, useReceiver, useUser } from '../support/hooks';

const LOGIN = { username: 'operator', password: 'board-password' };
const MINUTE_MS = 60_000;
const MINUTES = 1_440;

describe('the load and the users, in a browser without scripts', () => {
  before(ensureConsole); // before the platform, which reads its files at the start
  const platform = usePlatform();
  const user = useUser(platform, { username: 'cold-chain-hamburg' });
  const receiver = useReceiver();
  const browser = useBrowser();

  const open = async (path: string) => {
    const page = await browser.open({ httpCredentials: LOGIN });
    await page.goto(`${platform.url}${path}`);
    return page;
  };
  /** A day with a busy hour, an outage of API processes, and a backlog. */
  const recordDay = async () => {
    const nowMs = Date.now();
    const firstMs = nowMs - (nowMs % MINUTE_MS) - MINUTES * MINUTE_MS;
    const rows: unknown[][] = [];
    for (let minute = 0; minute < MINUTES; minute += 1) {
      if (minute > 400 && minute < 440) continue;
      const wave = 600 + 80 * Math.sin(minute / 90) + ((minute * 7_919) % 37);
      const isBusy = minute > 900 && minute < 960;
      const samples = {
        ...{
          sampled: 1,
          points: Math.round(isBusy ? wave * 4 : wave),
          delivered: 6 + Math.round(3 * Math.sin(minute / 50)),
          failed_attempts: isBusy ? 3 : 0,
        },
        ...{
          latency_p50: 14 + Math.round(2 * Math.sin(minute / 30)),
          latency_p95: isBusy ? 900 : 60 + Math.round(20 * Math.sin(minute / 70)),
          latency_max: isBusy ? 8_200 : 250 + Math.round(90 * Math.sin(minute / 20)),
        },
        ...{
          waiting_points: isBusy ? 4_000 : 0,
          waiting_deliveries: isBusy ? 40 : 1,
          oldest_points: isBusy ? 14 : 0,
          oldest_deliveries: 0,
        },
        ...(isBusy && { refused_429: 12, refused_503: 4 }),
      };
      for (const [name, value] of Object.entries(samples)) rows.push([firstMs + minute * MINUTE_MS, name, value]);
    }
    await platform.query('INSERT INTO minute_samples (minute_ms, name, value) VALUES ?', [rows]);
  };

  it('shows the last day as charts, with the numbers by hour for all readers', async () => {
    await recordDay();
    const page = await open('/admin');
    await page.getByRole('img', { name: /Points stored per minute/ }).waitFor();
    assert.equal(await page.locator('figure.chart').count(), 6);
    await page.getByText('By hour').first().press('Enter');
    await page
      .getByRole('region', { name: /Points stored per minute: average/ })
      .getByRole('row')
      .nth(24)
      .waitFor();
    await inspect(page, 'operators-load');
  });

  it('finds a user, disables the account and enables it again, by keyboard', async () => {
    const others = ['allotment-7', 'brewery', 'greenhouse-west', 'hospital-lab', 'museum-depot'];
    for (const username of others) await platform.user({ username });
    const sensor = await buildSensor(user, { data_type: 'float' });
    await createKey(user);
    const trigger = await buildTrigger(user);
    await connectTrigger(user, sensor, trigger);
    const notification = await buildNotification(user, { destination: receiver.url });
    await connectNotification(user, sensor, trigger, notification);
    receiver.responses.push((response) => {
      response.writeHead(410).end('{"error":"channel_is_archived","value":"31"}');
    });
    await upload(user, sensor, { value: 31 });
    await platform.settle();
    await platform.container.loadRecorder.addCounts();

    const page = await open('/admin/users');
    await inspect(page, 'operator-users');
    await page.getByRole('link', { name: 'Points, 24 h' }).press('Enter');
    const first = page.getByRole('region', { name: 'Users' }).getByRole('row').nth(1);
    await first.getByRole('link', { name: 'cold-chain-hamburg' }).waitFor();
    await page.getByLabel('Username or email address').fill('HAMBURG');
    await page.keyboard.press('Enter');
    await page.getByText('One user with “HAMBURG”').waitFor();
    await page.getByRole('link', { name: 'cold-chain-hamburg' }).press('Enter');
    await page.getByRole('heading', { name: 'cold-chain-hamburg' }).waitFor();
    await page.getByRole('cell', { name: /410.*channel_is_archived/ }).waitFor();
    await inspect(page, 'operator-user');

    await page.getByRole('link', { name: 'Disable the account' }).press('Enter');
    await inspect(page, 'operator-disable');
    await page.getByRole('button', { name: 'Disable the account cold-chain-hamburg' }).press('Enter');
    await page.getByRole('status').getByText('The account is disabled.').waitFor();
    assert.equal((await user.api.get('/sensors')).body.code, 'account_disabled');
    await inspect(page, 'operator-user-disabled');
    await page.getByRole('link', { name: 'Enable the account' }).press('Enter');
    await page.getByRole('button', { name: 'Enable the account cold-chain-hamburg' }).press('Enter');
    await page.getByRole('status').getByText('The account is enabled.').waitFor();
    assert.equal((await user.api.get('/sensors')).status, 200);
    await page.getByRole('link', { name: 'End all sessions' }).press('Enter');
    await page.getByLabel(/End keys/).check();
    await inspect(page, 'operator-end-sessions');
    await page.getByRole('button', { name: 'End all sessions of cold-chain-hamburg' }).press('Enter');
    await page.getByRole('status').getByText('All sessions have ended.').waitFor();
    assert.equal((await user.api.get('/sensors')).status, 401);
    await page.getByRole('link', { name: 'Overview' }).press('Enter');
    await page.getByRole('region', { name: 'What operators did' }).getByText('ended keys').waitFor();
  });

  it('leads on from a user that does not exist', async () => {
    const page = await open('/admin/users/999999');
    await page.getByRole('alert').getByText('The user does not exist').waitFor();
    await inspect(page, 'operator-user-unknown');
    await page.getByRole('link', { name: 'Users' }).press('Enter');
    await page.getByRole('heading', { name: 'Users' }).waitFor();
  });

  it('shows the sign-in in the console of a disabled account, and says why it is refused', async () => {
    const guest = await platform.user({ password: passwordDigest('correct horse') });
    const page = await openConsole(browser, platform, guest, '/sensors');
    await page.getByRole('link', { name: 'Triggers' }).first().waitFor();
    const { userControl } = platform.container.services.operations;
    await userControl.disable({ userId: Number(guest.id), username: guest.username, operator: 'test' });
    await page.reload();
    await page.getByLabel('Username').fill(guest.username);
    await page.getByLabel('Password').fill('correct horse');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('This account is disabled; ask the operators of this platform.').waitFor();
  });
});
