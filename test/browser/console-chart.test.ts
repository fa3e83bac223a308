import { useBrowser } from '../support/browser';
import { ensureConsole, signIn } from '../support/console';
import { buildSensor, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

/** In as many hours as a chart shows at most, and fewer points than it draws as they are. */
const DAYS = 80;
const EVERY = 300;
const OF_AN_HOUR = 12;

describe('the chart of the console, in a browser', () => {
  before(ensureConsole);
  const platform = usePlatform();
  const user = useUser(platform);
  const browser = useBrowser();

  it('shows the means of intervals as such, with the lowest and the highest of the data', async () => {
    const from = Math.floor(Date.now() / 1000 / 86_400 - DAYS) * 86_400;
    const points = <T>(valueAt: (high: number, index: number) => T) =>
      Array.from({ length: (DAYS * 86_400) / EVERY }, (_, index) => ({
        value: valueAt(index % OF_AN_HOUR === OF_AN_HOUR - 1 ? 100 : 0, index),
        date: from + index * EVERY,
      }));
    const sensors = {
      number: [await buildSensor(user), points((high) => high)],
      fields: [await buildSensor(user, { data_type: 'json' }), points((t) => ({ t, h: 40 }))],
      states: [await buildSensor(user), points((_, index) => (Math.floor(index / 5000) % 2 ? 'open' : 'closed'))],
      // An hour of the second half has nine points, one of the first half has one.
      uneven: [
        await buildSensor(user),
        points((_, index) => index).flatMap(({ value: index, date }) => {
          const isLate = index >= (DAYS * 86_400) / EVERY / 2;
          return index % OF_AN_HOUR < (isLate ? 9 : 1) ? [{ value: isLate ? 10 : 0, date }] : [];
        }),
      ],
    } as const;
    for (const [id, data] of Object.values(sensors)) await upload(user, id, data);
    const page = await browser.open({ javaScriptEnabled: true, locale: 'en-GB', timezoneId: 'Europe/Amsterdam' });
    await signIn(page, platform.url, user);
    const show = async (id: string) => {
      await page.goto(`${platform.url}/console/sensors/${id}?from=${from}&to=${from + DAYS * 86_400}`);
    };
    await show(sensors.number[0]);
    await page.getByText('mean of every 1 h', { exact: true }).waitFor();
    await page.getByText('min 0 · mean 8.3 · max 100').waitFor();
    await show(sensors.fields[0]);
    await page.getByText('mean of every 1 h', { exact: true }).waitFor();
    await page.getByText('min 0 · mean 8.3 · max 100').waitFor();
    await page.getByText('min 40 · mean 40 · max 40').waitFor();
    await show(sensors.uneven[0]);
    await page.getByText('min 0 · mean 9 · max 10').waitFor();
    await show(sensors.states[0]);
    await page.getByText('last value of every 1 h', { exact: true }).waitFor();
    await page.getByTitle('open').first().waitFor();
  });
});
