import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { source as axeSource } from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type TestBrowser, useBrowser } from './browser';
import type { Platform, TestUser } from './platform';

const ROOT = join(__dirname, '../..');

/** Builds the console unless it is up to date: tests in a browser use what `npm start` serves. */
export function ensureConsole(): void {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs', '--console'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
}

/** The German of the console, by the English texts. */
export const GERMAN: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(ROOT, 'console/languages/de.json'), 'utf8'),
);

export function saidInGerman(text: string): string {
  const german = GERMAN[text];
  assert.ok(german, text);
  return german;
}

/** Without `SCREENSHOTS` the first three are enough: each width comes once, and each theme. */
const SCREENS = [
  { width: 2560, height: 1440, theme: 'light' },
  { width: 1280, height: 800, theme: 'light' },
  { width: 360, height: 800, theme: 'dark' },
  { width: 1280, height: 800, theme: 'dark' },
  { width: 360, height: 800, theme: 'light' },
  { width: 2560, height: 1440, theme: 'dark' },
] as const;

/**
 * Looks at a page of the console as it stands on a phone, a desktop and a very wide screen, light and dark: nothing is wider than the screen, and
 * axe-core finds nothing wrong. With `SCREENSHOTS` set to a folder, pictures are kept there.
 */
export async function inspectConsole(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) mkdirSync(folder, { recursive: true });
  await page.evaluate(`${axeSource}; 0`);
  for (const { width, height, theme } of SCREENS.slice(0, folder ? SCREENS.length : 3)) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    if (folder) await page.screenshot({ path: join(folder, `console-${name}-${width}-${theme}.png`), fullPage: true });
    const overflow = await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
    assert.equal(overflow, 0, `${name} is wider than ${width} px`);
    if (width === 2560) continue; // what axe looks at is the same as with 1280
    const problems = await page.evaluate(
      `axe.run().then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join('\\n')))`,
    );
    assert.deepEqual(problems, [], `${name}, ${width} px, ${theme}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

/**
 * Builds the console and starts a browser for a `describe`. Returns a function that opens a page as the signed-in user.
 * The options of a page override the common options.
 */
export function useConsole(
  platform: Pick<Platform, 'url'>,
  user: Pick<TestUser, 'session'>,
  options: BrowserContextOptions = {},
): (path: string, own?: BrowserContextOptions) => Promise<Page> {
  before(ensureConsole);
  const browser = useBrowser();
  return (path, own) => openConsole(browser, platform, user, path, { ...options, ...own });
}

/** A page of the console at this path, with scripts and in English, in which the user is signed in. */
export async function openConsole(
  browser: TestBrowser,
  platform: Pick<Platform, 'url'>,
  user: Pick<TestUser, 'session'>,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await browser.open({ javaScriptEnabled: true, locale: 'en-GB', ...options });
  await signIn(page, platform.url, user);
  await page.goto(`${platform.url}/console${path}`);
  return page;
}

/** Everything that a page says went wrong: scripts, and what the policy about contents refused. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) errors.push(message.text());
  });
  return errors;
}

/** Signs a user in by the cookie, as the sign-in page does. */
export async function signIn(page: Page, url: string, user: Pick<TestUser, 'session'>): Promise<void> {
  await page.context().addCookies([{ name: 'session_id', value: user.session, url, httpOnly: true, sameSite: 'Lax' }]);
}
