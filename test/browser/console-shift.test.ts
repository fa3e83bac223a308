import assert from 'node:assert/strict';
import { useConsole } from '../support/console';
import { buildSensor, buildTrigger, connectTrigger, create, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

/** What people hardly notice; web.dev calls up to 0.1 good. */
const MOST = 0.05;
const SETTLED_MS = 1_500;

/** Sums up what moved although nobody touched the page. */
const OBSERVE = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

describe('the layout of the console', function () {
  this.timeout(180_000);
  const platform = usePlatform();
  const user = useUser(platform);
  const open = useConsole(platform, user);
  const ids: string[] = [];

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
    await platform.settle();
  });

  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    it(`does not move while pages of ${width} px get their data`, async () => {
      const shifts: Record<string, number> = {};
      for (const path of ['/', '/sensors', `/sensors/${ids[0]}`, `/sensors/${ids[30]}`, '/alerts', '/triggers']) {
        const page = await open('/account', { viewport: { width, height } });
        await page.addInitScript(OBSERVE);
        await page.goto(`${platform.url}/console${path}`);
        await page.waitForTimeout(SETTLED_MS);
        shifts[path] = Number(await page.evaluate('window.shifted'));
        await page.context().close();
      }
      const moved = Object.entries(shifts).filter(([, shift]) => shift > MOST);
      assert.deepEqual(moved, [], JSON.stringify(shifts));
    });
  }
});
