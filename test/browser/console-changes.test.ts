import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { inspectConsole, useConsole, watchErrors } from '../support/console';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  upload,
} from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { until } from '../support/until';

const GERMAN: Record<string, string> = JSON.parse(
  readFileSync(join(__dirname, '../../console/languages/de.json'), 'utf8'),
);
const said = (text: string) => GERMAN[text] ?? '';
const HOUR = 3_600;
const DAY = 86_400;

/** Noon of three days ago, UTC. */
function noonLately(): number {
  return Math.floor(Date.now() / 1000 / DAY) * DAY - 3 * DAY + 12 * HOUR;
}

describe('the effect of a change in the console', function () {
  this.timeout(120_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const open = useConsole(platform, user);

  /** Two halls that were hot, one of them at night as well, and a trigger that notifies. */
  const build = async () => {
    const noon = noonLately();
    const night = noon + 11.5 * HOUR;
    const [hall, attic] = [await buildSensor(user, { name: 'Hall' }), await buildSensor(user, { name: 'Attic' })];
    await upload(user, hall, [
      { date: noon - HOUR, value: 5 },
      { date: noon, value: 40 },
      { date: noon + HOUR, value: 5 },
      { date: night, value: 35 },
      { date: night + HOUR, value: 5 },
    ]);
    await upload(user, attic, [
      { date: noon + 2 * HOUR, value: 36 },
      { date: noon + 4 * HOUR, value: 5 },
    ]);
    const trigger = await buildTrigger(user, { name: 'hot', expression: 'sensor_data_value > 30', repeat: 0 });
    const team = await buildNotification(user);
    for (const one of [hall, attic]) {
      await connectTrigger(user, one, trigger);
      await connectNotification(user, one, trigger, team);
    }
    await platform.settle();
    return { hall, attic, trigger };
  };
  const above = (page: Page) => page.getByLabel('Above', { exact: true });
  const effect = (page: Page) => page.getByRole('region', { name: 'Effect on the last 30 days' });
  const rows = (page: Page) =>
    effect(page)
      .getByRole('row')
      .filter({ hasText: /vanishes|appears/ });

  it('is shown with the first change: who is notified, and which alerts vanish or appear', async () => {
    const { hall, trigger } = await build();
    const page = await open(`/triggers/${trigger}?sensor=${hall}`);
    const errors = watchErrors(page);
    await page.getByText('It would have fired 2 times').waitFor();
    assert.equal(await effect(page).count(), 0);
    await above(page).fill('37');
    const found = effect(page).getByText('1 alert, 2 fewer. 1 message, 2 fewer; 0 of them at night, 1 fewer.');
    await found.waitFor();
    assert.deepEqual(
      (await rows(page).allInnerTexts()).map(
        (text) => /vanishes|appears/.exec(text)?.[0] + (/Hall|Attic/.exec(text)?.[0] ?? ''),
      ),
      ['vanishesHall', 'vanishesAttic'],
    );
    assert.match((await rows(page).first().textContent()) ?? '', /1\sh/);
    await page.getByRole('img', { name: 'Saved rule: 2 alerts' }).waitFor();
    await page.getByRole('img', { name: 'Changed rule: 1 alert' }).waitFor();
    await inspectConsole(page, 'trigger-effect');
    await effect(page).getByRole('button', { name: 'This sensor' }).click();
    await effect(page).getByText('1 alert, 1 fewer. 1 message, 1 fewer; 0 of them at night, 1 fewer.').waitFor();
    assert.equal(await rows(page).count(), 1);
    await above(page).fill('4');
    await effect(page).getByText('1 alert, 1 fewer.').waitFor();
    await effect(page).getByText('1 of them would be open now.').waitFor();
    await above(page).fill('30');
    await page.getByText('It would have fired 2 times').waitFor();
    assert.equal(await effect(page).count(), 0);
    assert.deepEqual(errors, []);
  });

  it('says that it is computed, and stops if the form changes meanwhile', async () => {
    const { hall, trigger } = await build();
    const page = await open(`/triggers/${trigger}?sensor=${hall}`);
    const stopped: string[] = [];
    page.on('requestfailed', (request) => stopped.push(request.postData() ?? ''));
    let isHeld = true;
    await page.route('**/triggers/*/backtest', async (route) => {
      await until('it may continue', async () => !isHeld || /> 38/.test(route.request().postData() ?? ''));
      await route.continue().catch(() => undefined);
    });
    await page.getByText('It would have fired 2 times').waitFor();
    await above(page).fill('37');
    await effect(page).getByText('Both rules are tried …').waitFor();
    await page.waitForRequest(/backtest/);
    await above(page).fill('38');
    await effect(page).getByText('1 alert, 2 fewer.').waitFor();
    isHeld = false;
    await effect(page).getByText('Both rules are tried …').waitFor({ state: 'detached' });
    assert.ok(stopped.some((body) => /> 37/.test(body)));
  });

  it('says how far it came if a backtest was cut, and what cannot be evaluated', async () => {
    const { hall, trigger } = await build();
    const page = await open(`/triggers/${trigger}?sensor=${hall}`);
    await page.route('**/triggers/*/backtest', async (route) => {
      const response = await route.fetch();
      const { backtest } = await response.json();
      await route.fulfill({ response, json: { backtest: { ...backtest, until: noonLately() - 10 * DAY } } });
    });
    await above(page).fill('37');
    await effect(page)
      .getByText(/^A backtest ends after 10 seconds or a million decisions: all data until /)
      .waitFor();
    await inspectConsole(page, 'trigger-effect-cut');
    await page.unrouteAll();
    await page.getByLabel('Fires when').selectOption('your own expression is true');
    await page.getByLabel('Expression').fill('sensor_data_value >> 3');
    await page.getByText(/^Character \d+: /).waitFor();
    assert.equal(await rows(page).count(), 0);
  });

  it('is in German as well', async () => {
    const { hall, trigger } = await build();
    const page = await open(`/triggers/${trigger}?sensor=${hall}`, { locale: 'de-DE' });
    await page.getByLabel(said('Above'), { exact: true }).fill('37');
    const fewer = said('{n} fewer').replace('{n}', '2');
    const numbers = [said('{n} alert'), said('{n} message')].map((text) => `${text.replace('{n}', '1')}, ${fewer}`);
    await page.getByRole('heading', { name: said('Effect on the last 30 days') }).waitFor();
    await page.getByText(numbers.join('. ')).last().waitFor();
    await inspectConsole(page, 'trigger-effect-german');
  });
});
