import assert from 'node:assert/strict';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, openConsole, watchErrors } from '../support/console';
import {
  buildGroup,
  buildNotification,
  buildSensor,
  buildTrigger,
  connectTrigger,
  share,
  upload,
} from '../support/factories';
import { accept, join } from '../support/groups';
import { usePlatform, useUserPerTest } from '../support/hooks';
import type { TestUser } from '../support/platform';

describe('alerts of a group in the console', function () {
  this.timeout(90_000);
  before(ensureConsole);
  const platform = usePlatform();
  const ada = useUserPerTest(platform);
  const grace = useUserPerTest(platform);
  const browser = useBrowser();
  const open = (user: TestUser, path: string) => openConsole(browser, platform, user, path);

  it('shows a colleague what the owner of a trigger shows, and both who takes care of it', async () => {
    const groupId = await buildGroup(ada, { name: 'Cold stores' });
    await join(grace, groupId);
    await accept(ada, groupId, grace, { group_permissions: { see_alerts: true, handle_alerts: false } });
    const sensorId = await buildSensor(ada, { name: 'cold store' });
    const triggerId = await buildTrigger(ada, { name: 'too warm', repeat: 0 });
    await connectTrigger(ada, sensorId, triggerId);
    await upload(ada, sensorId, { value: 31 });
    await platform.settle();

    const editor = await open(ada, `/triggers/${triggerId}`);
    await editor.getByLabel('Alerts are shown to').selectOption('Cold stores');
    await editor.getByRole('button', { name: 'Save' }).click();
    await editor.getByText('“too warm” is saved and active.').waitFor();

    const seeing = await open(grace, `/alerts?group=${groupId}`);
    const row = seeing.getByRole('row', { name: /cold store/ });
    await row.getByText(`of ${ada.username}`).waitFor();
    assert.equal(await row.getByRole('link').count(), 0, 'neither the sensor nor the trigger is theirs');
    await inspectConsole(seeing, 'team-seen');
    assert.equal(await row.getByRole('button', { name: /^Acknowledge/ }).count(), 0);

    await ada.api.put(`/groups/${groupId}/users/${grace.id}`, { group_permissions: { handle_alerts: true } });
    const page = await open(grace, '/alerts');
    const errors = watchErrors(page);
    await page.getByRole('button', { name: 'Mute or resolve too warm on cold store' }).click();
    await page.getByLabel('Assigned to').selectOption('me');
    await inspectConsole(page, 'team-assign');
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await page.getByText('assigned to you').waitFor();
    await page.getByRole('button', { name: 'Acknowledge too warm on cold store' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText(/^by you/).waitFor();
    assert.deepEqual(errors, []);

    const own = await open(ada, '/alerts');
    await own.getByText(`assigned to ${grace.username}`).waitFor();
    await own.getByText(new RegExp(`^by ${grace.username}`)).waitFor();
    await inspectConsole(own, 'team-owner');
  });

  it('explains to a member why, and offers no action that the member may not do', async () => {
    const groupId = await buildGroup(ada, { name: 'Cold stores' });
    await join(grace, groupId);
    await accept(ada, groupId, grace, { group_permissions: { see_alerts: true, handle_alerts: false } });
    const alarm = async (owner: TestUser, name: string, fields: object) => {
      const sensorId = await buildSensor(owner, { name });
      const triggerId = await buildTrigger(owner, { name: `${name} too warm`, repeat: 0, ...fields });
      await connectTrigger(owner, sensorId, triggerId);
      await upload(owner, sensorId, { value: 31 });
      return sensorId;
    };
    const shared = await alarm(ada, 'shared', { group_id: groupId });
    await alarm(ada, 'hidden', { group_id: groupId });
    const own = await alarm(grace, 'own', {});
    await share(ada, shared, grace);
    await platform.settle();
    await upload(grace, own, { value: 32 });

    const page = await open(grace, '/alerts');
    const errors = watchErrors(page);
    const rowOf = (name: string) => page.getByRole('row', { name: new RegExp(`\\b${name} too warm`) });
    await rowOf('own').getByRole('checkbox').waitFor();
    await rowOf('own').getByText('32').waitFor();
    await rowOf('hidden').getByText('31').waitFor();
    for (const name of ['shared', 'hidden']) {
      await rowOf(name).getByText('You only see it.').waitFor();
      assert.equal(await rowOf(name).locator('input, button').count(), 0, name);
    }
    await page.getByLabel('Select 1 alert').waitFor();
    await inspectConsole(page, 'team-mixed');
    assert.equal(await rowOf('hidden').getByRole('link').count(), 0);
    await rowOf('shared').getByRole('link', { name: 'shared too warm' }).click();
    await page.getByRole('heading', { name: 'Why “shared too warm” fires' }).waitFor();
    await page.getByText('It fired: the condition was true').waitFor();
    await page.getByRole('table', { name: 'Latest decisions' }).getByText('fired', { exact: true }).waitFor();
    await page.getByRole('table', { name: 'Latest firings' }).locator('.numbers', { hasText: '31' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Edit the trigger' }).count(), 0);
    await inspectConsole(page, 'team-why');
    await page.getByRole('link', { name: 'shared' }).first().click();
    await page.getByRole('list', { name: 'Alerts' }).getByRole('link', { name: 'shared too warm' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Acknowledge/ }).count(), 0);
    assert.deepEqual(errors, []);
  });

  it('takes the name of who reads a notification, and shows it in the list', async () => {
    const id = await buildNotification(ada, { type: 'email', destination: 'porter@example.org', text: 'x' });
    const page = await open(ada, `/notifications/${id}`);
    await page.getByLabel('Who reads it').fill('Linus');
    await inspectConsole(page, 'notification-person');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The notification is saved.').waitFor();
    const { notification } = (await ada.api.get(`/notifications/${id}`)).body;
    assert.equal(notification.person, 'Linus');
    const list = await open(ada, '/notifications');
    await list.getByText('read by Linus').waitFor();
  });
});
