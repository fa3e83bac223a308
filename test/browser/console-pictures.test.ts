import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser';
import { ensureConsole, signIn } from '../support/console';
import { buildEnvironment, buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
import { fakeClock } from '../support/fake-clock';
import { usePlatform, useUser } from '../support/hooks';
import { compareWithPicture, whyIncomparable } from '../support/pictures';
import { until } from '../support/until';

/** All clocks stand still here, soon after the last point. */
const NOW = new Date('2026-11-04T09:30:00Z');
const END = Date.UTC(2026, 10, 4, 9) / 1000;
const RANGE = `from=${END - 2 * 86_400}&to=${END}`;

describe('the console, compared with pictures', function () {
  this.timeout(90_000);
  before(ensureConsole);
  const platform = usePlatform({ clock: fakeClock(NOW.getTime()) });
  const user = useUser(platform, { username: 'ada' });
  const browser = useBrowser();

  it('looks as it did', async function () {
    const page = await browser.open({ javaScriptEnabled: true, locale: 'en-GB', timezoneId: 'Europe/Amsterdam' });
    const why = await whyIncomparable(page);
    if (why) {
      console.log(`    skipped: pictures of the console, as ${why}`);
      this.skip();
    }
    const { climate, trigger, environment } = await furnish();
    await page.clock.setFixedTime(NOW);
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    const look = async (name: string, path: string, ready: (page: Page) => Promise<unknown>) => {
      await page.goto(`${platform.url}/console${path}`);
      await ready(page);
      await until('it is loaded', async () => (await page.locator('.loading').count()) === 0);
      await compareWithPicture(page, name);
    };
    const heading = (name: string) => () => page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await look('sign-in', '/', heading('Sign in'));
    await signIn(page, platform.url, user);
    await look('chart', `/sensors/${climate}?${RANGE}`, () => page.getByText(/^min 55 · mean/).waitFor());
    await look('trigger', `/triggers/${trigger}?sensor=${climate}`, () => page.getByText('fired 2 times').waitFor());
    await look('environment', `/environments/${environment}`, heading('Home'));
    await page.setViewportSize({ width: 360, height: 780 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await look('sensors-phone', '/sensors', () => page.locator('.spark').nth(1).waitFor());
    await look('chart-phone', `/sensors/${climate}?${RANGE}`, () => page.getByText(/^min 55 · mean/).waitFor());
  });

  /** Nothing in it depends on the clock. */
  const furnish = async () => {
    const climate = await buildSensor(user, { name: 'Greenhouse', data_type: 'json', device_type: 'BME280' });
    const door = await buildSensor(user, { name: 'Door', data_type: 'boolean' });
    const points = Array.from({ length: 97 }, (_, at) => {
      const wave = Math.sin((at / 48) * 2 * Math.PI);
      const value = { temperature: Math.round(200 + 50 * wave) / 10, humidity: Math.round(65 - 10 * wave) };
      return { date: END - (96 - at) * 1_800, value };
    });
    await upload(user, climate, points);
    await upload(
      user,
      door,
      points.filter((_, at) => at % 12 === 0).map(({ date }, at) => ({ date, value: at % 2 === 0 })),
    );
    await platform.settle();
    const trigger = await buildTrigger(user, {
      name: 'Too warm',
      expression: 'sensor_data_value.temperature > 24',
      repeat: 0,
    });
    await connectTrigger(user, climate, trigger);
    const outline = '52.3702 4.8952,52.3705 4.8958,52.3703 4.8963,52.3700 4.8959';
    const environment = await buildEnvironment(user, { name: 'Home', gps_outline: outline, floors: 2 });
    return { climate, trigger, environment };
  };
});
