import assert from 'node:assert/strict';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, openConsole, watchErrors } from '../support/console';
import { buildGroup, buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
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
});
