import assert from 'node:assert/strict';
import type { Page, Response } from 'playwright-core';
import { inspectConsole, useConsole, watchErrors } from '../support/console';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  create,
} from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';

const ANN = 'https://ann.example.org/hook';
const SMS = 'https://sms.example.org/hook';
const BOSS = 'https://boss.example.org/hook';

describe('the steps of an escalation in the console', function () {
  this.timeout(90_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);

  const open = useConsole(platform, user);
  const build = async (sensorCount: number) => {
    const [ann, sms, boss] = [
      await buildNotification(user, { destination: ANN }),
      await buildNotification(user, { destination: SMS }),
      await buildNotification(user, { destination: BOSS }),
    ];
    const trigger = await buildTrigger(user, { name: 'warm' });
    const sensors: string[] = [];
    for (let at = 1; at <= sensorCount; at += 1) sensors.push(await buildSensor(user, { name: `Freezer ${at}` }));
    for (const sensor of sensors) await connectTrigger(user, sensor, trigger);
    return { ann, sms, boss, trigger, sensors };
  };
  const steps = (page: Page) => page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const addStep = async (page: Page, to: string, after: string, on?: string) => {
    await button(page, 'Add a step').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('To', { exact: true }).selectOption(to);
    await dialog.getByLabel('After', { exact: true }).fill(after);
    if (on) await inspectConsole(page, 'trigger-add-step');
    if (on) await dialog.getByLabel('On', { exact: true }).selectOption(on);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  const save = async (page: Page) => {
    const saving = page.getByRole('button', { name: 'Save', disabled: false });
    const isSaved = (response: Response) => response.request().method() === 'PUT';
    await Promise.all([page.waitForResponse(isSaved), saving.click()]);
    await saving.waitFor();
  };
  const ofSensor = async (sensor: string, trigger: string) => {
    const { notifications } = (await user.api.get(`/sensors/${sensor}/triggers/${trigger}/notifications`)).body;
    return notifications.map(({ id, after }: { id: string; after: number }) => [id, after]);
  };
  const ofTrigger = async (trigger: string) => {
    const { notifications } = (await user.api.get(`/triggers/${trigger}/notifications`)).body;
    return notifications.map(({ id, after }: { id: string; after: number }) => [id, after]);
  };

  it('adds steps, changes a delay and removes a step, on all sensors and on one', async () => {
    const { ann, sms, boss, trigger, sensors } = await build(2);
    const page = await open(`/triggers/${trigger}`);
    const errors = watchErrors(page);
    await addStep(page, ANN, '');
    await addStep(page, BOSS, '60', 'Only Freezer 2');
    await addStep(page, SMS, '20');
    await button(page, 'Add a step').click();
    await page.getByRole('dialog').getByLabel('To', { exact: true }).selectOption(SMS);
    await page.getByRole('dialog').getByLabel('After', { exact: true }).fill('30');
    await page.getByRole('dialog').getByLabel('On', { exact: true }).selectOption('Only Freezer 1');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('It is already a step on all sensors, and the shorter delay counts.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(await steps(page).locator('strong').allTextContents(), ['At once', 'After 20 min', 'After 1 h']);
    await steps(page).nth(2).getByText('only on Freezer 2').waitFor();
    await button(page, `Change when ${SMS} is notified`).click();
    await page.getByRole('dialog').getByLabel('After', { exact: true }).fill('10');
    await page.getByRole('dialog').getByRole('button', { name: 'Change', exact: true }).click();
    await steps(page).getByText('After 10 min').waitFor();
    await inspectConsole(page, 'trigger-steps');
    await save(page);
    const [other = '', only = ''] = sensors;
    assert.deepEqual(await ofTrigger(trigger), [
      [ann, 0],
      [sms, 600],
    ]);
    assert.deepEqual(await ofSensor(only, trigger), [[boss, 3600]]);
    assert.deepEqual(await ofSensor(other, trigger), []);
    await page.reload();
    await steps(page).getByText('After 1 h').waitFor();
    assert.deepEqual(await steps(page).locator('strong').allTextContents(), ['At once', 'After 10 min', 'After 1 h']);
    await button(page, `Change when ${BOSS} is notified on 1 sensor`).click();
    await page.getByRole('dialog').getByLabel('After', { exact: true }).fill('2');
    await page.getByRole('dialog').getByRole('button', { name: 'Change', exact: true }).click();
    await save(page);
    assert.deepEqual(await ofSensor(only, trigger), [[boss, 7200]]);
    await button(page, `Remove the step to ${BOSS} on 1 sensor`).click();
    await page.getByText(`Saving disconnects ${BOSS}: it gets no more alerts of 1 sensor.`).waitFor();
    await save(page);
    assert.deepEqual(await ofSensor(only, trigger), []);
    assert.deepEqual(await ofTrigger(trigger), [
      [ann, 0],
      [sms, 600],
    ]);
    assert.deepEqual(errors, []);
  });

  it('disconnects a notification of the whole trigger, and says for how many sensors', async () => {
    const { ann, sms, trigger, sensors } = await build(3);
    const notifications = [ann, sms].map((id) => ({ notification: { id } }));
    await create(user, `/triggers/${trigger}/notifications`, { notifications });
    const page = await open(`/triggers/${trigger}`);
    await button(page, `Remove the step to ${ANN}`).click();
    await page.getByText(`Saving disconnects ${ANN}: it gets no more alerts of 3 sensors.`).waitFor();
    await inspectConsole(page, 'trigger-step-removed');
    assert.deepEqual((await ofTrigger(trigger)).length, 2, 'nothing is disconnected before it is saved');
    await save(page);
    assert.deepEqual(await ofTrigger(trigger), [[sms, 0]]);
    for (const sensor of sensors) assert.deepEqual(await ofSensor(sensor, trigger), []);
  });

  it('takes a notification of each sensor as one of the trigger, and disconnects it with few requests', async () => {
    const { ann, sms, boss, trigger, sensors } = await build(4);
    for (const sensor of sensors) {
      await connectNotification(user, sensor, trigger, ann);
      await connectNotification(user, sensor, trigger, sms, 600);
    }
    await connectNotification(user, sensors[0] ?? '', trigger, boss, 60);
    const page = await open(`/triggers/${trigger}`);
    await steps(page).nth(2).waitFor();
    assert.equal(await steps(page).getByText('only on').count(), 1);
    const writes: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() !== 'GET' && !pathname.endsWith('/backtest')) writes.push(`${request.method()} ${pathname}`);
    });
    await button(page, `Remove the step to ${ANN}`).click();
    await page.getByText(`Saving disconnects ${ANN}: it gets no more alerts of 4 sensors.`).waitFor();
    await save(page);
    assert.deepEqual(await ofTrigger(trigger), [[sms, 600]]);
    assert.deepEqual(await Promise.all(sensors.map((sensor) => ofSensor(sensor, trigger))), [[[boss, 60]], [], [], []]);
    assert.ok(writes.length <= 5, writes.join());
  });

  it('removes the steps of a sensor that is no longer watched', async () => {
    const { ann, boss, trigger, sensors } = await build(2);
    const [kept = '', left = ''] = sensors;
    await connectNotification(user, kept, trigger, ann);
    await connectNotification(user, left, trigger, boss, 60);
    const page = await open(`/triggers/${trigger}`);
    await steps(page).getByText('only on Freezer 2').waitFor();
    await page.getByRole('checkbox', { name: 'Freezer 2' }).uncheck();
    await page.getByText(`Saving disconnects ${BOSS}: it gets no more alerts of 1 sensor.`).waitFor();
    assert.deepEqual(await steps(page).locator('.breakable').allTextContents(), [ANN]);
    await save(page);
    assert.deepEqual(await ofSensor(kept, trigger), [[ann, 0]]);
    assert.equal((await user.api.get(`/sensors/${left}/triggers/${trigger}`)).status, 404);
  });

  it('takes a new notification into the line without saving the trigger', async () => {
    const { trigger } = await build(1);
    const page = await open(`/triggers/${trigger}`);
    const changes: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') changes.push(request.url());
    });
    await button(page, 'New notification').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Mail', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Address').fill('carol@example.org');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await steps(page).getByText('carol@example.org').waitFor();
    assert.deepEqual(changes, []);
    assert.deepEqual(await ofTrigger(trigger), []);
  });

  it('is used by keyboard alone', async () => {
    const { ann, trigger } = await build(1);
    const page = await open(`/triggers/${trigger}`);
    await button(page, 'Add a step').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.getByRole('dialog').getByLabel('After', { exact: true }).focus();
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    await steps(page).getByText('After 5 min').waitFor();
    await button(page, `Change when ${ANN} is notified`).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await button(page, 'Save').focus();
    await page.keyboard.press('Enter');
    await page.getByText('“warm” is saved and active.').waitFor();
    assert.deepEqual(await ofTrigger(trigger), [[ann, 300]]);
  });
});
