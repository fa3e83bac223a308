import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, signIn, watchErrors } from '../support/console';
import { usePlatform } from '../support/hooks';

const ACCOUNT = { Username: 'ada', Email: 'ada@example.org', Password: 'a password of mine' };

describe('the way of a stranger to a chart with an alert', function () {
  this.timeout(90_000);
  before(ensureConsole);
  const platform = usePlatform();
  const browser = useBrowser();

  const open = () => browser.open({ javaScriptEnabled: true, locale: 'en-GB', timezoneId: 'Europe/Amsterdam' });

  it('takes six clicks with sample data, and no typing but that of the account', async () => {
    await platform.startWorkers(['evaluation', 'deliveries', 'events']);
    const page = await open();
    const errors = watchErrors(page);
    const person = new Person(page);
    await page.goto(platform.url);
    await person.click(page.getByRole('button', { name: 'Create an account' }));
    for (const [label, text] of Object.entries(ACCOUNT)) {
      await person.type(label, text);
      await person.press(label === 'Password' ? 'Enter' : 'Tab');
    }
    await person.click(page.getByRole('button', { name: 'Try it with sample data' }));
    await page.getByText(/^min 1\d(\.\d+)? · mean/).waitFor();
    const untilChart = person.report();
    await person.click(page.getByRole('link', { name: 'New trigger' }));
    await page.getByText(/It would have fired \d+ times/).waitFor();
    assert.match(await page.getByLabel('Name').inputValue(), /^Greenhouse \(sample\) above 2\d/);
    await inspectConsole(page, 'trigger-suggested');
    await person.click(page.getByRole('button', { name: 'Mail to me' }));
    await page.getByRole('list', { name: 'Steps' }).getByText(ACCOUNT.Email).waitFor();
    await person.click(page.getByRole('button', { name: 'Create the trigger' }));
    await person.click(page.getByRole('button', { name: 'Send 31' }));
    await page.getByText('a trigger fired').waitFor();
    await page.getByRole('row', { name: /Greenhouse \(sample\) above .* firing/ }).waitFor();
    await page.getByRole('link', { name: /^Alerts 1$/ }).waitFor();
    console.log(`    until the chart: ${untilChart}; until the alert: ${person.report()}`);
    await inspectConsole(page, 'sensor-sample');
    assert.deepEqual([person.clicks, person.keys], [6, Object.values(ACCOUNT).join('').length + 3]);
    assert.deepEqual(errors, []);
    await platform.stopWorkers();
  });

  it('begins with a file that names the sensor and says what its values are', async () => {
    const page = await open();
    const person = new Person(page);
    await signIn(page, platform.url, await platform.user());
    await page.goto(`${platform.url}/console/`);
    await person.click(page.getByRole('button', { name: 'Create the first sensor' }));
    const file = page.getByLabel('Data');
    await file.setInputFiles({ name: 'broken.csv', mimeType: 'text/csv', buffer: Buffer.from('date,value\nsoon,1\n') });
    await page.getByText('Line 2: “soon” is not a date.').waitFor();
    const lines = ['date,temperature,humidity', '2026-11-20T10:00:00Z,20.5,60', '2026-11-20T11:00:00Z,21,65'];
    await file.setInputFiles({ name: 'Cellar.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
    await page
      .getByLabel('Values')
      .getByRole('option', { name: 'Several fields (JSON)' })
      .and(page.locator(':checked'))
      .waitFor({ state: 'attached' });
    assert.equal(await page.getByLabel('Name').inputValue(), 'Cellar');
    await person.click(page.getByRole('button', { name: 'Create', exact: true }));
    await page.getByText('Cellar: humidity').waitFor();
    await page.getByText('2 points are stored.').waitFor();
    assert.equal(person.clicks, 2);
  });
});

/** Uses a page, and counts what that takes: clicks, keys and time. */
class Person {
  clicks = 0;
  keys = 0;
  private readonly begun = performance.now();

  constructor(private readonly page: Page) {}

  async click(what: Locator): Promise<void> {
    await what.click();
    this.clicks += 1;
  }

  /** Types where the focus is, which has to be this field. */
  async type(label: string, text: string): Promise<void> {
    await this.page.getByLabel(label).and(this.page.locator(':focus')).waitFor();
    await this.page.keyboard.type(text);
    this.keys += text.length;
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    this.keys += 1;
  }

  report(): string {
    const seconds = ((performance.now() - this.begun) / 1000).toFixed(1);
    return `${this.clicks} clicks, ${this.keys} keys, ${seconds} s`;
  }
}
