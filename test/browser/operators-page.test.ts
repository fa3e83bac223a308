import assert from 'node:assert/strict';
import { PROBLEMS } from '../../src/platform/words/german/problems';
import { inspect, useBrowser } from '../support/browser';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  upload,
} from '../support/factories';
import { usePlatform, useReceiver, useUser } from '../support/hooks';
import { until } from '../support/until';

const LOGIN = { username: 'operator', password: 'board-password' };

describe('the page of operators, in a browser without scripts', () => {
  const platform = usePlatform({ config: { BOARD_VIEWER_PASSWORD: 'looks-only' } });
  const user = useUser(platform);
  const receiver = useReceiver();
  const browser = useBrowser();
  const authorization = `Basic ${Buffer.from(`${LOGIN.username}:${LOGIN.password}`).toString('base64')}`;

  it('asks for the login of the board, also for what its forms do', async () => {
    for (const [method, path] of [
      ['get', '/admin'],
      ['post', '/admin/redeliver'],
      ['post', '/admin/pause'],
    ] as const) {
      const refused = await platform.anonymous[method](path);
      assert.deepEqual([refused.status, refused.body.code], [401, 'board_login'], path);
      assert.equal((await user.api[method](path)).status, 401, `${path}, by the session of a user`);
    }
    const forged = { Authorization: authorization, 'Content-Type': 'application/x-www-form-urlencoded' };
    const withoutToken = await platform.anonymous.post('/admin/pause', 'receiver=example.org:443', forged);
    assert.equal(withoutToken.status, 403);
    const foreign = { ...forged, Origin: 'https://evil.example' };
    assert.equal((await platform.anonymous.post('/admin/pause', 'receiver=example.org:443', foreign)).status, 403);
    assert.equal((await platform.anonymous.get('/admin/pause', forged)).status, 405);
  });

  it('shows no text of a link as its own', async () => {
    const headers = { Authorization: authorization };
    for (const query of [
      'done=Call%20555-0100',
      'done=pause&count=Call%20555-0100',
      'done=toString&count=1',
      'done[]=pause',
    ]) {
      const { status, body } = await platform.anonymous.get(`/admin?${query}`, headers);
      assert.equal(status, 200, query);
      assert.doesNotMatch(String(body), /555-0100|role="status"/, query);
    }
    const { body } = await platform.anonymous.get('/admin?done=redeliver&count=2', headers);
    assert.match(String(body), /2 deliveries will be sent again\./);
  });

  it('adds the time of the browser to times in UTC, by its one script, and leads to the guides', async () => {
    const there = { httpCredentials: LOGIN, javaScriptEnabled: true, timezoneId: 'Asia/Kolkata', locale: 'en-GB' };
    const page = await browser.open(there);
    const errors: string[] = [];
    page.on('console', (message) => errors.push(message.text()));
    await page.goto(`${platform.url}/admin`);
    const shown = page.locator('time').first();
    await shown.getByText(/GMT\+5:30|IST/).waitFor();
    const at = new Date((await shown.getAttribute('datetime')) ?? '');
    const text = (await shown.textContent()) ?? '';
    assert.ok(text.startsWith(`${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`), text);
    const local = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'Asia/Kolkata' }).format(at);
    assert.ok(text.includes(local), text);
    assert.deepEqual(errors, [], 'the policy lets the script run');
    await inspect(page, 'operators-local-times');
    for (const guide of ['Backup and restore', 'Upgrade', 'Monitoring', 'Command line']) {
      const href = await page.getByRole('link', { name: guide }).getAttribute('href');
      assert.equal(
        (await platform.anonymous.get(new URL(href ?? '', `${platform.url}/admin`).pathname)).status,
        200,
        guide,
      );
    }
  });

  it('shows how large the tables are by what they hold, and what Redis and the disk have', async () => {
    const sensor = await buildSensor(user, { data_type: 'float' });
    await upload(user, sensor, { value: 1 });
    const page = await browser.open({ httpCredentials: LOGIN });
    await page.goto(`${platform.url}/admin`);
    const storage = page.getByRole('region', { name: 'Storage' });
    const cells = await storage
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map(({ children }) => [...children].map(({ textContent }) => textContent ?? '')));
    const sizes = new Map(cells.map(([name = '', size = '']) => [name, size]));
    const names = ['Points', 'Firings', 'Deliveries and their attempts', 'What waits, and changes for streams'];
    for (const name of [...names, 'Everything else', 'All tables of MySQL', 'Memory that Redis uses'])
      assert.match(sizes.get(name) ?? '', /^[1-9][\d.,]* (kB|MB|GB)$/, name);
    assert.match(sizes.get('Free on the disk with DATA_DIR') ?? '', /^[\d.,]+ (MB|GB|TB) of [\d.,]+ (MB|GB|TB)$/);
    const [{ bytes } = assert.fail()] = await platform.query(
      'SELECT SUM(data_length + index_length) AS bytes FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    const factor = sizes.get('All tables of MySQL')?.endsWith('MB') ? 1e6 : 1e3;
    const shown = Number.parseFloat((sizes.get('All tables of MySQL') ?? '').replace(',', '')) * factor;
    assert.ok(Math.abs(shown / Number(bytes) - 1) < 0.2, `${shown} of ${bytes}`);
  });

  it('shows failed deliveries by cause and receiver, sends them again, and pauses a receiver', async () => {
    receiver.responses.push(410);
    const sensor = await buildSensor(user, { name: 'secret name', data_type: 'float' });
    const trigger = await buildTrigger(user);
    await connectTrigger(user, sensor, trigger);
    const notification = await buildNotification(user, {
      destination: `${receiver.url}/path?token=hush`,
      text: 'a text',
    });
    await connectNotification(user, sensor, trigger, notification);
    await upload(user, sensor, { value: 31.25 });
    await platform.settle();
    assert.equal((await user.api.get('/deliveries')).body.deliveries[0].status, 'failed');

    const looker = await browser.open({ httpCredentials: { username: 'viewer', password: 'looks-only' } });
    await looker.goto(`${platform.url}/admin`);
    assert.equal(await looker.getByRole('cell', { name: new URL(receiver.url).host }).count(), 1);
    assert.equal(await looker.getByRole('button').count(), 0);
    const asLooker = { Authorization: `Basic ${Buffer.from('viewer:looks-only').toString('base64')}` };
    assert.equal((await platform.anonymous.post('/admin/pause', {}, asLooker)).status, 403);

    const page = await browser.open({ httpCredentials: LOGIN });
    await page.goto(`${platform.url}/admin`);
    const { host } = new URL(receiver.url);
    const failed = page.getByRole('region', { name: 'Failed deliveries by receiver and cause' });
    await failed.getByRole('row', { name: new RegExp(host) }).waitFor();
    const text = (await page.locator('body').textContent()) ?? '';
    for (const hidden of ['secret name', 'hush', 'a text', '31.25']) assert.ok(!text.includes(hidden), hidden);
    await inspect(page, 'operators');

    await failed.getByRole('button', { name: /Send again/ }).click();
    await page.getByRole('status').getByText('One delivery will be sent again.').waitFor();
    await page
      .getByRole('region', { name: 'Receivers' })
      .getByRole('button', { name: `Pause ${host}` })
      .click();
    await page.getByText('The receiver is paused: its deliveries wait.').waitFor();
    await platform.settle();
    assert.equal(receiver.received.length, 1, 'nothing goes to a paused receiver');
    await inspect(page, 'operators-paused');
    await page.getByText('by the operators’ page').waitFor();
    const german = await platform.anonymous.get('/admin', { authorization, 'Accept-Language': 'de' });
    assert.ok(german.body.includes(`: ${PROBLEMS['by the operators’ page']}`));
    await page.getByRole('button', { name: `Resume ${host}` }).click();
    await page.getByText('The receiver is resumed.').waitFor();
    await platform.startWorkers(['deliveries', 'schedule']);
    await until('it is delivered', () => receiver.received.length === 2);
    await page.getByRole('link', { name: 'deliveries' }).click();
    await page.waitForURL('**/admin/queues/queue/deliveries');
  });
});
