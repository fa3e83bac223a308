import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, openConsole, watchErrors } from '../support/console';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

const END = 1_795_000_000;

describe('the rule builder of the console', function () {
  this.timeout(90_000);
  before(ensureConsole);
  const platform = usePlatform();
  const user = useUser(platform);
  const browser = useBrowser();

  const open = (path: string, hasTouch = false) => openConsole(browser, platform, user, path, { hasTouch });
  /** A sensor with a wave from 10 to 30, and a trigger on it. */
  const build = async (fields: Record<string, unknown>) => {
    const sensor = await buildSensor(user, { name: 'wave' });
    const values = Array.from({ length: 60 }, (_, at) => ({ date: END + at * 60, value: 20 + 10 * Math.sin(at / 5) }));
    await upload(user, sensor, values);
    const trigger = await buildTrigger(user, { name: 'limit', repeat: 0, ...fields });
    await connectTrigger(user, sensor, trigger);
    return { sensor, trigger };
  };
  const saved = async (trigger: string) => (await user.api.get(`/triggers/${trigger}`)).body.trigger;
  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save', disabled: false }).click();
    await page.getByText('“limit” is saved and active.').waitFor();
  };

  it('writes the fields of a trigger, reads them back, and tries them', async () => {
    const { sensor, trigger } = await build({ expression: 'sensor_data_value > 25' });
    const page = await open(`/triggers/${trigger}`);
    const errors = watchErrors(page);
    await page.getByText(/It would have fired/).waitFor();
    const tried: unknown[] = [];
    await page.route('**/triggers/backtest', async (route) => {
      tried.push(route.request().postDataJSON().trigger);
      await route.continue();
    });
    await field(page, 'Above').fill('28');
    await field(page, 'For at least').fill('2');
    await field(page, 'Ends when below').fill('26.5');
    await field(page, 'Over for at least').fill('10');
    const written = {
      expression: 'sensor_data_value > 28',
      hold: 120,
      repeat: 0,
      resolve_expression: 'sensor_data_value < 26.5',
      keep_firing_for: 600,
    };
    const sent = { name: 'limit', notify_resolved: false, ...written };
    await until('the rule is tried', () => tried.some((rule) => isDeepStrictEqual(rule, sent)));
    await save(page);
    const { expression, hold, repeat, resolve_expression, keep_firing_for } = await saved(trigger);
    assert.deepEqual({ expression, hold, repeat, resolve_expression, keep_firing_for }, written);
    await page.goto(`${platform.url}/console/triggers/${trigger}?sensor=${sensor}`);
    await page.getByText(/It would have fired/).waitFor();
    const shown = ['Above', 'For at least', 'Ends when below', 'Over for at least'];
    assert.deepEqual(await Promise.all(shown.map((label) => field(page, label).inputValue())), [
      '28',
      '2',
      '26.5',
      '10',
    ]);
    await inspectConsole(page, 'trigger-builder');
    await field(page, 'Fires when').selectOption('the value is outside a range');
    await field(page, 'Below').fill('12');
    await field(page, 'Or above').fill('28');
    await page.getByRole('slider').nth(1).waitFor();
    await inspectConsole(page, 'trigger-outside');
    await field(page, 'Fires when').selectOption('your own expression is true');
    assert.equal(await page.getByLabel('Expression').inputValue(), 'sensor_data_value < 12 or sensor_data_value > 28');
    await page.getByLabel('Ends when').fill('sensor_data_value < ');
    await page.getByText('Character 21: the expression ends where a value is needed').waitFor();
    await inspectConsole(page, 'trigger-own');
    assert.deepEqual(errors, []);
  });

  it('writes rules over the points of a window', async () => {
    const { sensor, trigger } = await build({ expression: 'sensor_data_value > 25' });
    const stuck = Array.from({ length: 40 }, (_, at) => ({ date: END + (60 + at) * 60, value: 10 }));
    await upload(user, sensor, stuck);
    const page = await open(`/triggers/${trigger}`);
    await field(page, 'Fires when').selectOption('unchanged-for');
    await field(page, 'For the last').fill('30');
    await page.getByText('It would have fired once').waitFor();
    await save(page);
    assert.equal(
      (await saved(trigger)).expression,
      'changes(sensor_data_value, 1800) == 0 and count_over_time(sensor_data_value, 1800) > 1',
    );
    await page.reload();
    assert.equal(await field(page, 'For the last').inputValue(), '30');
    await field(page, 'Fires when').selectOption('average-over');
    await field(page, 'Above').fill('25');
    await field(page, 'Ends when below').fill('20');
    await page.getByText(/It would have fired (once|2 times)/).waitFor();
    await save(page);
    const { expression, resolve_expression } = await saved(trigger);
    assert.deepEqual(
      [expression, resolve_expression],
      ['avg_over_time(sensor_data_value, 1800) > 25', 'avg_over_time(sensor_data_value, 1800) < 20'],
    );
  });

  it('compares with a label of each sensor, and shows the number that it was', async () => {
    const expression = 'sensor_data_value > label("limit", 25)';
    const { sensor, trigger } = await build({ expression, resolve_expression: 'sensor_data_value < 20' });
    for (const [namespace, limit] of [
      ['default', 27],
      ['shop', 28],
    ] as const) {
      const path = `/sensors/${sensor}/metatags?namespace=${namespace}`;
      assert.equal((await user.api.put(path, { metatags: { limit } })).status, 200);
    }
    const page = await open(`/triggers/${trigger}?sensor=${sensor}`);
    const errors = watchErrors(page);
    await page.getByText(/It would have fired/).waitFor();
    assert.equal(await field(page, 'Fires when').inputValue(), 'above');
    assert.equal(await field(page, 'Above').inputValue(), 'limit');
    assert.equal(await field(page, 'Above, where it is missing').inputValue(), '25');
    const offered = page.locator('datalist option[value="shop:limit"]');
    await offered.first().waitFor({ state: 'attached' });
    await inspectConsole(page, 'trigger-label');
    await save(page);
    assert.equal((await saved(trigger)).expression, expression);
    await page.goto(`${platform.url}/console/triggers/${trigger}?sensor=${sensor}`);
    await field(page, 'Above').fill('shop:limit');
    await field(page, 'Above, where it is missing').fill('');
    await page.getByLabel('a label of each sensor: Ends when below').press('Space');
    await field(page, 'Ends when below').fill('calm');
    await save(page);
    const { resolve_expression, ...changed } = await saved(trigger);
    assert.deepEqual(
      [changed.expression, resolve_expression],
      ['sensor_data_value > label("shop:limit")', 'sensor_data_value < label("calm", 20)'],
    );
    await page.goto(`${platform.url}/console/triggers/${trigger}?sensor=${sensor}`);
    await page.getByLabel('a label of each sensor: Ends when below').press('Space');
    assert.equal(await field(page, 'Ends when below').inputValue(), '20');
    await upload(user, sensor, { value: 28.5, date: END + 7_200 });
    await platform.settle();
    await page.goto(`${platform.url}/console/sensors/${sensor}/triggers/${trigger}`);
    await page.getByText('above 28').waitFor();
    await page
      .getByText(/^\d+\svariables$/)
      .first()
      .click();
    await page.getByText('{"shop:limit":28,"calm":20}').first().waitFor();
    await inspectConsole(page, 'why-label');
    await page.goto(`${platform.url}/console/alerts`);
    await page.getByText('above 28').waitFor();
    await page.goto(`${platform.url}/console/sensors/${sensor}`);
    await page.getByText('above label “shop:limit”').waitFor();
    await inspectConsole(page, 'sensor-label');
    assert.deepEqual(errors, []);
  });

  it('reads in which zone a sensor is, and offers the environments', async () => {
    const gps_outline = '52 4,52 5,53 5,53 4';
    assert.equal((await user.api.post('/environments', { environment: { name: 'yard', gps_outline } })).status, 201);
    const { sensor, trigger } = await build({ expression: 'not in_zone("yard")' });
    const truck = await buildSensor(user, { name: 'truck', data_type: 'json' });
    await connectTrigger(user, truck, trigger);
    const path = [50, 52.5, 52.5, 50].map((latitude, at) => ({
      date: END + at * 600,
      value: { latitude, longitude: 4.5 },
    }));
    await upload(user, truck, path);
    const page = await open(`/triggers/${trigger}?sensor=${truck}`);
    const errors = watchErrors(page);
    assert.equal(await field(page, 'Fires when').inputValue(), 'outside-zone');
    assert.equal(await field(page, 'Zone').inputValue(), 'yard');
    await page.locator('datalist option[value="yard"]').waitFor({ state: 'attached' });
    assert.equal(await field(page, 'Field of the value').count(), 0);
    await inspectConsole(page, 'trigger-zone');
    await field(page, 'Fires when').selectOption('the sensor is in a zone');
    await field(page, 'For at least').fill('5');
    await page.getByText('It would have fired once').waitFor();
    await save(page);
    const written = await saved(trigger);
    assert.deepEqual([written.expression, written.hold], ['in_zone("yard")', 300]);
    await page.goto(`${platform.url}/console/triggers/${trigger}?sensor=${truck}`);
    await field(page, 'Fires when').selectOption('the sensor changes its zone');
    await field(page, 'For at least').fill('');
    await page.getByText('It would have fired 2 times').waitFor();
    await save(page);
    assert.equal((await saved(trigger)).expression, 'zone() != last_zone()');
    await page.goto(`${platform.url}/console/sensors/${sensor}`);
    await page.getByText('zone() != last_zone()').first().waitFor();
    assert.deepEqual(errors, []);
  });

  it('leaves a rule that it would not write as it is', async () => {
    const own = { expression: 'sensor_data_value>25', resolve_expression: 'sensor_data_value < 20', hold: 61 };
    const { trigger } = await build(own);
    const page = await open(`/triggers/${trigger}`);
    assert.equal(await field(page, 'Fires when').inputValue(), 'own');
    await save(page);
    const { expression, resolve_expression, hold } = await saved(trigger);
    assert.deepEqual({ expression, resolve_expression, hold }, own);
  });

  it('lets the clock of an expression run in a time zone, and keeps the severity', async () => {
    const { trigger } = await build({ expression: 'sensor_data_value > 25', severity: 'critical' });
    const page = await open(`/triggers/${trigger}`);
    assert.equal(await field(page, 'Severity').inputValue(), 'critical');
    assert.equal(await field(page, 'Time zone').count(), 0);
    await field(page, 'Fires when').selectOption('own');
    await page.getByLabel('Expression').fill('sensor_data_value > 25 and hour() >= 9');
    assert.equal(await field(page, 'Time zone').inputValue(), 'UTC');
    await field(page, 'Time zone').selectOption('Europe/Amsterdam');
    await page.getByText(/It would have fired/).waitFor();
    await save(page);
    const { severity, timezone } = await saved(trigger);
    assert.deepEqual([severity, timezone], ['critical', 'Europe/Amsterdam']);
  });

  it('moves the bound by mouse, touch and arrow keys', async () => {
    const { trigger } = await build({ expression: 'sensor_data_value > 25' });
    const page = await open(`/triggers/${trigger}`, true);
    const errors = watchErrors(page);
    const line = page.getByRole('slider', { name: 'Above, on the chart' });
    const bound = async () => Number(await field(page, 'Above').inputValue());
    await line.focus();
    await page.keyboard.press('ArrowUp');
    assert.equal(await bound(), 25.1);
    await page.keyboard.press('PageDown');
    assert.equal(await bound(), 24.1);
    const address = page.url();
    const { x, y } = await middleOf(line);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y - 20, { steps: 4 });
    await page.mouse.up();
    const byMouse = await bound();
    assert.ok(byMouse > 25 && byMouse < 28, `${byMouse}`);
    const from = await middleOf(line);
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', down = 0) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: from.x, y: from.y + down }],
      });
    await touch('touchStart');
    await touch('touchMove', 30);
    await touch('touchMove', 60);
    await touch('touchEnd');
    await until('the touch has moved it', async () => (await bound()) < byMouse - 3);
    assert.equal(page.url(), address, 'the chart does not move or zoom');
    const moved = await bound();
    await page.getByText(/It would have fired/).waitFor();
    await save(page);
    assert.equal((await saved(trigger)).expression, `sensor_data_value > ${moved}`);
    assert.deepEqual(errors, []);
  });

  it('draws the average and the number that ends an alert on the chart, and moves them', async () => {
    const { trigger } = await build({
      expression: 'avg_over_time(sensor_data_value, 600) > 25',
      resolve_expression: 'avg_over_time(sensor_data_value, 600) < 20',
    });
    const page = await open(`/triggers/${trigger}`);
    const errors = watchErrors(page);
    const average = page.getByRole('slider', { name: 'Average above, on the chart' });
    const end = page.getByRole('slider', { name: 'Ends when the average is below, on the chart' });
    await average.getByText('average above 25').waitFor();
    await end.getByText('ends when the average is below 20').waitFor();
    assert.ok((await middleOf(average)).y < (await middleOf(end)).y, 'the higher number is above the lower one');
    await inspectConsole(page, 'trigger-average');
    await end.focus();
    await page.keyboard.press('ArrowUp');
    assert.equal(await field(page, 'Ends when below').inputValue(), '20.1');
    await save(page);
    assert.equal((await saved(trigger)).resolve_expression, 'avg_over_time(sensor_data_value, 600) < 20.1');
    await field(page, 'Fires when').selectOption('the value is outside a range');
    await field(page, 'Below').fill('12');
    await field(page, 'Or above').fill('28');
    await field(page, 'Ends when above').fill('14');
    await field(page, 'And below').fill('26');
    assert.deepEqual(
      await page.getByRole('slider').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
      ['Below', 'Or above', 'Ends when above', 'Ends when below'].map((label) => `${label}, on the chart`),
    );
    await inspectConsole(page, 'trigger-outside-ends');
    assert.deepEqual(errors, []);
  });

  it('says what a trigger waits for', async () => {
    const nowSeconds = Math.floor(Date.now() / 1000);
    const sensor = await buildSensor(user, { name: 'door' });
    const trigger = await buildTrigger(user, { name: 'limit', expression: 'sensor_data_value > 25', hold: 600 });
    await connectTrigger(user, sensor, trigger);
    await upload(user, sensor, [{ date: nowSeconds, value: 30 }]);
    await platform.settle();
    const page = await open(`/sensors/${sensor}/triggers/${trigger}`);
    await page.getByText(/^fires in (9 min \d+ s|10 min) unless a value says otherwise: \d+ s of 10 min$/).waitFor();
    await inspectConsole(page, 'why-pending');
    await page.goto(`${platform.url}/console/triggers/${trigger}`);
    await page.getByText(/^fires in 9 min \d+ s unless a value says otherwise/).waitFor();
    const other = await buildTrigger(user, {
      name: 'long',
      expression: 'sensor_data_value > 25',
      keep_firing_for: 900,
    });
    await connectTrigger(user, sensor, other);
    await upload(user, sensor, [{ date: nowSeconds + 1, value: 30 }]);
    await upload(user, sensor, [{ date: nowSeconds + 2, value: 20 }]);
    await platform.settle();
    await page.goto(`${platform.url}/console/sensors/${sensor}/triggers/${other}`);
    await page.getByText(/^ends in 14 min \d+ s unless a value says otherwise: \d+ s of 15 min$/).waitFor();
    await page.getByText('no longer true, but the end is not reached yet').waitFor();
  });
});

async function middleOf(line: Locator): Promise<{ x: number; y: number }> {
  await line.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await line.boundingBox()) ?? assert.fail('it is not shown');
  return { x: x + width / 2, y: y + height / 2 };
}
