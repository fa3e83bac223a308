import assert from 'node:assert/strict';
import type { Page, Response } from 'playwright-core';
import { inspectConsole, useConsole, watchErrors } from '../support/console';
import { buildNotification, buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../support/hooks';

describe('the sensors that a trigger follows, in the console', function () {
  this.timeout(90_000);
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const open = useConsole(platform, user);
  const tagged = async (name: string, metatags: Record<string, unknown[]>, namespace = 'default') => {
    const sensor = await buildSensor(user, { name });
    await user.api.put(`/sensors/${sensor}/metatags?namespace=${namespace}`, { metatags });
    return sensor;
  };
  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
  const save = async (page: Page) => {
    const saving = page.getByRole('button', { name: 'Save', disabled: false });
    const isSaved = (response: Response) => response.request().method() === 'PUT';
    await Promise.all([page.waitForResponse(isSaved), saving.click()]);
    await saving.waitFor();
  };
  const saved = async (trigger: string) => (await user.api.get(`/triggers/${trigger}`)).body.trigger;
  /** The sensors of the trigger, true if its selector connected them. */
  const connected = async (trigger: string) => {
    await platform.settle();
    const { triggers } = (await user.api.get('/sensors/triggers')).body;
    const here = triggers.filter(({ id }: { id: string }) => id === trigger);
    return Object.fromEntries(
      here.map(({ sensor_id, by_selector }: { sensor_id: string; by_selector: boolean }) => [sensor_id, by_selector]),
    );
  };

  it('follows metatags, counts the sensors before and after saving, and is removed again', async () => {
    const freezers: string[] = [];
    for (let at = 1; at <= 5; at += 1) freezers.push(await tagged(`Freezer ${at}`, { kind: ['freezer'] }));
    const fridge = await tagged('Fridge', { kind: ['fridge'], room: ['kitchen'] });
    const byHand = await buildSensor(user, { name: 'Oven' });
    const trigger = await buildTrigger(user, { name: 'warm' });
    await connectTrigger(user, byHand, trigger);
    const page = await open(`/triggers/${trigger}`);
    const errors = watchErrors(page);
    const later = page.getByText('Includes sensors that you add later.');
    assert.equal(await later.count(), 0, 'it follows none yet');
    await field(page, 'Also follows').selectOption('My sensors with certain metatags');
    await later.waitFor();
    await field(page, 'Metatag').fill('kind');
    await field(page, 'Is one of').fill('freezer');
    await page.getByText('Matches 5 of your sensors at present: Freezer 1, Freezer 2, Freezer 3 and 2 more.').waitFor();
    await page.getByText('A new sensor that matches is connected within seconds').waitFor();
    const offered = page.locator('datalist').nth(1).locator('option');
    assert.deepEqual(await offered.evaluateAll((all) => all.map((one) => one.getAttribute('value'))), [
      'freezer',
      'fridge',
    ]);
    await inspectConsole(page, 'trigger-follows');
    assert.equal((await saved(trigger)).selector, null, 'nothing is saved yet');
    await save(page);
    await page.getByText('Saved: follows 5 sensors.').waitFor();
    assert.deepEqual((await saved(trigger)).selector, {
      filter: { metatag_statement_groups: [[{ metatag_name: 'kind', operator: 'equal', value: 'freezer' }]] },
      namespace: 'default',
    });
    const all = Object.fromEntries(freezers.map((id) => [id, true]));
    assert.deepEqual(await connected(trigger), { ...all, [byHand]: false });
    const tomorrow = await tagged('Freezer 6', { kind: ['freezer'] });
    assert.deepEqual(await connected(trigger), { ...all, [tomorrow]: true, [byHand]: false });
    await page.getByText('Saved: follows 6 sensors.').waitFor();
    await field(page, 'Is one of').fill('freezer, fridge');
    await page.getByText(/^Matches 7 of your sensors at present: /).waitFor();
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await field(page, 'Metatag').nth(1).fill('room');
    await page.getByText('Matches 1 of your sensors at present: Fridge.').waitFor();
    await save(page);
    assert.deepEqual(await connected(trigger), { [fridge]: true, [byHand]: false });
    await page.reload();
    assert.equal(await field(page, 'Is one of').first().inputValue(), 'freezer, fridge');
    await field(page, 'Also follows').selectOption('No other sensors');
    await page.getByText('Saving disconnects 1 sensor and ends its open alerts.').waitFor();
    await inspectConsole(page, 'trigger-follows-removed');
    await save(page);
    assert.deepEqual(await connected(trigger), { [byHand]: false });
    assert.equal((await saved(trigger)).selector, null);
    assert.deepEqual(errors, []);
  });

  it('reports to the steps of the trigger from a sensor that is added later', async () => {
    await buildNotification(user, { destination: receiver.url });
    const page = await open('/triggers/new');
    await field(page, 'Name').fill('warm');
    await field(page, 'Above').fill('30');
    await field(page, 'Also follows').selectOption('My sensors with certain metatags');
    await field(page, 'Metatag').fill('kind');
    await field(page, 'Is one of').fill('freezer');
    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('list', { name: 'Steps' }).getByText(receiver.url).waitFor();
    await page.getByRole('button', { name: 'Create the trigger' }).click();
    await page.getByText('Saved: follows 0 sensors.').waitFor();
    const sensor = await tagged('Freezer', { kind: ['freezer'] });
    await platform.settle();
    await page.getByText('Saved: follows 1 sensor.').waitFor();
    await upload(user, sensor, [{ value: 31 }]);
    await platform.settle();
    assert.deepEqual(
      receiver.received.map(({ form }) => form.sensor_id),
      [sensor],
    );
  });

  it('follows metatags of a namespace, and all sensors only when that is chosen', async () => {
    const mine = await tagged('Freezer', { kind: ['freezer'] }, 'house');
    const other = await tagged('Boat', { kind: ['freezer'] });
    const trigger = await buildTrigger(user, { name: 'warm' });
    const page = await open(`/triggers/${trigger}`);
    await field(page, 'Also follows').selectOption('My sensors with certain metatags');
    await page.getByRole('button', { name: 'Remove the condition 1' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Add a metatag that the sensors must have, or follow no other sensors.').waitFor();
    assert.equal((await saved(trigger)).selector, null);
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await field(page, 'Metatag').fill('kind');
    await field(page, 'Namespace').fill('house');
    await page.getByText('Matches 1 of your sensors at present: Freezer.').waitFor();
    await save(page);
    assert.deepEqual(await connected(trigger), { [mine]: true });
    await field(page, 'Also follows').selectOption('All my sensors');
    await page.getByText('Matches 2 of your sensors at present: Freezer and Boat.').waitFor();
    await save(page);
    assert.deepEqual((await saved(trigger)).selector.filter, {});
    assert.deepEqual(await connected(trigger), { [mine]: true, [other]: true });
  });

  it('keeps a selector that it cannot edit, and shows its conditions', async () => {
    const filter = {
      metatag_statement_groups: [
        [
          { metatag_name: 'kind', operator: 'equal', value: 'freezer' },
          { metatag_name: 'cold', operator: 'is_set' },
        ],
      ],
      sensor_statement_groups: [[{ sensor_property: 'device_type', operator: 'equal', value: 'DS18B20' }]],
    };
    const trigger = await buildTrigger(user, { name: 'warm', selector: { filter } });
    const page = await open(`/triggers/${trigger}`);
    await page.getByText('kind is freezer or cold is set').waitFor();
    await page.getByText('Matches none of your sensors at present.').waitFor();
    await inspectConsole(page, 'trigger-follows-fixed');
    await save(page);
    assert.deepEqual((await saved(trigger)).selector.filter, filter);
    await page.getByRole('button', { name: 'Remove the condition kind is freezer or cold is set' }).click();
    await save(page);
    const { sensor_statement_groups } = filter;
    assert.deepEqual((await saved(trigger)).selector.filter, { sensor_statement_groups });
  });
});
