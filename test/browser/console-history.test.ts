import assert from 'node:assert/strict';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, openConsole, watchErrors } from '../support/console';
import { buildGroup, buildSensor, buildTrigger } from '../support/factories';
import { accept, join, shareWithGroup } from '../support/groups';
import { usePlatform, useUser } from '../support/hooks';

describe('the history in the console', function () {
  this.timeout(90_000);
  before(ensureConsole);
  const platform = usePlatform();
  const browser = useBrowser();
  const user = useUser(platform);
  const colleague = useUser(platform);

  it('shows what was changed in the account, and narrows it to refused attempts', async () => {
    const id = await buildTrigger(user, { name: 'too warm', expression: 'sensor_data_value > 30' });
    await user.api.put(`/triggers/${id}`, { trigger: { expression: 'sensor_data_value > 28' } });
    await platform.anonymous.post('/login', { username: user.username, password: '0'.repeat(32) });
    await platform.container.refusedAttempts.flush();
    const page = await openConsole(browser, platform, user, '/account');
    const errors = watchErrors(page);
    await page.getByRole('link', { name: 'History', exact: true }).click();
    const rows = page.getByRole('table', { name: 'History' }).locator('tbody tr');
    const changed = rows.filter({ hasText: 'Trigger changed too warm' });
    await changed.getByTitle('updateTrigger').waitFor();
    await changed.getByText('Fires when: sensor_data_value > 30 → sensor_data_value > 28').waitFor();
    await changed.getByText(user.username).waitFor();
    await inspectConsole(page, 'account-history');
    await page.getByRole('button', { name: 'Refused' }).click();
    await rows.filter({ hasText: 'without a sign-in' }).getByText('Not signed in').waitFor();
    assert.equal(await rows.count(), 1);
    assert.deepEqual(errors, []);
  });

  it('shows what was changed in a group to members who may change rights', async () => {
    const groupId = await buildGroup(user, { name: 'farm', required_show_username: 1 });
    await user.api.put(`/groups/${groupId}`, { group: { description: 'cows and corn' } });
    await join(colleague, groupId);
    await accept(user, groupId, colleague, { group_permissions: { see_alerts: true } });
    const handles = { group_permissions: { handle_alerts: true } };
    assert.equal((await user.api.put(`/groups/${groupId}/users/${colleague.id}`, handles)).status, 200);
    await shareWithGroup(user, groupId, await buildSensor(user, { name: 'barn' }));
    const page = await openConsole(browser, platform, user, `/groups/${groupId}`);
    const errors = watchErrors(page);
    await page.getByText('History', { exact: true }).click();
    await page.getByText(/^Description: .*cows and corn$/).waitFor();
    await page.getByText(`Users, ${colleague.username}, Handle alerts: no → yes`).waitFor();
    await page.getByText('Sensors: + barn').waitFor();
    await page.getByText('Sensor added farm').waitFor();
    await inspectConsole(page, 'group-history');
    assert.deepEqual(errors, []);
  });
});
