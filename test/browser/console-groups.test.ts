import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, openConsole, watchErrors } from '../support/console';
import { buildGroup, buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
import { join, shareWithGroup } from '../support/groups';
import { usePlatform, useUserPerTest } from '../support/hooks';
import type { TestUser } from '../support/platform';

const PASSWORD = 'seeds & soil';

describe('groups in the console', function () {
  this.timeout(90_000);
  before(ensureConsole);
  const platform = usePlatform();
  const founder = useUserPerTest(platform, { name: '', surname: '' });
  const dora = useUserPerTest(platform, { name: '', surname: '' });
  const emil = useUserPerTest(platform, { name: '', surname: '' });
  const browser = useBrowser();

  const open = (user: TestUser, path = '/groups') => openConsole(browser, platform, user, path);
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const rowOf = (page: Page, name: string | RegExp) => page.getByRole('row', { name });

  it('lets strangers ask to join a private group or enter it with its password, and names them to its founder', async () => {
    const page = await open(founder);
    const errors = watchErrors(page);
    await press(page, 'New group');
    await page.getByLabel('Name', { exact: true }).fill('Garden club');
    await page.getByLabel('Password of the group').fill(PASSWORD);
    await inspectConsole(page, 'group-new');
    await press(page, 'Create');
    await page.getByText('has a password').waitFor();
    await rowOf(page, `${founder.username} (you)`).waitFor();

    const theirs = await open(dora);
    const row = rowOf(theirs, /^Garden club/);
    await row.waitFor();
    assert.equal(await theirs.getByText('waiting to be accepted').count(), 0, 'nobody has asked yet');
    await press(theirs, 'Ask to join: Garden club');
    await theirs.getByLabel('Password of the group').fill('not this one');
    await press(theirs, 'Join');
    await theirs.getByRole('alert').waitFor();
    await theirs.getByLabel('Password of the group').fill(PASSWORD);
    await press(theirs, 'Join');
    await theirs.getByText('You are a member of Garden club.').waitFor();
    await theirs.getByRole('link', { name: 'Garden club' }).click();
    await rowOf(theirs, founder.username).waitFor();
    const others = theirs.getByRole('button', { name: /^(Rights of|Remove|Accept) / });
    assert.equal(await others.count(), 0, 'what ordinary members may not do is not offered');

    const waiting = await open(emil);
    await waiting.getByRole('link', { name: 'Garden club' }).click();
    await waiting.getByText('Only members see who is in this group').waitFor();
    await press(waiting, 'Ask to join: Garden club');
    await waiting.getByLabel('Show my username to the members').uncheck();
    await inspectConsole(waiting, 'group-join');
    await press(waiting, 'Ask to join');
    await waiting.getByText('waiting to be accepted').waitFor();
    await inspectConsole(waiting, 'group-waiting');

    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${platform.url}/console/`);
    const badge = page.getByRole('link', { name: 'Groups 1', exact: true });
    await badge.waitFor();
    await inspectConsole(page, 'overview-requests');
    const line = page.getByRole('link', { name: '1 request to join Garden club' });
    await line.waitFor();
    assert.equal(asked.filter((path) => path === '/groups').length, 1, 'the badge and the line share a request');
    await line.click();
    await rowOf(page, new RegExp(`^${emil.username} asks to join`)).waitFor();
    await page.goto(`${platform.url}/console/groups`);
    await inspectConsole(page, 'groups-requests');
    await page.getByRole('link', { name: '1 request to join' }).click();
    await rowOf(page, new RegExp(`^${emil.username} asks to join`)).waitFor();
    await rowOf(page, dora.username).waitFor();
    await inspectConsole(page, 'group-members');
    await press(page, `Accept ${emil.username}`);
    await rowOf(page, `user ${emil.id}`).waitFor();
    await badge.waitFor({ state: 'detached' });
    assert.equal(await theirs.getByRole('link', { name: /^Groups \d/ }).count(), 0, 'Dora may accept nobody');
    await press(page, `Rights of ${dora.username}`);
    await page.getByRole('heading', { name: `What ${dora.username} may do` }).waitFor();
    await inspectConsole(page, 'group-rights');
    const dialog = page.getByRole('dialog');
    const parts = [dialog.getByRole('heading'), dialog.getByRole('checkbox').first(), dialog.getByText('Save')];
    const lefts = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.x ?? 0));
    assert.ok(Math.max(...lefts) - Math.min(...lefts) < 24, `title, ticks and buttons begin at ${lefts}`);
    assert.deepEqual(errors, []);
  });

  it('lets those who wait withdraw, from the list and from the page of the group', async () => {
    const group = await buildGroup(founder, { name: 'Rowers' });
    const waits = async () => (await emil.api.get('/groups')).body.groups.length;
    for (const path of ['/groups', `/groups/${group}`]) {
      await join(emil, group);
      const page = await open(emil, path);
      await press(page, 'Withdraw the request to join Rowers');
      await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Ask to join: Rowers' }).waitFor();
      assert.equal(await waits(), 0);
    }
  });

  it('lets members decline a request, after which the user can ask again', async () => {
    const group = await buildGroup(founder, { name: 'Rowers' });
    await join(emil, group);
    const page = await open(founder, `/groups/${group}`);
    await press(page, `Decline ${emil.username}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('They can ask again.').waitFor();
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await rowOf(page, /asks to join/).waitFor({ state: 'detached' });
    assert.equal((await join(emil, group)).status, 201);
  });

  it('offers members only what they may do with the sensors of a group', async () => {
    const group = await buildGroup(founder, { name: 'Greenhouse', public: true });
    await join(dora, group);
    await shareWithGroup(founder, group, await buildSensor(founder, { name: 'soil' }));
    await shareWithGroup(dora, group, await buildSensor(dora, { name: 'roof' }));
    const page = await open(dora, `/groups/${group}`);
    const removes = page.getByRole('button', { name: /^Remove .* from the group$/ });
    const add = page.getByRole('button', { name: 'Add sensors' });
    await add.waitFor();
    assert.deepEqual(await removes.evaluateAll(labelsOf), ['Remove roof from the group']);
    const group_permissions = { add_sensors: false, remove_sensors: true };
    const changed = await founder.api.put(`/groups/${group}/users/${dora.id}`, { group_permissions });
    assert.equal(changed.status, 200);
    await page.reload();
    await page.getByRole('button', { name: 'Remove soil from the group' }).waitFor();
    assert.equal(await removes.count(), 2);
    assert.equal(await add.count(), 0);
  });

  it('lists many sensors with their values, ten at a time, and finds them as the page of sensors does', async () => {
    const group = await buildGroup(founder, { name: 'Greenhouse', public: true });
    await join(dora, group);
    const ids: string[] = [];
    for (let at = 1; at <= 24; at += 1) ids.push(await buildSensor(founder, { name: `soil ${at}`, unit: '°C' }));
    await shareWithGroup(founder, group, ...ids);
    await founder.api.post(`/sensors/${ids[1]}/metatags`, { metatags: { floor: ['2'] } });
    const trigger = await buildTrigger(founder, { name: 'Too warm', expression: 'sensor_data_value > 20' });
    await connectTrigger(founder, ids[1] ?? '', trigger);
    await upload(founder, ids[1] ?? '', { value: 21.5 });
    await platform.settle();
    const page = await open(founder, `/groups/${group}`);
    const table = page.getByRole('table', { name: 'Sensors' });
    const rows = table.locator('tbody tr');
    await table.getByRole('row', { name: /soil 2 .*Too warm.* 21.5 °C/ }).waitFor();
    await page.getByText('1 to 10 of 24').waitFor();
    assert.equal(await rows.count(), 10);
    await inspectConsole(page, 'group-sensors');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('11 to 20 of 24').waitFor();
    await page.getByRole('combobox', { name: 'Find sensors' }).fill('floor:2');
    await page.getByText('1 of 24 sensors').waitFor();
    assert.equal(await rows.count(), 1);
    const theirs = await open(dora, `/groups/${group}`);
    await theirs
      .getByRole('row', { name: /soil 2 / })
      .getByText('21.5 °C')
      .waitFor();
    await press(page, 'Remove soil 2 from the group');
    await page.getByText('0 of 23 sensors').waitFor();
  });

  it('says of the password whether there is one, and lets members choose what they show', async () => {
    const group = await buildGroup(founder, { name: 'Quiet', anonymous: true });
    const sensor = await buildSensor(founder, { name: 'soil moisture' });
    await shareWithGroup(founder, group, sensor);
    await founder.api.put(`/groups/${group}`, { group: { public: true } });
    await join(dora, group);
    await founder.api.put(`/groups/${group}`, { group: { public: false } });
    const theirs = await open(dora, `/groups/${group}`);
    await theirs.getByText(/^by (a member|user \d+)$/).waitFor();

    const page = await open(founder, `/groups/${group}`);
    await page.getByText('no password').waitFor();
    await press(page, 'Edit');
    await page.getByLabel('Password of the group').fill(PASSWORD);
    await press(page, 'Save');
    await page.getByText('has a password').waitFor();
    await press(page, 'Edit');
    await page.getByText('A password is set. Leave this empty to keep it.').waitFor();
    await press(page, 'Cancel');
    await press(page, 'What I show');
    await page.getByLabel('my username').check();
    await press(page, 'Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await theirs.reload();
    await theirs.getByText(`by ${founder.username}`).waitFor();
    const members = theirs.getByRole('table', { name: 'Members' });
    await members.getByRole('row', { name: founder.username }).waitFor();
  });
});

function labelsOf(buttons: Element[]): (string | null)[] {
  return buttons.map((button) => button.getAttribute('aria-label'));
}
