import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inspectConsole, useConsole, watchErrors } from '../support/console';
import { buildNotification, buildSensor, buildTrigger, connectTrigger, share, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

const KINDS = ['freezer', 'room temperature', 'humidity', 'door', 'CO2'];
const DAY = 86_400;

describe('the console', function () {
  this.timeout(120_000);
  const platform = usePlatform();
  const user = useUser(platform);
  const friend = useUser(platform);
  const ids: string[] = [];

  const open = useConsole(platform, user);
  const sensorOf = (number: number) => ({ name: `sensor ${number}`, data_type: 'float', unit: '°C' });
  const search = (page: Page) => page.getByRole('combobox', { name: 'Find sensors' });
  const count = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();

  const furnish = async () => {
    const now = Math.floor(Date.now() / 1000);
    for (let from = 0; from < 600; from += 50) {
      const numbers = Array.from({ length: 50 }, (_, at) => from + at + 1);
      ids.push(...(await Promise.all(numbers.map((number) => buildSensor(user, sensorOf(number))))));
    }
    for (const [at, kind] of KINDS.entries()) {
      for (let floor = 1; floor <= 6; floor += 1) {
        const sensors = ids.filter((_, index) => index % 5 === at && Math.floor(index / 5) % 6 === floor - 1);
        const action = { set_metatags: { metatags: { kind: [kind], floor: [floor] } } };
        assert.equal((await user.api.post('/sensors/bulk', { sensors, action })).body.done, 20);
      }
    }
    const data = ids.map((sensor_id, at) => {
      const last = at % 40 === 7 ? now - 2 * DAY : now - (at % 50);
      const values = [8, 6, 4, 2, 0].map((hours) => ({ date: last - hours * 3_600, value: 20 + ((at + hours) % 7) }));
      return { sensor_id, data: at % 100 === 99 ? values.slice(0, 0) : values };
    });
    assert.equal(
      (await user.api.post('/sensors/data', { sensors: data.filter((one) => one.data.length > 0) })).status,
      201,
    );
  };

  describe('with 600 sensors', () => {
    before(furnish);

    it('finds them by metatags, words and states, and says what it does not understand', async () => {
      const page = await open('/sensors');
      const errors = watchErrors(page);
      await count(page, '600 sensors');
      const searches = [
        ['kind:freezer', '120 of 600 sensors'],
        ['kind:freezer floor:2', '20 of 600 sensors'],
        ['kind:"room temperature" kind:door', '240 of 600 sensors'],
        ['kind:FREEZER -floor:2', '100 of 600 sensors'],
        ['floor: sensor 60', '7 of 600 sensors'],
        // Six that never had data were made just now.
        ['state:silent', '15 of 600 sensors'],
        ['silent:3d', '6 of 600 sensors'],
      ] as const;
      for (const [text, found] of searches) {
        await search(page).fill(text);
        await count(page, found);
      }
      await page
        .getByRole('row', { name: /sensor 100/ })
        .getByText('no data yet')
        .waitFor();
      const mistakes = [
        ['kin:freezer', 'No sensor has the metatag “kin”.'],
        ['kind:fridge', 'No sensor has “fridge” as its “kind”.'],
        ['state:burning', /^“state:burning”: a state is one of firing, pending, ok, /],
        ['silent:2', '“silent:2”: write a time such as 30min, 2h or 7d.'],
      ] as const;
      for (const [text, mistake] of mistakes) {
        await search(page).fill(text);
        await page.getByText(mistake).waitFor();
      }
      assert.deepEqual(errors, []);
    });

    it('completes metatags and their values by the keyboard', async () => {
      const page = await open('/sensors');
      await search(page).focus();
      await page.keyboard.type('ki');
      await page.getByRole('option', { name: 'kind:' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.type('ro');
      await page.getByRole('option', { name: 'room temperature 120' }).waitFor();
      await inspectConsole(page, 'sensors-completion');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      assert.equal(await search(page).inputValue(), 'kind:"room temperature" ');
      await count(page, '120 of 600 sensors');
      assert.equal(await page.getByRole('option').count(), 0, 'a value ends the choice');
      assert.equal(new URL(page.url()).searchParams.get('q'), 'kind:"room temperature" ');
    });

    it('shows a page with few requests, sorts by every column, and keeps the choice', async () => {
      const page = await open('/sensors?sort=name');
      const requests = countRequests(page);
      await page.reload();
      await page.locator('.spark path').nth(20).waitFor();
      assert.equal(requests.filter((one) => one.includes('/sensors/data.ndjson')).length, 1, requests.join('\n'));
      const scripts = requests.filter((one) => one.endsWith('.js'));
      assert.ok(scripts.some((one) => one.includes('/assets/parts-')));
      assert.ok(!scripts.some((one) => /assets.(chart|set-up|organise)-/.test(one)), scripts.join('\n'));
      const names = () => page.locator('tbody a.strong').allTextContents();
      await page.getByRole('button', { name: 'Value' }).click();
      await page.getByRole('button', { name: 'Value' }).click();
      await until('it is sorted by value', async () => (await names())[0] === 'sensor 7');
      await page.getByRole('button', { name: 'Sensor', exact: true }).click();
      await page.getByRole('button', { name: 'Sensor', exact: true }).click();
      await until('it is sorted by name', async () => (await names())[0] === 'sensor 600');
      await page.getByRole('button', { name: 'View' }).click();
      for (const name of ['kind', 'floor', 'Unit']) await page.getByRole('checkbox', { name, exact: true }).check();
      await page.getByRole('button', { name: 'Compact' }).click();
      await inspectConsole(page, 'sensors-view');
      await page.getByLabel('Rows on a page').selectOption('250');
      await page.getByRole('button', { name: 'Done' }).click();
      await page.reload();
      await page.getByRole('columnheader', { name: 'floor' }).waitFor();
      await until('250 rows are shown', async () => (await names()).length === 250);
      await page.locator('tbody a.strong').first().focus();
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
      assert.equal(await page.locator('a.strong:focus').textContent(), 'sensor 599');
      await page.keyboard.press('End');
      assert.equal(await page.locator('a.strong:focus').textContent(), 'sensor 351');
      await search(page).fill('kind:freezer floor:2');
      await count(page, '20 of 600 sensors');
      await inspectConsole(page, 'sensors-compact');
    });

    it('connects a trigger to 120 freezers with one request, in five clicks', async () => {
      const trigger = await buildTrigger(user, { name: 'Too warm', expression: 'sensor_data_value > 1000' });
      const page = await open('/sensors');
      const requests = countRequests(page);
      await search(page).fill('kind:freezer');
      await count(page, '120 of 600 sensors');
      await page.getByRole('checkbox', { name: 'Select all 120 sensors' }).click();
      await page.getByText('120 selected').waitFor();
      await inspectConsole(page, 'sensors-selected');
      await page.getByRole('button', { name: 'Change …' }).click();
      await page.getByLabel('Trigger').selectOption('Too warm');
      await inspectConsole(page, 'sensors-change');
      await page.getByRole('button', { name: 'Connect a trigger: 120 sensors' }).click();
      await page.getByText('120 sensors changed.').waitFor();
      assert.equal(requests.filter((one) => one.includes('/sensors/bulk')).length, 1);
      const { triggers } = (await user.api.get('/sensors/triggers?per_page=1000')).body;
      assert.equal(triggers.filter(({ id }: { id: string }) => id === trigger).length, 120);
    });

    it('mutes all of them with a request for each 500', async () => {
      const page = await open('/sensors');
      const requests = countRequests(page);
      await page.getByRole('checkbox', { name: 'Select all 600 sensors' }).check();
      await page.getByRole('button', { name: 'Change …' }).click();
      await page.getByLabel('Action').selectOption('Mute');
      await page.getByRole('button', { name: 'Mute: 600 sensors' }).click();
      await page.getByText('600 sensors changed.').waitFor();
      assert.equal(requests.filter((one) => one.includes('/sensors/bulk')).length, 2);
    });

    it('begins a trigger that follows the metatags of a search, also for later sensors', async () => {
      const page = await open('/sensors?q=kind:freezer%20floor:2');
      await page.getByRole('checkbox', { name: 'Select all 20 sensors' }).click();
      await page.getByRole('link', { name: 'New trigger for these' }).click();
      await page.getByText('It would not have fired').waitFor();
      assert.match(await page.getByLabel('Name', { exact: true }).inputValue(), /^kind:freezer floor:2 above /);
      await page.getByRole('button', { name: 'Create the trigger' }).click();
      await page.getByText(/is saved and active/).waitFor();
      const { triggers } = (await user.api.get('/triggers')).body;
      const made = triggers.find(({ name }: { name: string }) => name.startsWith('kind:freezer floor:2'));
      assert.equal(made.selector.filter.metatag_statement_groups.length, 2);
      await user.api.delete(`/triggers/${made.id}`);
    });

    it('begins a trigger with the sensors that are ticked', async () => {
      const page = await open('/sensors?q=kind:door');
      for (const name of ['Select sensor 4', 'Select sensor 9']) {
        await page.getByRole('checkbox', { name, exact: true }).check();
      }
      await page.getByRole('link', { name: 'New trigger for these' }).click();
      await page.getByText('2 chosen').waitFor();
    });

    it('names the first of many sensors that a new trigger begins with, and lists them on request', async () => {
      const page = await open('/sensors?q=kind:door%20floor:3%20sensor');
      await page.getByRole('checkbox', { name: 'Select all 20 sensors' }).click();
      await page.getByRole('link', { name: 'New trigger for these' }).click();
      await page.getByText('20 sensors: sensor 14, sensor 44, sensor 74 and 17 more.').waitFor();
      await inspectConsole(page, 'trigger-many');
      assert.equal(await page.getByRole('checkbox', { name: /^sensor / }).count(), 0);
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.getByText('20 chosen').waitFor();
      assert.ok(await page.getByRole('checkbox', { name: /^sensor 14( |$)/ }).isChecked());
    });

    it('says on which sensors an action was refused, and why, and leaves them selected', async () => {
      const foreign = await buildSensor(friend, { name: 'sensor of a friend' });
      await share(friend, foreign, user);
      const page = await open('/sensors?q=sensor%2059');
      await page
        .getByRole('status')
        .getByText(/of 601 sensors/)
        .waitFor();
      await search(page).fill('friend');
      await count(page, '1 of 601 sensors');
      await page.getByRole('checkbox', { name: 'Select 1 sensor' }).check();
      await search(page).fill('sensor 11 kind:freezer');
      await count(page, '7 of 601 sensors');
      await page.getByRole('checkbox', { name: 'Select all 7 sensors' }).check();
      await search(page).fill('');
      await page.getByText('8 selected').waitFor();
      await page.getByRole('button', { name: 'Change …' }).click();
      await page.getByLabel('Action').selectOption('Set a metatag');
      await page.getByLabel('Metatag', { exact: true }).fill('wing');
      await page.getByLabel('Values').fill('east, 2');
      await page.getByRole('button', { name: 'Set a metatag: 8 sensors' }).click();
      await page.getByText('7 sensors changed.').waitFor();
      await page.getByText('1 sensor was not changed: Only the owner of the sensor may do this.').waitFor();
      await page.getByRole('dialog').getByText('sensor of a friend').waitFor();
      await inspectConsole(page, 'sensors-refused');
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByText('1 selected').waitFor();
      await search(page).fill('wing:east');
      await count(page, '7 of 601 sensors');
      await page.getByRole('checkbox', { name: 'Select all 7 sensors' }).check();
      await page.getByRole('button', { name: 'Change …' }).click();
      await page.getByLabel('Action').selectOption('Delete');
      await page.getByText('Deletes 7 sensors and all their data for everyone. This cannot be undone.').waitFor();
      await page.getByRole('button', { name: 'Delete: 7 sensors' }).click();
      await page.getByText('7 sensors changed.').waitFor();
      await page.getByText('Nothing found').waitFor();
      assert.equal((await user.api.get('/sensors?per_page=1')).body.total, 594);
      await user.api.delete(`/sensors/${foreign}`);
    });

    it('begins with an overview: what fires, what has no data, what fails, and counts by a metatag', async () => {
      const notification = await buildNotification(user, { name: 'Hut', destination: 'https://example.org/hook' });
      assert.ok(notification);
      for (const severity of ['info', 'critical', 'warning']) {
        const trigger = await buildTrigger(user, {
          name: `rule: ${severity}`,
          expression: 'sensor_data_value > 900',
          severity,
        });
        await connectTrigger(user, ids[0] ?? '', trigger);
      }
      await upload(user, ids[0] ?? '', { value: 901 });
      await platform.settle();
      const page = await open('/');
      const errors = watchErrors(page);
      const firing = page
        .getByRole('region', { name: 'Firing' })
        .or(page.locator('section', { hasText: 'All alerts' }));
      const names = () =>
        firing
          .first()
          .getByRole('link', { name: /^rule: / })
          .allTextContents();
      await until(
        'alerts are listed by severity',
        async () => (await names()).join() === 'rule: critical,rule: warning,rule: info',
      );
      await page.getByRole('button', { name: 'Acknowledge rule: critical on sensor 1' }).click();
      await until(
        'it moves to the end',
        async () => (await names()).join() === 'rule: warning,rule: info,rule: critical',
      );
      await page.getByText('no data for 2 d').first().waitFor();
      await inspectConsole(page, 'overview');
      await page.getByLabel('Metatag', { exact: true }).selectOption('floor');
      await page.getByRole('row', { name: /^2 / }).getByRole('link').nth(1).click();
      await page
        .getByRole('status')
        .getByText(/of 593 sensors$/)
        .waitFor();
      assert.equal(await search(page).inputValue(), 'floor:2');
      assert.deepEqual(errors, []);
    });
  });
});

/** The paths of the requests of a page from now on. */
function countRequests(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  return requests;
}
