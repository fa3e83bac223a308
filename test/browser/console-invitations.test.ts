import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, openConsole, watchErrors } from '../support/console';
import { buildGroup, buildSensor, share, upload } from '../support/factories';
import { shareWithGroup } from '../support/groups';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { invite } from '../support/invitations';
import type { TestUser } from '../support/platform';

describe('invitations in the console', function () {
  this.timeout(120_000);
  before(ensureConsole);
  const platform = usePlatform();
  const founder = useUserPerTest(platform);
  const dora = useUserPerTest(platform);
  const browser = useBrowser();

  const open = (user: TestUser, path: string) => openConsole(browser, platform, user, path);
  const openWithoutAccount = () => browser.open({ javaScriptEnabled: true, locale: 'en-GB' });
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const newLink = async (page: Page) => {
    await press(page, 'Create a link for one person');
    return (await page.locator('code.secret').textContent()) ?? '';
  };

  it('bring a person without an account by a link to the sensors of a group', async () => {
    const group = await buildGroup(founder, { name: 'Garden club', hidden: true });
    const soil = await buildSensor(founder, { name: 'soil', unit: '%' });
    await upload(founder, soil, { value: 41 });
    await shareWithGroup(founder, group, soil);
    const page = await open(founder, `/groups/${group}`);
    const errors = watchErrors(page);
    const link = await newLink(page);
    assert.match(link, new RegExp(`^${platform.url}/console/invitations/[0-9A-Za-z]{43}$`));
    await page.getByText('A link for one person until').waitFor();
    await inspectConsole(page, 'invitation-link');

    const theirs = await openWithoutAccount();
    errors.push(...watchErrors(theirs));
    await theirs.goto(link);
    await theirs.getByText('You are invited.').waitFor();
    await inspectConsole(theirs, 'invitation-welcome');
    await press(theirs, 'Create an account');
    const account = { Username: `eve-${founder.id}`, Email: 'eve@example.org', Password: 'a password of mine' };
    for (const [label, text] of Object.entries(account)) await theirs.getByLabel(label, { exact: true }).fill(text);
    await press(theirs, 'Create the account');
    await theirs.getByText(`${founder.username} invites you to the group Garden club.`).waitFor();
    await theirs.getByText('Its members will see my first name, my surname, my id and my address.').waitFor();
    await inspectConsole(theirs, 'invitation');
    await press(theirs, 'Accept: Garden club');
    await theirs.getByRole('heading', { name: 'Garden club', level: 1 }).waitFor();
    await theirs.getByText('You are a member of Garden club.').waitFor();
    await theirs.getByRole('table', { name: 'Sensors' }).getByRole('link', { name: 'soil' }).click();
    await theirs.getByText('41').first().waitFor();

    await theirs.goto(link);
    await theirs.getByRole('heading', { name: 'Garden club', level: 1 }).waitFor();
    const late = await open(dora, link.slice(`${platform.url}/console`.length));
    await late.getByText('This invitation does not exist, or has ended').waitFor();
    await inspectConsole(late, 'invitation-ended');
    await page.reload();
    await page.getByRole('row', { name: account.Username }).waitFor();
    assert.equal(await page.getByText('A link for one person until').count(), 0);
    assert.deepEqual(errors, []);
  });

  it('show on the overview of the invited, who declines or accepts', async () => {
    const group = await buildGroup(founder, { name: 'Rowers' });
    const page = await open(founder, `/groups/${group}`);
    await page.getByLabel('Invite a user').fill('nobody-like-this');
    await press(page, 'Invite');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Invite a user').fill(dora.username);
    await press(page, 'Invite');
    await page.getByRole('button', { name: `Withdraw: ${dora.username}` }).waitFor();
    await inspectConsole(page, 'invitation-sent');

    const theirs = await open(dora, '/');
    const offer = theirs.getByText(`${founder.username} invites you to the group Rowers.`);
    await offer.waitFor();
    await inspectConsole(theirs, 'invitation-overview');
    await press(theirs, 'Decline: Rowers');
    await offer.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('listitem').filter({ hasText: dora.username }).getByText('declined').waitFor();
    await press(page, `Withdraw: ${dora.username}`);
    await page.getByText('declined').waitFor({ state: 'detached' });

    await invite(founder, `/groups/${group}`, { username: dora.username });
    await theirs.reload();
    await theirs.getByLabel('Show my username to the members').uncheck();
    await press(theirs, 'Accept: Rowers');
    await theirs.getByRole('heading', { name: 'Rowers', level: 1 }).waitFor();
    const { user } = (await founder.api.get(`/groups/${group}/users/${dora.id}`)).body;
    assert.equal(user.username, undefined);
    assert.equal(await theirs.getByLabel('Invite a user').count(), 0, 'ordinary members may not invite');
  });

  it('share a sensor by a link, and name newly shared sensors until they are dismissed', async () => {
    const [hall, roof] = [await buildSensor(founder, { name: 'hall' }), await buildSensor(founder, { name: 'roof' })];
    const page = await open(founder, `/sensors/${hall}/about`);
    const link = await newLink(page);
    await inspectConsole(page, 'sensor-link');
    const theirs = await open(dora, link.slice(`${platform.url}/console`.length));
    await theirs.getByText(`${founder.username} wants to share the sensor hall with you.`).waitFor();
    await press(theirs, 'Accept: hall');
    await theirs.getByRole('heading', { name: 'hall', level: 1 }).waitFor();

    await share(founder, roof, dora);
    await theirs.goto(`${platform.url}/console/`);
    const notice = theirs.getByText(/^Newly shared with you: roof/);
    await notice.waitFor();
    assert.equal(await notice.textContent(), `Newly shared with you: roof (${founder.username})`);
    await inspectConsole(theirs, 'overview-shares');
    await press(theirs, 'Dismiss');
    await notice.waitFor({ state: 'detached' });
    await theirs.reload();
    await theirs.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await theirs.getByText('All sensors').waitFor();
    assert.equal(await notice.count(), 0);
  });
});
