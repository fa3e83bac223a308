import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { tabTo, useBrowser } from '../support/browser';
import { inspectConsole, watchErrors } from '../support/console';
import { usePlatform } from '../support/hooks';

/** A start, guides with tables, code and images, and pages of the reference. */
const PAGES = [
  ...['docs', 'docs/start', 'docs/alerts', 'docs/channels', 'docs/expressions', 'docs/console', 'docs/dashboards'],
  ...['docs/operate/settings', 'docs/reference', 'docs/reference/data-points', 'docs/reference/notifications'],
  ...['docs/reference/webhooks', 'docs/search?q=mute', 'docs/nothing'],
];

describe('the documentation, in a browser', () => {
  const browser = useBrowser();
  const platform = usePlatform();

  const open = async (path: string): Promise<{ page: Page; errors: string[] }> => {
    const page = await browser.open({ javaScriptEnabled: true, viewport: { width: 1280, height: 800 } });
    const errors = watchErrors(page);
    await page.goto(`${platform.url}/${path}`);
    return { page, errors };
  };

  for (const path of PAGES) {
    it(`can be read on each screen, in each theme: ${path}`, async () => {
      const { page, errors } = await open(path);
      await inspectConsole(page, path.replace(/\W+/g, '-'));
      assert.deepEqual(errors, []);
    });
  }

  it('finds while typing, and is used by keyboard', async () => {
    const { page, errors } = await open('docs');
    await page.keyboard.press('/');
    await page.keyboard.type('quiet hours');
    const first = page.getByRole('link', { name: /^Quiet hours Recipes/ }).first();
    await first.waitFor();
    assert.match((await page.getByRole('search').getByRole('status').textContent()) ?? '', /^\d+ results$/);
    await inspectConsole(page, 'docs-found');
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('ArrowDown');
    await first.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(' ');
    await first.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/recipes#quiet-hours$/);
    assert.deepEqual(errors, []);
  });

  it('searches without scripts on a page of its own', async () => {
    const page = await browser.open();
    await page.goto(`${platform.url}/docs/operate/deploy`);
    await page.getByRole('searchbox').fill('create a trigger');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /^Create a trigger API reference/ }).click();
    await page.waitForURL(/\/docs\/reference\/triggers#createTrigger$/);
    assert.equal(await page.getByRole('button', { name: 'Menu' }).count(), 0);
  });

  it('shows all examples in the chosen language, with the address of the instance, and copies them', async () => {
    const { page } = await open('docs/reference/data-points');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('radio', { name: 'Python' }).first().check();
    assert.equal(await page.locator('.sample.curl:visible, .sample.javascript:visible').count(), 0);
    assert.ok((await page.locator('.sample.python:visible').count()) > 5);
    await page.goto(`${platform.url}/docs/reference/sensors`);
    const example = page.locator('.sample.python:visible').first();
    await example.getByRole('button', { name: 'Copy' }).click();
    await example.getByRole('button', { name: 'Copied' }).waitFor();
    const text = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.ok(text.startsWith(`import requests\n\nresponse = requests.post(\n    "${platform.url}/sensors",`), text);
  });

  it('shows the requests of guides as HTTP, or as programs in the chosen language', async () => {
    const { page, errors } = await open('docs/recipes');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    assert.equal(await page.locator('.try .sample:not(.http):visible').count(), 0);
    await page.getByRole('radio', { name: 'curl' }).first().check();
    assert.equal(await page.locator('.try .sample:not(.curl):visible').count(), 0);
    await inspectConsole(page, 'docs-try');
    await page.goto(`${platform.url}/docs/alerts`);
    const example = page.locator('.sample.curl:visible').first();
    await example.getByRole('button', { name: 'Copy' }).click();
    await example.getByRole('button', { name: 'Copied' }).waitFor();
    const text = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.ok(text.startsWith(`curl '${platform.url}/`), text);
    await page.goto(`${platform.url}/docs/reference/sensors`);
    assert.ok((await page.locator('.sample.curl:visible').count()) > 5);
    await page.goto(`${platform.url}/docs/recipes`);
    await page.getByRole('radio', { name: 'HTTP' }).first().check();
    await page.goto(`${platform.url}/docs/reference/sensors`);
    assert.ok((await page.locator('.sample.curl:visible').count()) > 5, 'the reference has no HTTP');
    assert.deepEqual(errors, []);
  });

  it('has a menu on a phone, and the theme of the console', async () => {
    const { page } = await open('docs/alerts');
    await page.setViewportSize({ width: 360, height: 800 });
    await page.evaluate("localStorage.setItem('theme', 'dark')");
    await page.reload();
    assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(15, 21, 20)');
    const link = page.getByRole('link', { name: 'Expressions', exact: true });
    assert.equal(await link.first().isVisible(), false);
    await tabTo(page, 'button', 'Menu');
    await page.keyboard.press('Enter');
    await inspectConsole(page, 'docs-menu');
    await page.setViewportSize({ width: 360, height: 800 });
    await link.first().click();
    await page.waitForURL(/\/docs\/expressions$/);
  });

  it('prints what is folded, and nothing that is only for the screen', async () => {
    const { page } = await open('docs/reference/data-points');
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.getByRole('search').isVisible(), false);
    assert.equal(await page.getByText('Fields of the answer').first().isVisible(), true);
    const height = "document.querySelector('.operation details > .fields').getBoundingClientRect().height";
    assert.ok(Number(await page.evaluate(height)) > 0);
  });
});
