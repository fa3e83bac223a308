import assert from 'node:assert/strict';
import { inspectConsole, useConsole } from '../support/console';
import { buildNotification, buildSensor, buildTrigger, connectTrigger, create, upload } from '../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../support/hooks';

describe('what the console says of alerts and values', function () {
  this.timeout(90_000);
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const open = useConsole(platform, user);

  it('says what became of a test, also after the page is loaded again', async () => {
    await platform.startWorkers(['deliveries']);
    const id = await buildNotification(user, { destination: receiver.url });
    const page = await open('/notifications');
    const test = page.getByRole('button', { name: `Send a test to ${receiver.url}` });
    await page.getByRole('row').getByText('no deliveries').waitFor();
    await test.click();
    await page.getByText('The test was delivered.').waitFor();
    const row = (name: RegExp) => page.getByRole('row', { name });
    await row(/delivered (now|\d+ sec\.? ago)/).waitFor();
    receiver.responses.push((response) => response.writeHead(400).end('no_service'));
    await test.click();
    await page.getByText('The test failed: 400: no_service').waitFor();
    const failing = /failing (now|\d+ sec\.? ago) ?attempt 1 failed: .*400.*1 delivery waits until/;
    await row(failing).waitFor();
    await page.reload();
    await row(failing).waitFor();
    receiver.responses.push((response) => response.writeHead(410).end());
    await test.click();
    await page.getByText(/The test failed: .*gone/).waitFor();
    await page.reload();
    const failed = /failed (now|\d+ sec\.? ago) ?410: the receiver is permanently gone/;
    await row(failed).waitFor();
    await inspectConsole(page, 'notification-refused');
    await row(failed)
      .getByRole('link', { name: /(now|ago)$/ })
      .click();
    await page.getByRole('heading', { name: 'Test', level: 1 }).waitFor();
    await page.getByText('Sent', { exact: true }).click();
    await page.getByText('text=', { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: /^Deliveries to/ }).click();
    await page.getByRole('row', { name: /Test/ }).first().waitFor();
    assert.ok(id);
    await platform.stopWorkers();
  });

  it('says how severe an alert is, in a word', async () => {
    const sensor = await buildSensor(user, { name: 'Freezer' });
    const severities = ['info', 'warning', 'critical'];
    for (const severity of severities) {
      const trigger = await buildTrigger(user, { name: `warm: ${severity} rule`, severity });
      await connectTrigger(user, sensor, trigger);
    }
    await upload(user, sensor, [{ value: 31 }]);
    await platform.settle();
    const page = await open('/alerts');
    for (const severity of severities) {
      const row = page.getByRole('row', { name: new RegExp(`warm: ${severity} rule`) });
      await row.getByText(severity, { exact: true }).waitFor();
    }
    const colours: unknown = await page.evaluate(
      "[...document.querySelectorAll('td:nth-child(2) .status')].map((one) => getComputedStyle(one).color)",
    );
    assert.ok(Array.isArray(colours) && colours.length === 3);
    assert.equal(new Set(colours).size, 3, 'each has a colour as well');
    await inspectConsole(page, 'alerts-severity');
  });

  it('takes the period of probes, and says when something last arrived', async () => {
    await platform.startWorkers(['deliveries']);
    const id = await buildNotification(user, { destination: receiver.url });
    const page = await open('/notifications');
    await page.getByRole('link', { name: receiver.url, exact: true }).click();
    await page.getByLabel('Send a probe every', { exact: true }).fill('2');
    await page.getByLabel('Unit of “Send a probe every”').selectOption('days');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Probe every 2 d, nothing has arrived yet').waitFor();
    assert.equal((await user.api.get(`/notifications/${id}`)).body.notification.probe, 172_800);
    await page.getByRole('button', { name: `Send a test to ${receiver.url}` }).click();
    await page.getByText(/Probe every 2 d, last arrived (now|\d+ sec\.? ago)/).waitFor();
    await inspectConsole(page, 'notification-probe');
    await platform.stopWorkers();
  });

  it('names the alert of a delivery in the list, and shows only how a long text begins', async () => {
    const sensor = await buildSensor(user, { name: 'Freezer' });
    const { trigger } = await create(user, '/triggers', {
      trigger: { name: 'Too warm', expression: 'sensor_data_value > 1' },
    });
    const notification = await buildNotification(user, { text: '' });
    await create(user, `/sensors/${sensor}/triggers`, { trigger: { id: trigger.id } });
    await create(user, `/sensors/${sensor}/triggers/${trigger.id}/notifications`, {
      notification: { id: notification },
    });
    await upload(user, sensor, { value: 5 });
    await platform.settle();
    await platform.query(
      "UPDATE deliveries SET text = CONCAT('30 alerts', CHAR(10), REPEAT('Freezer ', 200)) WHERE owner_id = ?",
      [user.id],
    );
    const page = await open('/deliveries');
    await page.getByText('30 alerts', { exact: true }).waitFor();
    await page.getByRole('row').getByRole('link').first().click();
    await page.getByRole('link', { name: '“Too warm”' }).waitFor();
  });

  it('counts only alerts that nobody has acknowledged, and says who has', async () => {
    const sensor = await buildSensor(user, { name: 'Freezer' });
    const { trigger } = await create(user, '/triggers', {
      trigger: { name: 'Too warm', expression: 'sensor_data_value > 1', repeat: 0 },
    });
    await create(user, `/sensors/${sensor}/triggers`, { trigger: { id: trigger.id } });
    await upload(user, sensor, { value: 5 });
    await platform.settle();
    const page = await open('/alerts');
    await page.getByRole('link', { name: 'Alerts 1' }).waitFor();
    await page.getByRole('button', { name: 'Acknowledge Too warm' }).click();
    await page.getByLabel('Note').fill('on my way');
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText(/^by you, .*“on my way”$/).waitFor();
    await page.getByRole('link', { name: 'Alerts', exact: true }).waitFor();
    await page.getByRole('row', { name: /warning acknowledged/ }).waitFor();
    await inspectConsole(page, 'alerts-acknowledged');
  });

  it('writes numbers and begins weeks as the language of the user does', async () => {
    const sensor = await buildSensor(user, { name: 'Gefrierschrank' });
    await upload(user, sensor, { value: -18.88 });
    for (const [locale, value, day, [mute, weekly, days]] of [
      ['de-DE', '−18,88', 'Mo', ['Neue Stummschaltung', 'Wöchentlich', 'Tage']],
      ['en-US', '−18.88', 'Sun', ['New mute', 'Hours of the week', 'Days']],
    ] as const) {
      const page = await open(`/sensors/${sensor}/data`, { locale });
      await page.getByRole('row', { name: value }).waitFor();
      await page.goto(`${platform.url}/console/mutes`);
      await page.getByRole('button', { name: mute }).click();
      await page.getByRole('button', { name: weekly }).click();
      assert.equal(await page.getByRole('group', { name: days }).locator('label').first().textContent(), day);
      await page.context().close();
    }
  });
});
