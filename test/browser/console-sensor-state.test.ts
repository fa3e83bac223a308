import assert from 'node:assert/strict';
import { buildAlarm } from '../support/alarm';
import { useBrowser } from '../support/browser';
import { inspectConsole, openConsole, useConsole, watchErrors } from '../support/console';
import {
  buildDashboard,
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  share,
  upload,
} from '../support/factories';
import { usePlatform, useReceiver, useUser, useUserPerTest } from '../support/hooks';
import { writeLines } from '../support/lines';
import { linkIn, Mailbox } from '../support/mailbox';
import { until } from '../support/until';

describe('the state of sensors in the console', function () {
  this.timeout(120_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const friend = useUser(platform);
  const receiver = useReceiver();
  const open = useConsole(platform, user);
  const browser = useBrowser();

  const ago = (seconds: number) => Math.round(Date.now() / 1_000) - seconds;
  /** A sensor whose trigger is ok, and whose last point is ten minutes old. */
  const buildStopped = async (fields: object = {}) => {
    const trigger = await buildTrigger(user, { name: 'Too warm', expression: 'sensor_data_value > 30' });
    const id = await buildSensor(user, { name: 'Freezer', expected_interval: 300, ...fields });
    await connectTrigger(user, id, trigger);
    await upload(user, id, { value: -20, date: ago(600) });
    await platform.settle();
    return id;
  };

  it('shows that a sensor has no data wherever it would be ok', async () => {
    const id = await buildStopped();
    const tile = { kind: 'state', sensors: [id], x: 0, y: 0, w: 6, h: 4 };
    const dashboard = await buildDashboard(user, { name: 'Wall', tiles: [tile] });
    const page = await open('/sensors');
    await page.getByRole('row', { name: /Freezer.* no data .*no data for 10 min/ }).waitFor();
    await page.goto(`${platform.url}/console/dashboards/${dashboard}`);
    await page.locator('.tile-list').getByText('no data', { exact: true }).waitFor();
    await page.goto(`${platform.url}/console/sensors/${id}`);
    await page.getByText('no data for 10 min').waitFor();
    await inspectConsole(page, 'sensor-without-data');
    await page.getByRole('button', { name: 'Edit' }).click();
    const field = page.getByLabel('Data is expected at least every', { exact: true });
    assert.equal(await field.inputValue(), '5');
    await field.fill('15');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('no data for 10 min').waitFor({ state: 'detached' });
    const { sensor } = (await user.api.get(`/sensors/${id}`)).body;
    assert.deepEqual([sensor.expected_interval, sensor.state], [900, 'ok']);
  });

  it('says the same of a trigger that waits at the value and in the list', async () => {
    const trigger = await buildTrigger(user, { name: 'Warm', expression: 'sensor_data_value > 30', hold: 3_600 });
    const sensor = await buildSensor(user, { name: 'Freezer' });
    await connectTrigger(user, sensor, trigger);
    await upload(user, sensor, { value: 20 });
    await platform.settle();
    const page = await open(`/sensors/${sensor}`);
    await page.locator('.now').getByText('ok').waitFor();
    await page.getByRole('row', { name: /^Warm/ }).getByText('ok').waitFor();
    await upload(user, sensor, { value: 31 });
    await platform.settle();
    await page.getByRole('row', { name: /^Warm/ }).getByText('pending').waitFor();
    assert.equal(await page.locator('.now .status').textContent(), 'pending');
  });

  it('shows the alert of a sensor at its value, with what can be done about it', async () => {
    const { sensorId } = await buildAlarm(user, {
      sensor: { name: 'Freezer' },
      trigger: { name: 'Too warm', severity: 'critical', expression: 'sensor_data_value > 30' },
      notifications: [],
    });
    await upload(user, sensorId, { value: 31 });
    await platform.settle();
    const page = await open(`/sensors/${sensorId}`);
    const errors = watchErrors(page);
    const alert = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem');
    await alert.getByText('critical').waitFor();
    await inspectConsole(page, 'sensor-firing');
    await alert.getByRole('button', { name: 'Acknowledge Too warm' }).click();
    await page.getByLabel('Note').fill('on my way');
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
    await alert.getByText(/^by you, .*“on my way”$/).waitFor();
    await alert.getByRole('button', { name: 'Mute or resolve Too warm' }).click();
    await inspectConsole(page, 'alert-menu');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^until 0?7:00/ })
      .click();
    await page.getByText('1 alert muted.').waitFor();
    await alert.getByText('muted').waitFor();
    await page.goto(`${platform.url}/console/mutes`);
    const muted = page.getByRole('table', { name: 'Muted alerts' }).getByRole('row', { name: /Too warm.*Freezer/ });
    await muted.waitFor();
    await inspectConsole(page, 'mutes-of-alerts');
    await muted.getByRole('button', { name: 'Unmute Too warm' }).click();
    await muted.waitFor({ state: 'detached' });
    assert.deepEqual(errors, []);
  });

  it('says how old the present value at an alert is', async () => {
    const trigger = await buildTrigger(user, { name: 'Too warm', expression: 'sensor_data_value > 30' });
    const id = await buildSensor(user, { name: 'Warm' });
    await connectTrigger(user, id, trigger);
    await upload(user, id, { value: 31, date: ago(600) });
    await platform.settle();
    const page = await open('/alerts');
    await page.getByRole('row', { name: /Warm 31 above 30 10 min.*Too warm/ }).waitFor();
  });

  it('leads nobody to a trigger on the sensor of somebody else, and keeps no trigger that could not be connected', async () => {
    const id = await buildSensor(user, { name: 'Freezer' });
    await upload(user, id, { value: 1 });
    await share(user, id, friend);
    const page = await openConsole(browser, platform, friend, `/sensors/${id}`);
    await page.getByText(/Only .* can watch this sensor/).waitFor();
    assert.equal(await page.getByRole('link', { name: 'New trigger' }).count(), 0);
    assert.equal(await page.getByText('Only the owner of the sensor may do this').count(), 0);
    await inspectConsole(page, 'sensor-shared');
    await page.goto(`${platform.url}/console/triggers/new?sensor=${id}`);
    await page.getByLabel('Fires when').selectOption('no data arrives for');
    await page.getByLabel('No data for', { exact: true }).fill('5');
    await page.getByLabel('Name', { exact: true }).fill('wall');
    for (let time = 0; time < 2; time += 1) {
      await page.getByRole('button', { name: 'Create the trigger' }).click();
      await page.getByRole('alert').waitFor();
    }
    assert.equal((await friend.api.get('/triggers?total=1')).body.total, 0);
  });

  it('asks before a link leaves what was typed', async () => {
    const page = await open('/triggers/new');
    await page.getByLabel('Name', { exact: true }).fill('half a rule');
    const asked: string[] = [];
    page.once('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    const link = page.getByRole('navigation').getByRole('link', { name: 'Alerts' }).first();
    await link.click();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'half a rule');
    page.once('dialog', (dialog) => void dialog.accept());
    await link.click();
    await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
    assert.deepEqual(asked, ['Leave this page? What you have typed is lost.']);
    await page.getByRole('navigation').getByRole('link', { name: 'Triggers' }).first().click();
    await page.getByRole('heading', { name: 'Triggers', level: 1 }).waitFor();
  });

  it('asks once before Back leaves what was typed, and stays with it', async () => {
    const page = await open('/triggers');
    await page.getByRole('link', { name: 'New trigger' }).first().click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('half a rule');
    const asked: string[] = [];
    page.once('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.evaluate(() => window.history.back());
    await until('the question is answered', () => asked.length > 0 && page.url().endsWith('/triggers/new'));
    assert.equal(await name.inputValue(), 'half a rule');
    page.once('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.accept();
    });
    await page.evaluate(() => window.history.back());
    await page.getByRole('heading', { name: 'Triggers', level: 1 }).waitFor();
    await page.evaluate(() => window.history.forward());
    await name.waitFor();
    await page.evaluate(() => window.history.back());
    await page.getByRole('heading', { name: 'Triggers', level: 1 }).waitFor();
    assert.deepEqual(asked, Array(2).fill('Leave this page? What you have typed is lost.'));
  });

  it('asks before a changed dashboard is left', async () => {
    const id = await buildDashboard(user, { name: 'Wall', tiles: [] });
    const page = await open(`/dashboards/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Another wall');
    const asked = page.waitForEvent('dialog');
    await Promise.all([
      asked.then((question) => question.dismiss()),
      page.getByRole('navigation').getByRole('link', { name: 'Alerts' }).first().click(),
    ]);
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Another wall');
  });

  it('distinguishes sensors of agents by their tags', async () => {
    for (const device of ['tasmota_A', 'tasmota_B']) {
      const lines = `temperature,device=${device} value=20`;
      assert.equal((await user.api.post('/api/v2/write', lines, { 'Content-Type': 'text/plain' })).status, 204);
    }
    const page = await open('/sensors');
    const search = page.getByRole('combobox', { name: 'Find sensors' });
    const row = (device: string) => page.getByRole('row', { name: `temperature ${device} · influx` });
    await row('tasmota_B').waitFor();
    for (const text of ['device:tasmota_A', 'influx:device:tasmota_A']) {
      await search.fill(text);
      await row('tasmota_B').waitFor({ state: 'detached' });
      await row('tasmota_A').waitFor();
      await search.fill('');
      await row('tasmota_B').waitFor();
    }
    await search.fill('influx:dev');
    await page.getByRole('option', { name: 'influx:device:' }).waitFor();
    await search.press('ArrowDown');
    await search.press('Enter');
    await page.getByRole('option', { name: 'tasmota_B' }).waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await search.press(key);
    assert.equal(await search.inputValue(), 'influx:device:tasmota_B ');
    await row('tasmota_A').waitFor({ state: 'detached' });
    await search.press('Tab'); // the list of names, which opened again, would cover it
    await page.getByRole('checkbox', { name: 'Select 1 sensor' }).check();
    await page.getByRole('link', { name: 'New trigger for these' }).click();
    await page.getByLabel('Fires when').waitFor();
    assert.equal(await page.getByLabel('Namespace').inputValue(), 'influx');
    assert.equal(await page.getByLabel('Is one of').inputValue(), 'tasmota_B');
    await page.getByText('Matches 1 of your sensors at present: temperature (tasmota_B).').waitFor();
  });

  it('names sensors of agents by what distinguishes them at their deliveries', async () => {
    const trigger = await buildTrigger(user, { name: 'Too warm', expression: 'true' });
    const notification = await buildNotification(user, { type: 'url', destination: receiver.url });
    const lines = ['tasmota_A', 'tasmota_B'].map((device) => `temperature,device=${device},site=home value=20`);
    for (const sensor of (await writeLines(platform, user, lines)).values()) {
      await connectTrigger(user, sensor, trigger);
      await connectNotification(user, sensor, trigger, notification);
      await upload(user, sensor, { value: 31 });
    }
    await platform.settle();
    const page = await open('/deliveries');
    for (const device of ['tasmota_B', 'tasmota_A']) {
      await page.getByRole('link', { name: `Too warm on temperature (${device})` }).waitFor();
    }
    await page.getByRole('link', { name: 'Too warm on temperature (tasmota_A)' }).click();
    await page.getByRole('link', { name: 'temperature (tasmota_A)', exact: true }).waitFor();
  });

  it('names sensors of agents by what distinguishes them, on every page', async () => {
    for (const device of ['tasmota_A', 'tasmota_B']) {
      const lines = `temperature,device=${device},site=home value=20`;
      await user.api.post('/api/v2/write', lines, { 'Content-Type': 'text/plain' });
    }
    const { sensors } = (await user.api.get('/sensors?details=full')).body;
    const [first, second] = sensors.map(({ id }: { id: string }) => id);
    const page = await open(`/sensors/${first}`);
    await page.getByText('temperature,device=tasmota_A,site=home').waitFor();
    await page.goto(`${platform.url}/console/sensors/${first}?with=${second}`);
    for (const device of ['tasmota_A', 'tasmota_B']) await page.getByText(`temperature (${device})`).first().waitFor();
    await page.goto(`${platform.url}/console/sensors/${second}/about`);
    const tag = page.getByRole('link', { name: 'influx:device: tasmota_B' });
    await tag.waitFor();
    await inspectConsole(page, 'metatags-of-namespaces');
    await page.getByRole('button', { name: 'Remove influx:site: home' }).click();
    await page.getByText('influx:site: home').waitFor({ state: 'detached' });
    const { metatags } = (await user.api.get(`/sensors/${second}/metatags?namespace=influx`)).body;
    assert.deepEqual(metatags, { device: ['tasmota_B'] });
    await tag.click();
    await page.getByRole('row', { name: 'temperature tasmota_B · influx' }).waitFor();
    assert.equal(await page.getByRole('row', { name: 'tasmota_A' }).count(), 0);
  });

  it('says which sensors a search and a new trigger leave out', async () => {
    const cold = await buildSensor(user, { name: 'Cold store' });
    await user.api.put(`/sensors/${cold}/metatags`, { metatags: { device: ['x'], room: ['hall'] } });
    await user.api.put(`/sensors/${cold}/metatags?namespace=plant`, { metatags: { line: ['1'] } });
    await user.api.post('/api/v2/write', 'temperature,device=x value=20', { 'Content-Type': 'text/plain' });
    const page = await open('/sensors');
    const search = page.getByRole('combobox', { name: 'Find sensors' });
    await search.fill('device:x');
    await page.getByText('“device” is read as the metatag without a namespace. There is also influx:device.').waitFor();
    const hint = page.getByText('A new trigger watches just these: it can follow only metatags, all of one namespace.');
    for (const [text, isSaid] of [
      ['room:hall', false],
      ['room:hall plant:line:1', true],
      ['Cold', true],
    ] as const) {
      await search.fill(text);
      await search.press('Tab');
      await page.getByText('1 of 2 sensors').waitFor();
      const all = page.getByRole('checkbox', { name: /^(Select 1 sensor|1 selected)$/ });
      await all.check();
      await hint.waitFor({ state: isSaid ? 'visible' : 'detached' });
      await all.uncheck();
    }
  });
});

describe('a notification to an address in the console', function () {
  this.timeout(120_000);
  const mailbox = Mailbox.use();
  const platform = usePlatform(() => ({ config: { ...mailbox.settings, MAIL_CONFIRMATION: 'required' } }));
  const user = useUserPerTest(platform);
  const open = useConsole(platform, user);

  it('fails for its owner until it is confirmed, and no longer', async () => {
    await buildSensor(user, { name: 'Freezer' });
    const page = await open('/');
    await page.getByText('No notification is set up: alerts reach nobody.').waitFor();
    const ward = { type: 'email', destination: 'ward@example.org' };
    const { sensorId } = await buildAlarm(user, { trigger: { expression: 'true' }, notifications: [ward] });
    await upload(user, sensorId, { value: 31 });
    await platform.settle();
    assert.equal((await user.api.get('/deliveries')).body.deliveries[0].status, 'failed');
    await page.reload();
    const failure = page.getByRole('listitem').filter({ hasText: 'ward@example.org' });
    await failure.getByText('the recipient has not confirmed the address yet').waitFor();
    await inspectConsole(page, 'overview-not-confirmed');
    await page.goto(`${platform.url}/console/notifications`);
    await page.getByText('not confirmed yet', { exact: true }).waitFor();
    const { pathname, search } = new URL(linkIn(mailbox.to('ward@example.org')[0] ?? '', 'confirm'), platform.url);
    const answer = await fetch(`${platform.url}${pathname}${search}`, { method: 'POST' });
    assert.equal(answer.status, 200);
    await page.reload();
    await page.getByText('on', { exact: true }).waitFor();
    await page.getByText('no deliveries since the address was confirmed').waitFor();
    await page.goto(`${platform.url}/console/`);
    await page.getByText('All notifications and MQTT sources work.').waitFor();
  });

  it('is said to stand still on the overview while data waits and no worker runs', async () => {
    const ward = { type: 'email', destination: 'ward@example.org' };
    const { sensorId } = await buildAlarm(user, { trigger: { expression: 'true' }, notifications: [ward] });
    await upload(user, sensorId, { value: 31 });
    await platform.query('UPDATE inbox_batches SET stored_ms = stored_ms - 600000');
    const page = await open('/');
    const said = page.getByRole('alert').filter({ hasText: 'The platform stands still' });
    await said
      .getByText(/No worker runs: data is stored, but nothing is evaluated and nothing is sent\. .*10 min/)
      .waitFor();
    const summary = page.getByRole('navigation', { name: 'Summary' });
    await summary.getByRole('link', { name: /^[1-9]\d*\s*not working$/ }).waitFor();
    assert.equal(await page.getByText('All notifications and MQTT sources work.').count(), 0);
    await page.getByText('No alert is firing, as far as data was evaluated.').waitFor();
    assert.equal(await page.getByText('All is well').count(), 0);
    await inspectConsole(page, 'overview-standstill');
    await page.goto(`${platform.url}/console/alerts`);
    await said.waitFor();
    await page.getByText('No alert is firing, as far as data was evaluated.').waitFor();
    assert.equal(await page.getByText('All is well').count(), 0);
    await platform.settle();
    await page.goto(`${platform.url}/console/`);
    await page.getByRole('heading', { name: 'Notifications and sources' }).waitFor();
    assert.equal(await said.count(), 0);
  });
});
