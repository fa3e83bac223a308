import assert from 'node:assert/strict';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { source as axeSource } from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const LIMIT_MS = 60_000;

/** The screens on which every page is looked at. Without `SCREENSHOTS` the first two are enough: each width, each theme. */
const SCREENS = [
  { width: 360, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  { width: 360, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const;

/** Runs axe-core in a page that has it: the rules that are broken, and by what. */
const VIOLATIONS = `axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`;

/** What tests do in a browser. */
export interface TestBrowser {
  /**
   * A page with cookies of its own, as a person sees it without scripts, and without the service worker of the console,
   * which would answer instead of the platform. It is closed after the test.
   */
  open(options?: BrowserContextOptions): Promise<Page>;
}

/**
 * A Chromium for the tests of this `describe`, started before the first of them and closed after the last. Without one, all of
 * them are skipped.
 */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  before(async function () {
    const executablePath = findBrowser();
    if (!executablePath) {
      reportMissing();
      this.skip();
    }
    browser = await chromium.launch({ executablePath, timeout: LIMIT_MS, args: ['--disable-gpu'] });
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  after(() => browser?.close());
  return {
    open: async (options) => {
      const context = await (browser ?? assert.fail('no browser runs')).newContext({
        javaScriptEnabled: false,
        serviceWorkers: 'block',
        ...options,
      });
      contexts.push(context);
      context.setDefaultTimeout(LIMIT_MS);
      return context.newPage();
    },
  };
}

/**
 * Checks a page as it stands on a phone and on a desktop, light and dark: nothing is wider than the screen, and axe-core finds
 * nothing wrong. With `SCREENSHOTS` set to a folder, pictures of it are kept there under its name.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) mkdirSync(folder, { recursive: true });
  const copy = await copyWithScripts(page);
  for (const { width, colorScheme } of SCREENS.slice(0, folder ? SCREENS.length : 2)) {
    for (const one of [page, copy]) {
      await one.emulateMedia({ colorScheme });
      await one.setViewportSize({ width, height: 800 });
    }
    if (folder) await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    const overflow = await copy.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
    assert.equal(overflow, 0, `${name} is wider than ${width} px`);
    assert.deepEqual(await copy.evaluate(VIOLATIONS), [], `${name}, ${width} px, ${colorScheme}`);
  }
  await copy.context().close();
}

/** Presses Tab until the element with this role and name has the focus, as a person without a mouse does. */
export async function tabTo(page: Page, role: Parameters<Page['getByRole']>[0], name: string | RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name });
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab');
    const [focus] = await wanted.and(page.locator(':focus')).all();
    if (!focus) continue;
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    assert.equal(outline, 'solid', 'the focus is visible');
    return;
  }
  assert.fail(`the keyboard does not reach ${name}`);
}

/** In a copy of the page with scripts: the page itself runs none, but axe-core has to. */
async function copyWithScripts(page: Page): Promise<Page> {
  const context = await (page.context().browser() ?? assert.fail('no browser runs')).newContext();
  const copy = await context.newPage();
  const body = await page.content();
  await copy.route(page.url(), (route) => route.fulfill({ body, contentType: 'text/html; charset=utf-8' }));
  await copy.goto(page.url());
  await copy.evaluate(`${axeSource}; 0`);
  return copy;
}

let isReported = false;

/** Once in a run. */
function reportMissing(): void {
  if (!isReported)
    console.log('    skipped: all pages in a browser, for want of a Chromium (apt-get install chromium)');
  isReported = true;
}

/** The scripts that run the tests install one where they may. */
function findBrowser(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
