import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inspectConsole, useConsole, watchErrors } from '../support/console';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

describe('the editor of triggers', function () {
  this.timeout(60_000);
  const platform = usePlatform();
  const user = useUser(platform);

  const open = useConsole(platform, user);

  it('takes the condition away, or the time without data, and not both', async () => {
    const sensor = await buildSensor(user, { name: 'meter' });
    const trigger = await buildTrigger(user, { name: 'odd', expression: 'sensor_data_value > 5', inactivity: 600 });
    await connectTrigger(user, sensor, trigger);
    const saved = async () => (await user.api.get(`/triggers/${trigger}`)).body.trigger;
    const page = await open(`/triggers/${trigger}`);
    const errors = watchErrors(page);
    const kind = page.getByLabel('Fires when');
    const save = async () => {
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'PUT'),
        page.getByRole('button', { name: 'Save' }).click(),
      ]);
      assert.equal(answer.status(), 200);
      await page.getByText('“odd” is saved and active.').waitFor();
    };
    await kind.selectOption('no data arrives for');
    await save();
    assert.deepEqual([(await saved()).expression, (await saved()).inactivity], [null, 600]);
    await page.reload();
    await page.getByLabel('No data for', { exact: true }).waitFor();
    await kind.selectOption('the value is above');
    await page.getByLabel('Above', { exact: true }).fill('6');
    await page.getByLabel('Or when no data arrives for', { exact: true }).fill('');
    await save();
    await page.getByRole('button', { name: 'Save', disabled: false }).waitFor();
    assert.deepEqual([(await saved()).expression, (await saved()).inactivity], ['sensor_data_value > 6', null]);
    await kind.selectOption('your own expression is true');
    await page.getByLabel('Expression').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Choose when it fires: a condition, no data for a time, or both.').waitFor();
    assert.deepEqual(errors, []);
  });

  it('keeps a warning in sight for as long as it holds', async () => {
    const sensor = await buildSensor(user, { name: 'lamp', data_structure: { celsius: 'float' } });
    const trigger = await buildTrigger(user, { name: 'dim', expression: 'sensor_data_value.celsius > 5' });
    await connectTrigger(user, sensor, trigger);
    const page = await open(`/triggers/${trigger}?sensor=${sensor}`);
    const errors = watchErrors(page);
    const save = page.getByRole('button', { name: 'Save', disabled: false });
    const warning = page
      .getByRole('status')
      .getByText(/^No sensor that the trigger is connected to has the field "lux"/);
    const own = () => page.getByLabel('Fires when').selectOption('your own expression is true');
    await own();
    await page.getByLabel('Expression').fill('sensor_data_value.lux < 5');
    await save.click();
    await page.getByText('“dim” is saved, with a warning.').waitFor();
    await warning.waitFor();
    await page.reload();
    await warning.waitFor();
    await inspectConsole(page, 'trigger-warning');
    await own();
    await page.getByLabel('Expression').fill('sensor_data_value.celsius < 5');
    await save.click();
    await warning.waitFor({ state: 'detached' });
    await page.getByText('“dim” is saved and active.').waitFor();
    assert.deepEqual(errors, []);
  });

  it('begins with a rule that suits the data, and leaves what was typed first', async () => {
    const sensor = await buildSensor(user, { name: 'Cellar', data_type: 'json' });
    const values = Array.from({ length: 50 }, (_, at) => ({
      date: 1_795_000_000 + at * 60,
      value: { 'air temp': at },
    }));
    await upload(user, sensor, values);
    const page = await open(`/triggers/new?sensor=${sensor}`);
    const bound = (where: Page) => where.getByLabel('Above', { exact: true });
    await until('a rule is suggested', async () => (await bound(page).inputValue()) !== '');
    assert.equal(await bound(page).inputValue(), '60');
    await page.getByText('It would not have fired').waitFor();
    await page.getByText('It would not be firing now: the last value is air temp 49.').waitFor();
    assert.equal(await page.getByLabel('Field of the value').inputValue(), 'sensor_data_value.air_temp');
    const name = page.getByLabel('Name');
    assert.equal(await name.inputValue(), 'Cellar air temp above 60');
    await bound(page).fill('40');
    await until('the name follows', async () => (await name.inputValue()) === 'Cellar air temp above 40');
    await page.getByText('It would have fired once').waitFor();
    await page.getByText('It would be firing now: the last value is air temp 49. Once saved, it starts').waitFor();
    await name.fill('mine');
    await bound(page).fill('41');
    assert.equal(await name.inputValue(), 'mine');
    const flat = await buildSensor(user, { name: 'Flat' });
    await upload(user, flat, [{ value: 'open' }]);
    const other = await open(`/triggers/new?sensor=${flat}`);
    await other.getByRole('heading', { name: 'When it would have fired' }).waitFor();
    await other.locator('.u-over').waitFor();
    assert.equal(await bound(other).inputValue(), '');
  });

  it('leaves the connections of a selector to it', async () => {
    const [picked, other] = [await buildSensor(user, { name: 'picked' }), await buildSensor(user, { name: 'by hand' })];
    const filter = { sensor_statement_groups: [[{ sensor_property: 'name', operator: 'equal', value: 'picked' }]] };
    const trigger = await buildTrigger(user, { name: 'selecting', selector: { filter } });
    await connectTrigger(user, other, trigger);
    const connection = () => user.api.get(`/sensors/${picked}/triggers/${trigger}`);
    await platform.settle();
    assert.equal((await connection()).status, 200);
    const page = await open(`/triggers/${trigger}`);
    await page.getByText('Saved: follows 1 sensor.').waitFor();
    await page.getByText('name is picked').waitFor();
    assert.equal(await page.getByRole('checkbox', { name: /^picked( |$)/ }).isChecked(), false);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“selecting” is saved and active.').waitFor();
    assert.equal((await connection()).body.trigger.by_selector, true);
  });

  it('changes only the sensors that were ticked or unticked, in one request', async () => {
    const sensors = await Promise.all(Array.from({ length: 60 }, (_, at) => buildSensor(user, { name: `bulk ${at}` })));
    const trigger = await buildTrigger(user, { name: 'many' });
    await user.api.post('/sensors/bulk', { sensors, action: { connect_trigger: { id: trigger } } });
    const page = await open(`/triggers/${trigger}`);
    const changes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') changes.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('checkbox', { name: /^bulk 7( |$)/ }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“many” is saved and active.').waitFor();
    const writes = changes.filter((one) => !/\/(backtest|find)$/.test(one));
    assert.deepEqual(
      writes.filter((one) => one.startsWith('POST')),
      ['POST /sensors/bulk'],
    );
    assert.ok(writes.length <= 3, writes.join());
    const { triggers } = (await user.api.get('/sensors/triggers?per_page=1000')).body;
    assert.equal(triggers.filter(({ id }: { id: string }) => id === trigger).length, 59);
  });
});
