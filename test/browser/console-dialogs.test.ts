import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { source as axeSource } from 'axe-core';
import type { Page } from 'playwright-core';
import { useConsole, watchErrors } from '../support/console';
import { buildRoutes } from '../support/console-routes';
import { usePlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

const SOURCE = join(__dirname, '../../console/src');
const TITLE = /<(?:Dialog|Danger)Button\b(?:(?!title=)[\s\S])*?title=\{t\('([^']*)'/g;
const OPENER = 'button[aria-haspopup=dialog]:not(:disabled)';
/** What axe-core finds wrong in an element. */
const violationsIn = (element: string) => `axe.run('${element}').then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`;

describe('every page and every dialog of the console', function () {
  this.timeout(300_000);
  const platform = usePlatform();
  const user = useUser(platform);
  const open = useConsole(platform, user);
  let paths: readonly string[] = [];
  before(async () => {
    paths = await buildRoutes(platform, user);
  });

  it('has nothing that axe-core finds wrong, and is no wider than a phone', async () => {
    const page = await open('/account', { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
    const errors = watchErrors(page);
    const problems: Record<string, unknown> = {};
    const seen = new Set<string>();
    for (const path of paths) {
      await page.goto(`${platform.url}/console${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await isLoaded(page);
      await page.evaluate(`${axeSource}; 0`);
      await unfold(page);
      await isLoaded(page);
      await inspect(page, 'body', path, problems);
      await openDialogs(page, seen, problems);
    }
    assert.deepEqual(problems, {});
    assert.deepEqual(
      titlesInSource().filter((title) => !seen.has(title)),
      [],
      'each dialog was opened',
    );
    assert.deepEqual(errors, []);
  });
});

/** The titles of all dialogs that are the same for every thing. */
function titlesInSource(): string[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));
  const titles = files.flatMap((name) => [...readFileSync(join(SOURCE, name), 'utf8').matchAll(TITLE)]);
  return [...new Set(titles.map(([, title = '']) => title))].filter((title) => !title.includes('{'));
}

async function isLoaded(page: Page): Promise<void> {
  await until('it is loaded', async () => (await page.locator('.loading').count()) === 0);
}

/** Selects something where that is possible, and opens what is folded: their dialogs are there afterwards. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
  const more = page.getByRole('button', { name: 'More', exact: true });
  if (await more.isVisible()) await more.click();
  const box = page.getByRole('checkbox', { name: /^Select/ });
  if ((await box.count()) > 0) await box.first().check();
}

async function inspect(page: Page, element: string, name: string, problems: Record<string, unknown>): Promise<void> {
  const found = await page.evaluate(violationsIn(element));
  const overflow = await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
  if (String(found) !== '') problems[name] = found;
  if (overflow !== 0) problems[`${name} is wider by`] = overflow;
}

/** Opens the dialogs of a page, and those in them; inspects those with new titles. */
async function openDialogs(page: Page, seen: Set<string>, problems: Record<string, unknown>, depth = 0): Promise<void> {
  const openers = page.locator('dialog[open] '.repeat(depth) + OPENER);
  const count = await openers.count();
  for (let at = 0; at < count; at += 1) {
    if (!(await openers.nth(at).isVisible())) continue;
    await openers.nth(at).click();
    const dialog = page.locator('dialog[open]').nth(depth);
    const title = (await dialog.getByRole('heading').first().textContent()) ?? '';
    if (!seen.has(title)) {
      seen.add(title);
      await isLoaded(page);
      await inspect(page, 'dialog[open]', title, problems);
      await openDialogs(page, seen, problems, depth + 1);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
}
