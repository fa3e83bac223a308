import assert from 'node:assert/strict';
import { inspectConsole, useConsole, watchErrors } from '../support/console';
import { buildSensor, buildService, upload } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { until } from '../support/until';

describe('the services in the console', function () {
  this.timeout(90_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);

  const open = useConsole(platform, user);
  const answer = async (sensor: string, service: string, method: string) =>
    (await user.api.get(`/sensors/${sensor}/services/${service}/${method}`)).body.result;

  it('are made only if all chosen sensors can feed them, and compute a formula of their names', async () => {
    await buildSensor(user, { name: 'indoor', data_type: 'float' });
    const door = await buildSensor(user, { name: 'door', data_type: 'string' });
    const page = await open('/services');
    const errors = watchErrors(page);
    await page.getByRole('button', { name: 'New service' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the result').fill('difference');
    await dialog.getByLabel(/^indoor/).check();
    await dialog.getByLabel(/^door/).check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('“door” has no values that this kind can use.').waitFor();
    assert.equal((await user.api.get('/sensors')).body.sensors.length, 2, 'nothing was made');
    await user.api.put(`/sensors/${door}`, { sensor: { data_type: 'float' } });
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'difference' }).waitFor();
    await page.getByRole('button', { name: /_indoor$/ }).click();
    await page.getByLabel('Formula').press('End');
    await page.keyboard.type(' /');
    await page.getByRole('button', { name: /_door$/ }).click();
    await page.getByRole('button', { name: 'Set' }).first().click();
    await page.getByText('It applies from the next data point on.').waitFor();
    const service = page.url().split('/').at(-1) ?? '';
    const indoor = (await user.api.get('/sensors')).body.sensors.find(
      ({ name }: { name: string }) => name === 'indoor',
    );
    assert.equal(await answer(door, service, 'GetExpression'), `_${indoor.id}_indoor / _${door}_door`);
    await upload(user, door, { value: 0 });
    await upload(user, indoor.id, { value: 21 });
    await platform.settle();
    await page.reload();
    await page.getByText('The latest points could not be used: division by zero').waitFor();
    await inspectConsole(page, 'service-formula');
    assert.deepEqual(errors, []);
  });

  it('are fed by other sensors than at first', async () => {
    const indoor = await buildSensor(user, { name: 'indoor', data_type: 'float' });
    const outdoor = await buildSensor(user, { name: 'outdoor', data_type: 'float' });
    await buildSensor(user, { name: 'door', data_type: 'string' });
    const service = await buildService(user, 'math_service', indoor);
    const page = await open(`/services/${service}`);
    const errors = watchErrors(page);
    await page.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^indoor/).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Choose at least one sensor that feeds it.').waitFor();
    await dialog.getByLabel(/^outdoor/).check();
    await dialog.getByLabel(/^door/).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('“door” has no values that this kind can use.').waitFor();
    await inspectConsole(page, 'service-inputs');
    await dialog.getByLabel(/^door/).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('main').getByRole('link', { name: 'outdoor' }).waitFor();
    const { sensors } = (await user.api.get(`/sensors/${service}/sensors`)).body;
    assert.deepEqual(
      sensors.map(({ id }: { id: string }) => id),
      [outdoor],
    );
    await page.getByLabel('Formula').fill(`_${outdoor} * 2`);
    await page.getByRole('button', { name: 'Set' }).first().click();
    await until('it is set', async () => (await answer(outdoor, service, 'GetExpression')) === `_${outdoor} * 2`);
    await page.getByRole('link', { name: 'Result' }).click();
    await page.getByText(/computed from other sensors · Formula · Numbers/).waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog.getByLabel('Shown as').fill('twice outdoor');
    assert.equal(await dialog.getByLabel('Model of the device').count(), 0, 'a service has no device');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'twice outdoor' }).waitFor();
    assert.equal((await user.api.get(`/sensors/${service}`)).body.sensor.device_type, 'math_service');
    assert.deepEqual(errors, []);
  });

  it('take any number of texts, and a window of points or seconds', async () => {
    const door = await buildSensor(user, { name: 'door', data_type: 'string' });
    const filter = await buildService(user, 'foreground_app_filter', door);
    const page = await open(`/services/${filter}`);
    for (const texts of [['open'], ['open', 'forced', 'ajar']]) {
      await page.getByLabel('Filter').fill(`${texts.join('\n')}\n`);
      await page.getByRole('button', { name: 'Set' }).click();
      await until('they are set', async () => (await answer(door, filter, 'GetFilter')) === JSON.stringify(texts));
    }
    await page.reload();
    assert.equal(await page.getByLabel('Filter').inputValue(), 'open\nforced\najar');
    const load = await buildSensor(user, { name: 'load', data_type: 'float' });
    const statistics = await buildService(user, 'statistics_service', load);
    await page.goto(`${platform.url}/console/services/${statistics}`);
    await page.getByLabel('Window').fill('600');
    await page.getByLabel('Unit').selectOption('Seconds');
    await page.getByRole('button', { name: 'Set' }).click();
    await until('it is set', async () => (await answer(load, statistics, 'GetWindow')) === '["600","seconds"]');
  });

  it('show what they have learned, and forget it', async () => {
    const machine = await buildSensor(user, { name: 'washing machine', data_type: 'float' });
    const nowS = Math.floor(Date.now() / 1000);
    const points = Array.from({ length: 60 }, (_, at) => ({ date: nowS - 600 + at * 10, value: 400 + (at % 7) }));
    await upload(user, machine, points);
    const service = await buildService(user, 'state_recognition_service', machine);
    const page = await open(`/services/${service}`);
    await page.getByText('No state is learned yet.').waitFor();
    await page.getByLabel('State', { exact: true }).fill('washing');
    await page.getByRole('button', { name: 'Learn' }).click();
    await page.getByText('Learned 60 points as “washing”.').waitFor();
    assert.equal(await page.getByLabel('State', { exact: true }).inputValue(), '', 'a second click learns nothing');
    await page.getByRole('button', { name: 'Forget washing' }).click();
    await page.getByText('No state is learned yet.').waitFor();
    assert.equal(await answer(machine, service, 'GetClassLabels'), '[]');
  });
});
