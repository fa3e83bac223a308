import assert from 'node:assert/strict';
import type { BrowserContextOptions } from 'playwright-core';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, openConsole, watchErrors } from '../support/console';
import { buildGroup, buildNotification, buildSensor, create } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { until } from '../support/until';

describe('events in the console', function () {
  this.timeout(120_000);
  before(ensureConsole);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const browser = useBrowser();

  const open = (options?: BrowserContextOptions) => openConsole(browser, platform, user, '/events', options);
  const stored = async (): Promise<Record<string, unknown>[]> =>
    (await user.api.get('/events/notifications')).body.event_notifications;

  it('show first what notifies, and connect another one with one click', async () => {
    const mail = await buildNotification(user, { name: 'Mail to me' });
    await create(user, '/events/notifications', {
      event_notification: { event: 'delivery_failed', notification_id: mail },
    });
    const page = await open();
    const errors = watchErrors(page);
    const present = page.getByRole('table', { name: 'You are notified of' });
    await present.getByRole('row', { name: /A delivery failed for good.*Mail to me on/ }).waitFor();
    const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
    const subjects = ['Sensors', 'Triggers', 'Notifications', 'Environments', 'Account', 'Groups'];
    assert.deepEqual(headings.slice(-7), ['You are notified of', ...subjects]);
    const { events } = (await user.api.get('/events')).body;
    const buttons = page.getByRole('button', { name: /^Notify me: / });
    assert.equal(await buttons.count(), events.length - 1, 'every other event is listed');
    await inspectConsole(page, 'events');
    await page.getByRole('button', { name: 'Notify me: A sensor was shared with a user' }).click();
    await present.getByRole('row', { name: /A sensor was shared with a user/ }).waitFor();
    assert.deepEqual(
      (await stored()).map(({ event, notification_id, source_id }) => [event, notification_id, source_id]),
      [
        ['delivery_failed', mail, null],
        ['add_sensor_user', mail, null],
      ],
    );
    assert.equal(await buttons.count(), events.length - 2);
    assert.deepEqual(errors, []);
  });

  it('are found by what they say and by their names', async () => {
    await buildNotification(user);
    const page = await open();
    const buttons = page.getByRole('button', { name: /^Notify me: / });
    await page.getByRole('searchbox', { name: 'Find events' }).fill('Shared');
    await until('three are found', async () => (await buttons.count()) === 3);
    await page.getByRole('searchbox', { name: 'Find events' }).fill('fire_trigger');
    await until('one is found', async () => (await buttons.count()) === 1);
    await page.getByRole('searchbox', { name: 'Find events' }).fill('nonsense');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await inspectConsole(page, 'events-nothing');
  });

  it('go to the chosen destination, and can be limited to a sensor or a group by its name', async () => {
    await buildNotification(user, { name: 'Mail to me' });
    const chat = await buildNotification(user, { name: 'Chat' });
    await buildSensor(user, { name: 'Freezer 7' });
    const group = await buildGroup(user, { name: 'Neighbours' });
    const page = await open();
    await page.getByRole('combobox', { name: 'Notify me at' }).selectOption('Chat');
    await page.getByRole('button', { name: 'Notify me: A sensor was shared into a group' }).click();
    await page.getByRole('button', { name: 'Limit add_group_sensor' }).click();
    await page.getByRole('dialog').getByLabel('Only in this group').selectOption('Neighbours');
    await inspectConsole(page, 'events-limit');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: /A sensor was shared into a group/ });
    await row.getByText('in Neighbours').waitFor();
    const [one] = await stored();
    assert.deepEqual([one?.notification_id, one?.source_id], [chat, group]);
    await page.getByRole('button', { name: 'Switch off add_group_sensor' }).click();
    await row.getByText('off', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete the subscription to add_group_sensor' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    assert.deepEqual(await stored(), []);
  });

  it('ask for a destination first, in German too', async () => {
    const page = await open({ locale: 'de-DE' });
    await page.getByRole('link', { name: 'Neue Benachrichtigung' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Benachrichtigen/ }).count(), 0);
    await inspectConsole(page, 'events-none');
  });
});
