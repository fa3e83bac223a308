import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { inspectConsole, saidInGerman as said, useConsole, watchErrors } from '../support/console';
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

const MINUTE = 60;

describe('the report on alerts in the console', function () {
  this.timeout(120_000);
  const platform = usePlatform();
  const user = useUser(platform);
  const receiver = useReceiver();
  const open = useConsole(platform, user);
  let door = '';
  const path = () =>
    `/reports/alerts?range=${Math.floor(Date.now() / 1000) - 86_400}-${Math.floor(Date.now() / 1000) + 60}`;

  before(async () => {
    door = await buildTrigger(user, { name: 'door open', expression: 'sensor_data_value > 5', repeat: 0 });
    const warm = await buildTrigger(user, { name: 'too warm', expression: 'sensor_data_value > 90', repeat: 0 });
    const team = await buildNotification(user, { name: 'team', destination: receiver.url });
    const now = Math.floor(Date.now() / 1000);
    for (const [name, trigger, value] of [
      ['Cold room', door, 9],
      ['Freezer', door, 8],
      ['Fridge', door, 7],
      ['Hall', warm, 95],
    ] as const) {
      const sensor = await buildSensor(user, { name });
      await connectTrigger(user, sensor, trigger);
      await connectNotification(user, sensor, trigger, team);
      await upload(user, sensor, { date: now - 20 * MINUTE, value });
    }
    await platform.settle();
    for (const { id } of (await user.api.get('/sensors')).body.sensors.slice(0, 3)) {
      await upload(user, id, { date: now - 19 * MINUTE, value: 1 });
    }
    await platform.settle();
  });

  it('is one click from the alerts, and says how much of them was noise', async () => {
    const page = await open('/alerts');
    const errors = watchErrors(page);
    await page.getByRole('link', { name: 'Report', exact: true }).click();
    await page.getByRole('heading', { name: 'Report on alerts', level: 1 }).waitFor();
    await page.goto(`${platform.url}/console${path()}`);
    await page.getByText(/^Nobody acknowledged \d of 4 alerts; \d of these were over within 5 minutes\./).waitFor();
    const rows = page.getByRole('table', { name: 'The noisiest first' }).getByRole('row');
    await rows.nth(1).getByRole('link', { name: 'door open' }).waitFor();
    await page.getByRole('img', { name: /^Most on / }).waitFor();
    await page.locator('.nav a[aria-current=page]').getByText('Alerts').waitFor();
    await until('suggestions are there', async () => (await page.locator('.loading').count()) === 0);
    await inspectConsole(page, 'alert-report');
    for (const [by, name] of [
      ['sensor', 'Cold room'],
      ['notification', 'team'],
    ] as const) {
      await page.getByRole('combobox', { name: 'Rows' }).selectOption(by);
      await rows.getByRole('link', { name }).first().waitFor();
    }
    assert.deepEqual(errors, []);
  });

  it('is a file', async () => {
    const page = await open(path(), { acceptDownloads: true });
    const link = page.getByRole('link', { name: 'Download as CSV' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const lines = readFileSync(await download.path(), 'utf8').split('\n');
    assert.match(lines[1] ?? '', /door open/);
  });

  it('tries a suggestion as a shadow', async () => {
    const page = await open(path(), { locale: 'de-DE' });
    await page.route('**/reports/alerts/suggestions*', (route) =>
      route.fulfill({
        json: {
          suggestions: [
            {
              ...{ trigger_id: door, trigger_name: 'door open', field: 'hold', from: 0, to: 300 },
              before: { episodes: 14, deliveries: 28, at_night: 9 },
              after: { episodes: 3, deliveries: 6, at_night: 1 },
              delay: { median: 60, longest: 120 },
              ...{ lost: [], lost_count: 11, shadow: { hold: 300, days: 7 } },
            },
          ],
          complete: false,
        },
      }),
    );
    await page.reload();
    await page.getByRole('heading', { name: said('Less noise') }).waitFor();
    await page.getByText(/14 → 3 .+, 28 → 6 .+, .+ 2\sMin\. .+\. 11 /).waitFor();
    await inspectConsole(page, 'alert-report-german');
    await page.getByRole('button', { name: `${said('Try it for a week without messages')}: door open` }).click();
    await page.getByRole('link', { name: said('It is on trial') }).waitFor({ timeout: 5_000 });
    const { shadow } = (await user.api.get(`/triggers/${door}/shadow`)).body;
    assert.equal(shadow.trigger.hold, 300);
  });

  it('says when there were no alerts', async () => {
    const page = await open('/reports/alerts?range=1600000000-1600086400');
    await page.getByText('No alerts in this period').waitFor();
  });
});
