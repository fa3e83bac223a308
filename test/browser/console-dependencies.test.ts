import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inspectConsole, useConsole, watchErrors } from '../support/console';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';

const SENSORS = 3;

describe('triggers that depend on others in the console', function () {
  this.timeout(90_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const open = useConsole(platform, user);

  const label = (sensor: string) => user.api.put(`/sensors/${sensor}/metatags`, { metatags: { gateway: ['7'] } });
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

  it('fold the alerts that another one holds below it, and say what holds them', async () => {
    const rule = { expression: 'sensor_data_value > 30', repeat: 0 };
    const gateway = await buildSensor(user, { name: 'Gateway 7' });
    const parent = await buildTrigger(user, { ...rule, name: 'gateway offline' });
    const dependency = { depends_on: { trigger_id: parent, sensor: { label: 'gateway' } } };
    const child = await buildTrigger(user, { ...rule, name: 'sensor offline', ...dependency });
    await label(gateway);
    await connectTrigger(user, gateway, parent);
    await upload(user, gateway, { value: 31 });
    let sensor = '';
    for (let index = 0; index < SENSORS; index += 1) {
      sensor = await buildSensor(user, { name: `Room ${index}` });
      await label(sensor);
      await connectTrigger(user, sensor, child);
      await upload(user, sensor, { value: 31 });
    }
    await platform.settle();
    const page = await open('/alerts');
    const errors = watchErrors(page);
    const behind = page.getByRole('button', { name: /^3\sbehind it$/ });
    await behind.waitFor();
    assert.equal(await page.getByText('Room 0').count(), 0);
    await behind.click();
    await page.getByText('Room 0').waitFor();
    await inspectConsole(page, 'alerts-held');
    await page.getByRole('checkbox', { name: /^Select all 4 alerts/ }).waitFor();
    await behind.click();
    await page.getByText('Room 0').waitFor({ state: 'detached' });
    const why = await open(`/sensors/${sensor}/triggers/${child}`);
    await why.getByText(/held by “gateway offline”/).waitFor();
    assert.deepEqual(errors, []);
  });

  it('are left out of the effect and the trial of a change, which say so', async () => {
    const parent = await buildTrigger(user, { name: 'gateway offline' });
    const rule = { name: 'sensor offline', expression: 'sensor_data_value > 30', repeat: 0 };
    const id = await buildTrigger(user, { ...rule, depends_on: { trigger_id: parent } });
    const sensor = await buildSensor(user, { name: 'Room' });
    await connectTrigger(user, sensor, id);
    await upload(user, sensor, { value: 35, date: Math.floor(Date.now() / 1000) - 3_600 });
    await platform.settle();
    const page = await open(`/triggers/${id}?sensor=${sensor}`);
    const warning = page.getByText(/^Dependencies are left out, .*: "sensor offline" → "gateway offline"\.$/);
    await field(page, 'Above').fill('37');
    await page.getByRole('status').getByText('0 alerts, 1 fewer.').waitFor();
    assert.equal(await warning.count(), 1);
    await page.getByRole('button', { name: 'Try it for a week without messages' }).click();
    await page.getByRole('heading', { name: 'Trial of the changed rule' }).waitFor();
    assert.equal(await warning.count(), 1);
  });

  it('are chosen in the form of a trigger', async () => {
    const parent = await buildTrigger(user, { name: 'gateway offline' });
    const id = await buildTrigger(user, { name: 'sensor offline' });
    const saved = async () => (await user.api.get(`/triggers/${id}`)).body.trigger.depends_on;
    const page = await open(`/triggers/${id}`);
    const errors = watchErrors(page);
    await field(page, 'Depends on').selectOption({ label: 'gateway offline' });
    await field(page, 'Which fires on').selectOption({ label: 'a sensor with the same metatag' });
    await field(page, 'Metatag').fill('gateway');
    await field(page, 'Waits for it, in seconds').fill('60');
    await inspectConsole(page, 'trigger-depends-on');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/is saved/).waitFor();
    assert.deepEqual(await saved(), { trigger_id: parent, sensor: { label: 'gateway' }, wait: 60 });
    const again = await open(`/triggers/${id}`);
    assert.equal(await field(again, 'Metatag').inputValue(), 'gateway');
    await field(again, 'Depends on').selectOption({ label: 'no other trigger' });
    await again.getByRole('button', { name: 'Save' }).click();
    await again.getByText(/is saved/).waitFor();
    assert.equal(await saved(), null);
    await again.getByText('Earlier versions').click();
    const changes = again.getByText(/^Depends on:/);
    await changes.first().waitFor();
    assert.deepEqual(
      (await changes.allTextContents()).map((text) => text.replace(/\s/g, ' ')),
      [`Depends on: trigger ${parent} · gateway · 1 min → –`, `Depends on: – → trigger ${parent} · gateway · 1 min`],
    );
    assert.deepEqual(errors, []);
  });
});
