import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Page, Route } from 'playwright-core';
import { useConsole } from '../support/console';
import { buildRoutes } from '../support/console-routes';
import { buildSensor, buildTrigger, connectTrigger, create, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import type { TestUser } from '../support/platform';
import { until } from '../support/until';

/** What people hardly notice; web.dev calls up to 0.1 good. */
const MOST = 0.05;
const SETTLED_MS = 2_500;
/** Answers of the platform, but for streams. */
const ANSWERS = /^https?:\/\/[^/]+\/(?!console|.*stream)/;
const LONGEST_MS = 500;
/** After a page that has nothing to load, or has loaded it. */
const LOADED_MS = 500;
/** In a table of sensors that differ, values make columns wider: these are tried with many that are alike. */
const WITH_MANY = ['/sensors', '/sensors?sort=value', '/sensors?sort=-age', '/alerts'];

/** Sums up what moved although nobody touched the page. */
const OBSERVE = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

describe('the layout of the console', function () {
  this.timeout(240_000);
  const platform = usePlatform();
  const user = useUser(platform);
  const owner = useUser(platform);
  const open = useConsole(platform, user);
  const openOfOwner = useConsole(platform, owner);
  const ids: string[] = [];
  let paths: readonly string[] = [];

  before(async () => {
    const rule = { name: 'Too warm', expression: 'sensor_data_value > 30', severity: 'critical' };
    const trigger = await buildTrigger(user, rule);
    const now = Math.floor(Date.now() / 1000);
    for (let at = 0; at < 40; at += 1) {
      const id = await buildSensor(user, { name: `Freezer ${at}`, unit: '°C' });
      ids.push(id);
      if (at < 20) await connectTrigger(user, id, trigger);
      await create(user, `/sensors/${id}/metatags`, { metatags: { floor: [String(at % 4)] } });
      const valueAt = (half: number) => (at < 12 ? 31 : 20 + half / 10);
      const data = Array.from({ length: 48 }, (_, half) => ({
        date: now - 86_400 + half * 1_800,
        value: valueAt(half),
      }));
      await upload(user, id, data);
    }
    await buildMixed(user, now);
    await platform.settle();
    paths = (await buildRoutes(platform, owner)).filter((path) => !WITH_MANY.includes(path));
  });

  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    it(`does not move while pages of ${width} px get their data slowly`, async () => {
      const shifts: Record<string, number> = {};
      for (const path of ['/', `/sensors/${ids[0]}`, `/sensors/${ids[30]}`, '/triggers', ...WITH_MANY]) {
        const page = await open('/account', { viewport: { width, height } });
        await page.addInitScript(OBSERVE);
        await page.route(ANSWERS, answerLate);
        await page.goto(`${platform.url}/console${path}`);
        await page.waitForTimeout(SETTLED_MS);
        shifts[path] = await shiftOf(page);
        await page.context().close();
      }
      assertStill(shifts);
    });

    it(`does not move on any page of ${width} px`, async () => {
      const page = await openOfOwner('/account', { viewport: { width, height } });
      await page.addInitScript(OBSERVE);
      const shifts: Record<string, number> = {};
      for (const path of paths) {
        await page.goto(`${platform.url}/console${path}`);
        await page.locator('h1').waitFor();
        await until(`${path} is loaded`, async () => (await page.locator('.loading').count()) === 0);
        await page.waitForTimeout(LOADED_MS);
        shifts[path] = await shiftOf(page);
      }
      assertStill(shifts);
    });
  }
});

/** Sensors with values of all kinds, without data, and with a rule that cannot be evaluated. */
async function buildMixed(user: TestUser, now: number): Promise<void> {
  const rule = await buildTrigger(user, { name: 'Light', expression: 'sensor_data_value.lux > 3' });
  const kinds = [
    { name: 'Door', data_type: 'boolean', unit: 'closed/open', valueAt: (at: number) => at % 5 === 0 },
    { name: 'Disk', data_type: 'json', valueAt: (at: number) => ({ free: 8_864_197_523 - at, used: at, percent: 60 }) },
    { name: 'Line', data_type: 'string', valueAt: (at: number) => (at % 2 ? 'running' : 'waiting for material') },
    { name: 'Counter', data_type: 'float', valueAt: (at: number) => 1_234_567.891 * at },
  ];
  for (const { valueAt, ...fields } of kinds)
    for (const age of [0, 172_800]) {
      const id = await buildSensor(user, fields);
      if (fields.data_type === 'json') await connectTrigger(user, id, rule);
      const points = Array.from({ length: 24 }, (_, at) => ({
        date: now - age - 86_000 + at * 3_600,
        value: valueAt(at),
      }));
      await upload(user, id, points);
    }
  await buildSensor(user, { name: 'Not installed yet' });
}

/** Each address has its own delay, so that what is shown first waits for something else on each page. */
async function answerLate(route: Route): Promise<void> {
  const url = route
    .request()
    .url()
    .replace(/\d{9,}/g, '');
  const delayMs = [...url].reduce((all, one) => (all * 31 + one.charCodeAt(0)) % LONGEST_MS, 7);
  await setTimeout(delayMs);
  await route.continue().catch(() => undefined); // the page may be closed
}

async function shiftOf(page: Page): Promise<number> {
  return Number(await page.evaluate('window.shifted'));
}

function assertStill(shifts: Record<string, number>): void {
  const moved = Object.entries(shifts).filter(([, shift]) => shift > MOST);
  assert.deepEqual(moved, [], JSON.stringify(shifts));
}
