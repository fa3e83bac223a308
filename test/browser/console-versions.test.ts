import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inspectConsole, saidInGerman as said, useConsole, watchErrors } from '../support/console';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  createKey,
  upload,
} from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { until } from '../support/until';

/** Noon, UTC. */
const NOON = 1_795_003_200;
const NIGHT = NOON + 11.5 * 3_600;

describe('changing a rule in the console', function () {
  this.timeout(90_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);

  const open = useConsole(platform, user);
  /** A freezer with an open alert of a trigger. */
  const build = async (fields: Record<string, unknown> = {}) => {
    const sensor = await buildSensor(user, { name: 'Freezer' });
    const rule = { name: 'too warm', expression: 'sensor_data_value > -15', repeat: 0, ...fields };
    const trigger = await buildTrigger(user, rule);
    await connectTrigger(user, sensor, trigger);
    await upload(user, sensor, [{ date: NOON, value: -13.5 }]);
    await platform.settle();
    const { firings } = (await user.api.get('/firings?state=firing')).body;
    assert.equal(firings.length, 1);
    const stateOfAlert = async () => (await user.api.get(`/firings/${firings[0].id}`)).body.firing.state;
    const saved = async () => (await user.api.get(`/triggers/${trigger}`)).body.trigger;
    return { sensor, trigger, stateOfAlert, saved };
  };
  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const keep = (page: Page) => page.getByRole('checkbox', { name: /^Keep the open alert/ });

  it('keeps the open alerts of an edited trigger, unless the user ends them', async () => {
    const { trigger, stateOfAlert, saved } = await build();
    const page = await open(`/triggers/${trigger}`);
    const errors = watchErrors(page);
    assert.equal(await keep(page).isChecked(), true);
    await page.getByText('Nobody is notified because of the edit: the new rule takes over.').waitFor();
    await inspectConsole(page, 'trigger-keep');
    await field(page, 'Above').fill('-16');
    await button(page, 'Save').click();
    await page.getByText('“too warm” is saved and active. 1 alert stays open.').waitFor();
    assert.deepEqual([(await saved()).expression, await stateOfAlert()], ['sensor_data_value > -16', 'firing']);
    await keep(page).uncheck();
    await field(page, 'Above').fill('-17');
    await button(page, 'Save').click();
    await page.getByText('“too warm” is saved and active. 1 alert has ended.').waitFor();
    assert.deepEqual([(await saved()).expression, await stateOfAlert()], ['sensor_data_value > -17', 'resolved']);
    await keep(page).waitFor({ state: 'detached' });
    assert.deepEqual(errors, []);
  });

  it('says in the trial how many messages would have gone out, also as the notifications are edited', async () => {
    const [sensor, other] = [await buildSensor(user, { name: 'Hall' }), await buildSensor(user, { name: 'Attic' })];
    const points = [
      { date: NOON - 3_600, value: 5 },
      { date: NOON, value: 40 },
      { date: NOON + 3_600, value: 5 },
      { date: NIGHT, value: 40 },
      { date: NIGHT + 3_600, value: 5 },
    ];
    await upload(user, sensor, points);
    const trigger = await buildTrigger(user, { name: 'hot', repeat: 0 });
    for (const one of [sensor, other]) await connectTrigger(user, one, trigger);
    const [team, boss] = [await buildNotification(user), await buildNotification(user)];
    await connectNotification(user, sensor, trigger, team);
    await connectNotification(user, other, trigger, boss);
    const page = await open(`/triggers/${trigger}?sensor=${sensor}`);
    const errors = watchErrors(page);
    await page.getByText('2 messages, 1 of them at night.').waitFor();
    await page.getByRole('checkbox', { name: 'Also reports when it is over' }).check();
    await page.getByText('4 messages, 2 of them at night.').waitFor();
    await inspectConsole(page, 'trigger-messages');
    await field(page, 'Above').fill('50');
    await page.getByText('No message.').waitFor();
    await field(page, 'Above').fill('30');
    await page.getByText('4 messages, 2 of them at night.').waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Hall' })
      .getByRole('button', { name: /^Remove the/ })
      .click();
    await page.getByText(/points\)\..*(of them at night|No message)/).waitFor({ state: 'detached' });
    await page.getByText('It would have fired 2 times').waitFor();
    assert.deepEqual(errors, []);
  });

  it('shows what each version changed and who did it, and restores one with the alert that is open', async () => {
    const { trigger, stateOfAlert, saved } = await build();
    const path = `/triggers/${trigger}`;
    const alone = await open(path);
    await alone.getByText('Earlier versions').click();
    await alone.getByText('There is no earlier version yet.').waitFor();
    const { secret } = await createKey(user, { name: 'script' });
    const byKey = { trigger: { expression: 'sensor_data_value > -16', hold: 300 }, episodes: 'keep' };
    const bearer = { Authorization: `Bearer ${secret}` };
    assert.equal((await platform.anonymous.put(path, byKey, bearer)).status, 200);
    await user.api.put(path, { trigger: { severity: 'critical', notify_resolved: true, repeat: 3600 } });
    const page = await open(path);
    const errors = watchErrors(page);
    await page.getByText('Earlier versions').click();
    const versions = page.getByRole('group').filter({ hasText: 'Earlier versions' }).locator('ol > li');
    await until('all are shown', async () => (await versions.count()) === 3);
    const [last, middle, first] = await versions.allInnerTexts();
    assert.match(last ?? '', /\syou\s/);
    assert.match(last ?? '', /Severity: Warning → Critical/);
    assert.match(last ?? '', /Also reports when it is over: no → yes/);
    assert.match(last ?? '', /Reports: Once, when it begins → Again every hour while it lasts/);
    assert.match(last ?? '', /In force/);
    assert.match(middle ?? '', /\sscript\s/);
    assert.match(middle ?? '', /Fires when: sensor_data_value > -15 → sensor_data_value > -16/);
    assert.match(middle ?? '', /For at least: – → 5\smin/);
    assert.match(first ?? '', /First version/);
    await inspectConsole(page, 'trigger-versions');
    const german = await open(path, { locale: 'de-DE' });
    await german.getByText(said('Earlier versions')).click();
    const changed = `${said('Severity')}: ${said('Warning')} → ${said('Critical')}`;
    await german.getByRole('listitem').filter({ hasText: changed }).last().waitFor();
    await inspectConsole(german, 'trigger-versions-german');
    await versions
      .last()
      .getByRole('button', { name: /^Restore/ })
      .click();
    const dialog = page.getByRole('dialog');
    assert.equal(await keep(page).last().isChecked(), true);
    await inspectConsole(page, 'trigger-restore');
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText(/^The rule of .+ is restored\. 1 alert stays open\.$/).waitFor();
    await until('the editor shows it', async () => (await field(page, 'Above').inputValue()) === '-15');
    assert.equal(await field(page, 'Severity').inputValue(), 'warning');
    await until('it is a new version', async () => (await versions.count()) === 4);
    const { expression, hold, severity } = await saved();
    assert.deepEqual([expression, hold, severity], ['sensor_data_value > -15', 0, 'warning']);
    assert.equal(await stateOfAlert(), 'firing');
    assert.deepEqual(errors, []);
  });
});
