// The first view of pages of the console: in a browser that has none of its files, while the machine is idle, and while two
// loops keep it busy.
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { ensureBrowser } from '../support/browser.mjs';
import { connect, create, registered } from './support/client.mjs';
import { inParallel, Rows } from './support/figures.mjs';

export const name = 'console';
export const order = 15;
export const isLong = true;
export const options = { seen: 400, alerting: 60 };

const EVERY_S = 600;
/** Points of each sensor. The sensor whose chart is opened has a week of them. */
const POINTS = 48;
const POINTS_OF_CHART = 1_008;
const LOOPS = 2;
const BUSY = ', two loops';
const WITHIN_MS = 60_000;
/** A page continues to load after its first view; the next one does not wait for it. */
const PAUSE_MS = 1_000;

/** The paths of pages, and elements that are there once the data is drawn. */
const pagesOf = (sensor) => ({
  overview: ['/', ['.summary .bad', '.rows li']],
  sensors: ['/sensors', ['tbody tr', 'tbody svg path']],
  'chart of a week': [`/sensors/${sensor}?span=604800`, ['.uplot canvas', '.legend > li']],
  alerts: ['/alerts', ['.alert-group li, .alert-group tr']],
});

export async function run({ port, rounds, guard, sizes: { seen, alerting }, log }) {
  const rows = new Rows();
  const client = await registered(port);
  const [first] = await fill(client, { seen, alerting });
  await untilFiring(client, alerting);
  log(`  ${seen} sensors, ${alerting} alerts`);
  const browser = await chromium.launch({ executablePath: ensureBrowser(log), timeout: WITHIN_MS });
  const open = (page) => firstView(browser, { url: `http://127.0.0.1:${port}`, session: client.session, page });
  for (let round = 0; round < rounds; round += 1) {
    log(`  round ${round + 1} of ${rounds}`);
    for (const load of ['', BUSY]) {
      const loops = load === BUSY ? startLoops(guard) : [];
      for (const [what, page] of Object.entries(pagesOf(first))) {
        addView(rows, `${what}${load}`, await open(page));
        await sleep(PAUSE_MS);
      }
      for (const loop of loops) await guard.stop(loop);
    }
  }
  await browser.close();
  await client.close();
  return rows.list();
}

/** Sensors with metatags and data; the last value of some is too high. Returns their ids. */
function fill(client, { seen, alerting }) {
  const now = Math.floor(Date.now() / 1_000);
  const valueAt = (at, back) => (back === 0 && at < alerting ? 31 : 20 + ((at + back) % 7));
  const trigger = create(client, 'trigger', { name: 'too warm', expression: 'sensor_data_value > 30' });
  const makeOne = async (at) => {
    const sensor = await create(client, 'sensor', { name: `freezer ${at}`, unit: '°C' });
    await client.post(`/sensors/${sensor}/metatags`, { metatags: { shop: [`shop ${at % 20}`] } });
    await connect(client, sensor, await trigger);
    const dates = Array.from({ length: at === 0 ? POINTS_OF_CHART : POINTS }, (_, back) => now - back * EVERY_S);
    const data = dates.map((date, back) => ({ date, value: valueAt(at, back) }));
    await client.post(`/sensors/${sensor}/data`, { data });
    return sensor;
  };
  return inParallel([...Array(seen).keys()], 8, makeOne);
}

async function untilFiring(client, alerts) {
  const end = Date.now() + WITHIN_MS;
  while ((await client.get('/firings?state=firing&per_page=1&total=1')).total < alerts) {
    if (Date.now() > end) throw new Error('not all alerts have come');
    await sleep(100);
  }
}

/** Processes that need a processor each for as long as they live. */
function startLoops(guard) {
  const loop = () => guard.spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore', order: 0, waitMs: 100 });
  return Array.from({ length: LOOPS }, loop);
}

/** Opens a page with an empty cache and without the service worker. */
async function firstView(browser, { url, session, page: [path, drawn] }) {
  const context = await browser.newContext({ serviceWorkers: 'block', locale: 'en-GB' });
  await context.addCookies([{ name: 'session_id', value: session, url, httpOnly: true, sameSite: 'Lax' }]);
  const page = await context.newPage();
  await page.addInitScript(watchUntilDrawn, drawn);
  await page.goto(`${url}/console${path}`);
  await page.waitForFunction(() => globalThis.view.drawnMs > 0, undefined, { timeout: WITHIN_MS });
  const view = await page.evaluate(() => globalThis.view);
  await context.close();
  return view;
}

/** Runs in the page: waits for these elements; notes when they are there, and what was loaded until then. */
function watchUntilDrawn(drawn) {
  const view = { longTasksMs: 0 };
  globalThis.view = view;
  const tasks = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) view.longTasksMs += duration;
  });
  tasks.observe({ type: 'longtask', buffered: true });
  const look = () => {
    if (drawn.some((element) => !document.querySelector(element))) return requestAnimationFrame(look);
    const loaded = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
    const bytesOf = (some) => some.reduce((sum, { transferSize }) => sum + transferSize, 0);
    view.requests = loaded.length;
    view.bytes = bytesOf(loaded);
    view.scriptBytes = bytesOf(loaded.filter(({ name: file }) => file.endsWith('.js')));
    view.paintMs = performance.getEntriesByName('first-paint')[0]?.startTime;
    view.drawnMs = performance.now();
  };
  requestAnimationFrame(look);
}

function addView(rows, what, { drawnMs, paintMs, longTasksMs, requests, bytes, scriptBytes }) {
  rows.add(`${what}: first paint`, 'ms', paintMs);
  rows.add(`${what}: data drawn`, 'ms', drawnMs);
  rows.add(`${what}: long tasks`, 'ms', longTasksMs);
  if (what.endsWith(BUSY)) return; // the same as without the loops
  rows.add(`${what}: requests`, 'each', requests);
  rows.add(`${what}: scripts`, 'kB', scriptBytes / 1_000);
  rows.add(`${what}: all files and answers`, 'kB', bytes / 1_000);
}
