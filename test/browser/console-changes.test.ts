import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inspectConsole, saidInGerman as said, useConsole, watchErrors } from '../support/console';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  create,
  upload,
} from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { until } from '../support/until';

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
    await Promise.all([page.waitForRequest(/triggers\/\d+\/backtest/), above(page).fill('37')]);
    await effect(page).getByText('Both rules are tried …').waitFor();
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
    await rows(page).first().waitFor({ state: 'detached' });
  });

  it('tries more sensors than one backtest takes in several, and adds up what they find', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 101; at += 1) ids.push(await buildSensor(user, { name: `Hall ${at}` }));
    const noon = noonLately();
    for (const id of [ids[0], ids[100]])
      await upload(user, id ?? '', [
        { date: noon, value: 35 },
        { date: noon + HOUR, value: 5 },
      ]);
    const trigger = await buildTrigger(user, { name: 'hot', expression: 'sensor_data_value > 30', repeat: 0 });
    const action = { connect_trigger: { id: trigger } };
    assert.equal((await user.api.post('/sensors/bulk', { sensors: ids, action })).status, 200);
    const page = await open(`/triggers/${trigger}?sensor=${ids[0]}`);
    const tried: number[] = [];
    await page.route('**/triggers/*/backtest', async (route) => {
      tried.push(route.request().postDataJSON().sensor_ids.length);
      await route.continue();
    });
    await above(page).fill('40');
    await effect(page).getByText('0 alerts, 1 fewer.').waitFor();
    await effect(page).getByRole('button', { name: 'All 101 sensors' }).click();
    await effect(page).getByText('0 alerts, 2 fewer.').waitFor();
    assert.deepEqual([...new Set(tried)], [1, 100]);
    assert.equal(tried.at(-1), 1);
    assert.equal(await rows(page).count(), 2);
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

  it('runs a change as a shadow, reports it next to the live rule, and switches to it', async () => {
    const { hall, attic, trigger } = await build();
    const now = Math.floor(Date.now() / 1000);
    const page = await open(`/triggers/${trigger}?sensor=${hall}`);
    const errors = watchErrors(page);
    await above(page).fill('20');
    const start = effect(page).getByRole('button', { name: 'Try it for a week without messages' });
    await start.click();
    await page.getByText('The changed rule is tried for a week. It sends nothing.').waitFor();
    await page.getByRole('heading', { name: 'Trial of the changed rule', level: 2 }).waitFor();
    assert.equal(await above(page).inputValue(), '30');
    assert.equal(await effect(page).count(), 0);
    await above(page).fill('25');
    await page.getByText('Another change is on trial. End that trial to try this one.').waitFor();
    assert.equal(await start.count(), 0);
    await upload(user, hall, { date: now, value: 25 });
    await upload(user, attic, { date: now, value: 33 });
    await platform.settle();
    await page.goto(`${platform.url}/console/triggers/${trigger}`);
    const card = page.locator('.section', {
      has: page.getByRole('heading', { name: 'Trial of the changed rule', level: 2 }),
    });
    await card.getByText(/Fires when: sensor_data_value > 30 → sensor_data_value > 20$/).waitFor();
    await card.getByRole('row').filter({ hasText: 'appears' }).getByText('Hall').waitFor();
    const inNumbers = async (name: string) =>
      (
        await card
          .getByRole('row', { name: new RegExp(`^${name}`) })
          .locator('td')
          .allTextContents()
      ).slice(1, 3);
    assert.deepEqual(await inNumbers('Saved rule'), ['1', '1']);
    assert.deepEqual(await inNumbers('Changed rule'), ['2', '2']);
    await inspectConsole(page, 'trigger-shadow');
    await card.getByRole('button', { name: 'Use the changed rule …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 alert is open under both rules: it continues without a message.').waitFor();
    await dialog.getByText('1 alert is open only under the changed rule: it fires now.').waitFor();
    await inspectConsole(page, 'trigger-shadow-switch');
    await dialog.getByRole('button', { name: 'Use the changed rule' }).click();
    await page.getByText('The changed rule is in force. 1 alert stays open. 1 alert fires.').waitFor();
    await card.waitFor({ state: 'detached' });
    assert.equal(await above(page).inputValue(), '20');
    const { firings } = (await user.api.get('/firings?state=firing')).body;
    assert.ok(firings.some(({ sensor_id }: { sensor_id: string }) => sensor_id === attic));
    assert.deepEqual(errors, []);
  });

  it('removes a shadow, and the rule of the trigger stays', async () => {
    const { trigger } = await build();
    await create(user, `/triggers/${trigger}/shadow`, { shadow: { hold: 600, days: 3 } });
    const page = await open(`/triggers/${trigger}`, { locale: 'de-DE' });
    await page.getByText(said('For at least')).first().waitFor();
    await inspectConsole(page, 'trigger-shadow-german');
    await page.getByRole('button', { name: said('End|verb') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: said('End|verb') })
      .click();
    await page
      .getByRole('heading', { name: said('Trial of the changed rule'), exact: true })
      .waitFor({ state: 'detached' });
    assert.equal((await user.api.get(`/triggers/${trigger}/shadow`)).status, 404);
    assert.equal((await user.api.get(`/triggers/${trigger}`)).body.trigger.hold, 0);
  });
});
