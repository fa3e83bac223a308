import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inspectConsole, useConsole, watchErrors } from '../support/console';
import {
  buildDashboard,
  buildEnvironment,
  buildSensor,
  buildTrigger,
  connectTrigger,
  create,
  upload,
} from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';

const OUTLINE = '52.37 4.895,52.3702 4.895,52.3702 4.8954,52.37 4.8954';
const SHOWN = ['critical', 'warning', 'info', 'inactive', 'acknowledged', 'ok'];
/** The signs, colours and words of the states on a page. */
const LOOKS = `[...document.querySelectorAll('.status[class*="is-"]')].filter((one) => one.checkVisibility()).map((one) => {
  const style = getComputedStyle(one);
  const name = /is-(\\w+)/.exec(one.className)[1];
  return [name, [getComputedStyle(one, '::before').content, style.color, style.backgroundColor].join(' ')];
})`;

describe('the states in the console', function () {
  this.timeout(180_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const open = useConsole(platform, user);

  /** Sensors on which rules of all severities fire, one that is acknowledged, one that is fine, and one that has stopped. */
  const furnish = async () => {
    const rules: Record<string, string> = {};
    for (const severity of ['critical', 'warning', 'info']) {
      rules[severity] = await buildTrigger(user, { name: severity, severity, expression: 'sensor_data_value > 30' });
    }
    const sensors: string[] = [];
    for (const [name, rule, value] of [
      ['Freezer', 'critical', 31],
      ['Fridge', 'warning', 31],
      ['Door', 'info', 31],
      ['Oven', 'critical', 31],
      ['Cellar', 'warning', 20],
      ['Attic', 'warning', 20],
    ] as const) {
      const sensor = await buildSensor(user, { name, unit: '°C', ...(name === 'Attic' && { expected_interval: 60 }) });
      sensors.push(sensor);
      await connectTrigger(user, sensor, rules[rule] ?? '');
      const date = Math.floor(Date.now() / 1000) - (name === 'Attic' ? 7_200 : 0);
      await upload(user, sensor, { value, date });
    }
    await platform.settle();
    const [known] = (await user.api.get(`/firings?sensor_id=${sensors[3]}`)).body.firings;
    await user.api.post(`/firings/${known.id}/acknowledge`, { note: 'on my way' });
    return sensors;
  };

  const place = async (sensors: readonly string[], name = 'Shop', step = 0.00006) => {
    const environment = await buildEnvironment(user, { name, gps_outline: OUTLINE });
    await create(user, `/environments/${environment}/sensors`, { sensors: sensors.map((id) => ({ id })) });
    const positions = sensors.map((sensor_id, at) => ({
      sensor_id,
      position: `${52.37005 + Math.floor(at / 5) * step} ${4.8951 + (at % 5) * step}`,
    }));
    await user.api.put(`/environments/${environment}/positions`, { positions });
    return environment;
  };

  it('have one sign, one colour and one word on every page', async () => {
    const sensors = await furnish();
    const environment = await place(sensors);
    const tiles = [
      { kind: 'state', sensors, x: 0, y: 0, w: 6, h: 6 },
      { kind: 'alerts', sensors: [], x: 6, y: 0, w: 6, h: 6 },
      { kind: 'value', sensors: sensors.slice(0, 1), x: 0, y: 6, w: 4, h: 4 },
      { kind: 'plan', environment, x: 4, y: 6, w: 8, h: 8 },
    ];
    const dashboard = await buildDashboard(user, { name: 'Wall', tiles });
    const { public: token } = (await user.api.post(`/dashboards/${dashboard}/public`)).body.dashboard;
    const looks = new Map<string, Set<string>>();
    for (const [path, ready] of [
      ['/', '.worst li'],
      ['/alerts', '.alerts .is-info'],
      ['/sensors', '.corner .is-inactive'],
      ['/triggers', 'td .is-info'],
      [`/sensors/${sensors[0]}`, '.now .is-critical'],
      [`/environments/${environment}`, '.states .is-inactive'],
      [`/dashboards/${dashboard}`, '.tile-plan .states .is-inactive'],
      [`/public/${token}?wall`, '.tile-alerts .is-acknowledged'],
    ] as const) {
      const page = await open(path);
      const errors = watchErrors(page);
      await page.locator(ready).first().waitFor();
      for (const [name, look] of (await page.evaluate(LOOKS)) as [string, string][]) {
        looks.set(name, (looks.get(name) ?? new Set()).add(look));
      }
      assert.deepEqual(errors, [], path);
      await inspectConsole(page, `states-${path.replace(/\W+|\d+/g, '-').slice(0, 14)}`);
      await page.close();
    }
    for (const name of SHOWN) assert.equal(looks.get(name)?.size, 1, `${name}: ${[...(looks.get(name) ?? [])]}`);
    const all = SHOWN.map((name) => [...(looks.get(name) ?? [])].join());
    assert.equal(new Set(all).size, SHOWN.length, 'no two states look alike');
  });

  it('of sensors on a plan never overlap, on any screen, and those without room share a count', async () => {
    const sensors: string[] = [];
    for (let at = 1; at <= 30; at += 1) {
      const name = `Freezer 03-${at}${at === 4 ? ' in the back room behind the bakery, next to the ramp' : ''}`;
      const sensor = await buildSensor(user, { name, unit: '°C' });
      await upload(user, sensor, { value: -18 - at / 10 });
      sensors.push(sensor);
    }
    const trigger = await buildTrigger(user, { severity: 'critical', expression: 'sensor_data_value > -15' });
    await connectTrigger(user, sensors[12] ?? '', trigger);
    await upload(user, sensors[12] ?? '', { value: -8.5 });
    await platform.settle();
    const environment = await place(sensors, 'Crowded', 0.00001);
    const dashboard = await buildDashboard(user, { tiles: [{ kind: 'plan', environment, x: 0, y: 0, w: 4, h: 4 }] });
    for (const path of [`/environments/${environment}`, `/dashboards/${dashboard}`]) {
      for (const width of [390, 1280, 1920]) {
        const page = await open(path, { viewport: { width, height: 900 } });
        await page.locator('.labels .marker.is-critical').waitFor();
        assert.deepEqual(await overlapping(page), [], `${path} at ${width} px`);
        await page.locator('.marker.is-critical').getByText('−8.5 °C').waitFor();
        const count = page.locator('.several > summary').last();
        await count.focus();
        await page.keyboard.press('Enter');
        await page.locator('.several[open] a').first().waitFor();
        const shown = await page.locator('a.marker').count();
        const counted = await page.locator('.several > ul > li').count();
        assert.equal(shown + counted, 30, 'each sensor is on the plan');
        if (width === 1280) await inspectConsole(page, `plan-${path.split('/')[1]}`);
        await page.close();
      }
    }
  });

  /** Pairs of labels that overlap, and labels beyond the edge of the plan. */
  const overlapping = async (page: Page): Promise<string[]> => {
    const [plan] = await boxesOf(page, '.plane');
    const labels = await boxesOf(page, '.labels .marker');
    assert.ok(plan && labels.length > 1);
    const beyond = labels.filter(
      ({ left, top, right, bottom }) =>
        left < plan.left - 1 || top < plan.top - 1 || right > plan.right + 1 || bottom > plan.bottom + 1,
    );
    const pairs = labels.flatMap((a, at) =>
      labels
        .slice(at + 1)
        .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        .map((b) => `${a.text} over ${b.text}`),
    );
    return [...beyond.map(({ text }) => `${text} is cut`), ...pairs];
  };

  const boxesOf = (page: Page, selector: string) =>
    page.locator(selector).evaluateAll((all) =>
      all.map((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return { left, top, right, bottom, text: one.textContent ?? '' };
      }),
    );
});
