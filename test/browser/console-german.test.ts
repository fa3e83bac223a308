import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser';
import { ensureConsole, GERMAN, openConsole, watchErrors } from '../support/console';
import {
  buildEnvironment,
  buildGroup,
  buildMqttSource,
  buildMute,
  buildNotification,
  buildSensor,
  buildService,
  buildTrigger,
  connectNotification,
  connectTrigger,
  create,
  share,
  upload,
} from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { invite } from '../support/invitations';
import type { Platform, TestUser } from '../support/platform';
import { until } from '../support/until';

const LOCALE = { locale: 'de-DE', timezoneId: 'Europe/Berlin' };

describe('the console in German', function () {
  this.timeout(180_000);
  before(ensureConsole);
  const platform = usePlatform();
  const browser = useBrowser();
  const user = useUser(platform);

  it('has no English text on any page, and no text that is cut', async () => {
    const things = await furnish(user, platform);
    const page = await openConsole(browser, platform, user, '/mutes', LOCALE);
    const errors = watchErrors(page);
    const problems: string[] = [];
    for (const [name, path, steps = []] of pagesOf(things)) {
      await page.goto(`${platform.url}/console${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await isLoaded(page, name);
      problems.push(...(await look(page, name)));
      for (const step of steps) {
        await page.locator(`button:text-is("${step}")`).first().click();
        await isLoaded(page, name);
        problems.push(...(await look(page, `${name}-${step}`)));
      }
    }
    if (problems.length > 0) assert.fail(problems.join('\n'));
    assert.deepEqual(errors, []);
  });

  it('greets visitors in German', async () => {
    const page = await browser.open({ javaScriptEnabled: true, ...LOCALE });
    await page.goto(`${platform.url}/console/`);
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    assert.equal(await page.title(), 'Sensordatenplattform');
    const problems = await look(page, 'sign-in');
    for (const choice of ['Konto erstellen', 'Passwort vergessen?']) {
      await page.getByRole('button', { name: choice }).click();
      problems.push(...(await look(page, choice)));
    }
    if (problems.length > 0) assert.fail(problems.join('\n'));
  });

  it('makes a German account with errors in German, whose mails can become English', async () => {
    const page = await browser.open({ javaScriptEnabled: true, ...LOCALE });
    const languageOf = async (username: string) =>
      (await platform.query('SELECT language FROM users WHERE username = ?', [username]))[0]?.language;
    await page.goto(`${platform.url}/console/`);
    await page.getByRole('button', { name: 'Konto erstellen' }).click();
    await page.getByLabel('Benutzername').fill(user.username);
    await page.getByLabel('E-Mail').fill('leser@example.org');
    await page.getByLabel('Passwort').fill('lang genug');
    await page.getByRole('button', { name: 'Konto erstellen' }).click();
    await page.getByRole('alert').getByText('„Benutzername“ ist vergeben.').waitFor();
    await page.getByLabel('Benutzername').fill('leser');
    await page.getByRole('button', { name: 'Konto erstellen' }).click();
    await page.getByRole('heading', { name: 'Noch keine Sensoren' }).waitFor();
    assert.equal(await languageOf('leser'), 'de');
    await page.goto(`${platform.url}/console/account`);
    await page.getByLabel('Sprache Ihrer E-Mails').selectOption('English');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await until('the language is saved', async () => (await languageOf('leser')) === 'en');
    await page.reload();
    assert.equal(await page.getByLabel('Sprache Ihrer E-Mails').inputValue(), 'en');
  });

  it('has German texts also in the file that the first page needs', async () => {
    const page = await openConsole(browser, platform, user, '/sensors', LOCALE);
    await page.getByRole('button', { name: 'Neuer Sensor' }).click();
    const kinds = page.getByRole('dialog').getByLabel('Werte').locator('option');
    await kinds.first().waitFor({ state: 'attached' });
    assert.deepEqual(await kinds.allTextContents(), ['Zahlen', 'Wahr oder falsch', 'Text', 'Mehrere Felder (JSON)']);
  });

  it('stores a value that is typed with a decimal comma as a number', async () => {
    const sensor = await buildSensor(user, { name: 'Keller', data_type: 'float' });
    const page = await openConsole(browser, platform, user, `/sensors/${sensor}`, LOCALE);
    await page.getByRole('button', { name: 'Hochladen', exact: true }).click();
    await page.getByRole('button', { name: 'Ein Wert' }).click();
    await page.getByRole('dialog').getByLabel('Messwert').fill('21,5');
    await page.getByRole('dialog').getByRole('button', { name: 'Senden' }).click();
    const latest = async () => (await user.api.get(`/sensors/${sensor}/data?per_page=1`)).body.data[0]?.value;
    await until('it is stored', async () => (await latest()) !== undefined);
    assert.equal(await latest(), '21.5');
  });

  it('says in German how it reads a file', async () => {
    const sensor = await buildSensor(user, { name: 'Dach' });
    const page = await openConsole(browser, platform, user, `/sensors/${sensor}`, LOCALE);
    await page.getByRole('button', { name: 'Hochladen', exact: true }).click();
    const lines = ['Datum;Wert;Notiz', '24.11.2026 10:00;21,5;gut', '24.11.2026 10:10;ERR;', '31.02.2026 10:00;1;'];
    await page
      .getByRole('dialog')
      .getByLabel('Datei')
      .setInputFiles({
        ...{ name: 'Dach.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) },
      });
    await page.getByText('„31.02.2026 10:00“ ist kein Datum', { exact: false }).waitFor();
    await page.getByText('Trennzeichen sind Semikolons; die Namen stehen in Zeile 1.').waitFor();
    const problems = await look(page, 'file');
    if (problems.length > 0) assert.fail(problems.join('\n'));
  });

  it('takes numbers with a decimal comma, and refuses those that may have a thousands separator', async () => {
    const sensor = await buildSensor(user, { name: 'Keller' });
    const page = await openConsole(browser, platform, user, `/triggers/new?sensor=${sensor}`, LOCALE);
    const bound = page.getByLabel('Höher als', { exact: true });
    const save = page.getByRole('button', { name: 'Regel erstellen' });
    const name = page.getByLabel('Name', { exact: true });
    await bound.waitFor();
    await save.click();
    const missing = page.getByRole('alert').getByText('Bitte ausfüllen.');
    await until('the name and the bound are missing', async () => (await missing.count()) === 2);
    assert.ok(await name.evaluate((field) => field === document.activeElement));
    await name.fill('zu warm');
    await bound.fill('1.000');
    await until('nothing is missing', async () => (await missing.count()) === 0);
    await page.getByText('Geben Sie die Zahl ohne Tausenderpunkte ein, zum Beispiel 1234,5.').waitFor();
    await save.click();
    assert.match(page.url(), /triggers\/new/, 'the browser refuses to send it');
    await bound.fill('21,5');
    await page.getByLabel('Mindestens', { exact: true }).fill('1,5');
    await save.click();
    await page.getByText('„zu warm“ ist gespeichert und aktiv.').waitFor();
    const { triggers } = (await user.api.get('/triggers?per_page=100')).body;
    const made = triggers.find(({ name }: { name: string }) => name === 'zu warm');
    assert.deepEqual([made.expression, made.hold], ['sensor_data_value > 21.5', 90]);
    await page.goto(`${platform.url}/console/triggers/${made.id}`);
    await bound.waitFor();
    assert.equal(await bound.inputValue(), '21,5');
  });
});

async function isLoaded(page: Page, name: string): Promise<void> {
  await until(`${name} is loaded`, async () => (await page.locator('.loading').count()) === 0);
}

/** What is wrong with the visible page on a desktop and on a phone; with `SCREENSHOTS` it keeps pictures. */
async function look(page: Page, name: string): Promise<string[]> {
  const folder = process.env.SCREENSHOTS;
  if (folder) mkdirSync(folder, { recursive: true });
  const problems: string[] = [];
  for (const width of [360, 1024, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const path = join(folder ?? '', `german-${name.replace(/\W+/g, '-')}-${width}.png`);
    if (folder) await page.screenshot({ path, fullPage: true });
    const overflow = await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
    if (overflow !== 0) problems.push(`${name} is wider than ${width} px`);
    const cut = await page.evaluate<string[]>(CUT);
    problems.push(...cut.map((text) => `${name} cuts “${text}” at ${width} px`));
  }
  const texts = await page.evaluate<string[]>(TEXTS);
  return [...problems, ...texts.filter(isEnglish).map((text) => `${name} has “${text}”`)];
}

/** All visible texts and names, except code, what users have written, and what is marked as another language. */
const TEXTS = `(() => {
  const left = 'code, pre, script, noscript, style, textarea, [lang]:not(html)';
  const found = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walk.currentNode; node; node = walk.nextNode()) {
    const element = node instanceof Element ? node : node.parentElement;
    if (!element || element.closest(left)) continue;
    if (node instanceof Text) found.push(node.data);
    else for (const name of ['aria-label', 'title', 'placeholder', 'alt']) found.push(node.getAttribute(name) ?? '');
  }
  return found.map((text) => text.replace(/\\s+/g, ' ').trim()).filter(Boolean);
})()`;

/** Texts that do not fit into their control. */
const CUT = `(() => {
  const measure = document.createElement('canvas').getContext('2d');
  const isCut = (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow !== 'visible';
  const chosen = (one) => one.selectedOptions[0]?.textContent ?? '';
  const isCutText = (one, text) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(one);
    measure.font = font;
    return measure.measureText(text).width > one.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  };
  const visible = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.clientWidth > 1);
  return [
    ...visible('button, a, th, label, h1, h2, .status').filter(isCut).map((one) => one.textContent),
    ...visible('select').filter((one) => isCutText(one, chosen(one))).map(chosen),
    ...visible('input:placeholder-shown').filter((one) => isCutText(one, one.placeholder)).map((one) => one.placeholder),
  ];
})()`;

const withoutMeaning = (text: string) => text.replace(/\|[^|]*$/, '');
const differing = Object.entries(GERMAN).filter(([english, german]) => withoutMeaning(english) !== german);
const german = new Set(Object.values(GERMAN));
const english = new Set(differing.map(([text]) => withoutMeaning(text)).filter((text) => !german.has(text)));
const patterns = differing
  .filter(([text]) => /\{\w+\}/.test(text) && text.replace(/\{\w+\}/g, '').replace(/[^a-z]/gi, '').length > 5)
  .map(([text]) => new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')}$`));
/** Words that are not German. */
const WORDS = /\b(?:the|of|and|is|are|with|this|that|not|your|you|from|when|has|have|were|cannot)\b/i;

function isEnglish(text: string): boolean {
  if (german.has(text)) return false;
  return english.has(text) || WORDS.test(text) || patterns.some((pattern) => pattern.test(text));
}

type Things = Awaited<ReturnType<typeof furnish>>;

/** Something of everything, with names that are German. */
async function furnish(user: TestUser, platform: Platform) {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const sensor = await buildSensor(user, { name: 'Kühlraum' });
  const door = await buildSensor(user, { name: 'Tür', data_type: 'boolean' });
  const trigger = await buildTrigger(user, {
    name: 'zu feucht',
    expression: 'sensor_data_value > 70',
    inactivity: 600,
  });
  const notification = await buildNotification(user, { name: 'Hausmeister', text: '{{sensor_name}}' });
  await connectTrigger(user, sensor, trigger);
  await connectNotification(user, sensor, trigger, notification);
  await upload(user, sensor, [
    { date: nowSeconds - 600, value: 60.5 },
    { date: nowSeconds - 300, value: 80 },
  ]);
  await upload(user, door, [
    { date: nowSeconds - 900, value: true },
    { date: nowSeconds - 200, value: false },
  ]);
  await platform.settle();
  const service = await buildService(user, 'state_recognition_service', door);
  const statistics = await buildService(user, 'statistics_service', sensor);
  const formula = await buildService(user, 'math_service', sensor);
  const source = await buildMqttSource(user, { name: 'Zuhause' });
  const group = await buildGroup(user, { name: 'Nachbarn', description: 'Gemeinsames Dach', public: true });
  await invite(user, `/groups/${group}`, { uses: 5 });
  const invitation = await beInvited(user, platform);
  const outline = '52.3702 4.8952,52.3705 4.8958,52.3703 4.8963';
  const environment = await buildEnvironment(user, { name: 'Haus', gps_outline: outline, floors: 2 });
  const [delivery] = (await user.api.get('/deliveries')).body.deliveries;
  await create(user, '/events/notifications', {
    event_notification: { event: 'add_sensor_user', notification_id: notification },
  });
  await buildMute(user, { name: 'Wartung', start: nowSeconds, end: nowSeconds + 3_600, sensors: [door] });
  return {
    ...{ sensor, door, trigger, notification, service, statistics, formula, source, group, environment, invitation },
    delivery: delivery.id,
  };
}

/** Another user shares a sensor, and invites to a sensor and to a group; returns the id of the last. */
async function beInvited(user: TestUser, platform: Platform): Promise<string> {
  const other = await platform.user();
  const sensor = await buildSensor(other, { name: 'Bootshaus' });
  await invite(other, `/sensors/${sensor}`, { username: user.username });
  await share(other, await buildSensor(other, { name: 'Steg' }), user);
  const group = await buildGroup(other, { name: 'Ruderverein', optional_sensors: ['Puls'] });
  return invite(other, `/groups/${group}`, { username: user.username });
}

/** The pages, each with buttons that open more. */
function pagesOf(things: Things) {
  const { sensor, door, trigger, notification, delivery, service, statistics, formula } = things;
  const { source, group, environment, invitation } = things;
  const pages: [name: string, path: string, steps?: string[]][] = [
    ['overview', '/'],
    ['sensors', '/sensors', ['Ansicht']],
    ['why', `/sensors/${sensor}/triggers/${trigger}`],
    ['triggers', '/triggers'],
    ['trigger', `/triggers/${trigger}?sensor=${sensor}`, ['Schritt hinzufügen']],
    ['trigger-new', `/triggers/new?sensor=${sensor}`, ['Neue Benachrichtigung']],
    ['mutes', '/mutes', ['Neue Stummschaltung', 'Wöchentlich']],
    ['notifications', '/notifications'],
    ['notification', `/notifications/${notification}`, ['Zeigen, was gesendet wird']],
    ['notification-new', '/notifications/new', ['Beliebige URL']],
    ['notification-mail', '/notifications/new', ['E-Mail']],
    ['events', '/events', ['Begrenzen']],
    ['series', '/series'],
    ['sources', '/sources', ['Löschen']],
    ['source', `/sources/${source}`],
    ['source-new', '/sources/new'],
    ['connect', '/connect'],
    ['connect-http', '/connect/http'],
    ['connect-influx', '/connect/influx'],
    ['services', '/services', ['Neuer Dienst']],
    ['service', `/services/${service}`, ['Beenden']],
    ['statistics', `/services/${statistics}`],
    ['formula', `/services/${formula}`],
    ['sensor', `/sensors/${sensor}`],
    ['sensor-boolean', `/sensors/${door}`],
    ['sensor-data', `/sensors/${sensor}/data`],
    ['sensor-about', `/sensors/${sensor}/about`],
    ['alerts', '/alerts'],
    ['deliveries', '/deliveries'],
    ['delivery', `/deliveries/${delivery}`],
    ['groups', '/groups'],
    ['group', `/groups/${group}`],
    ['invitation', `/invitations/${invitation}`],
    ['environments', '/environments'],
    ['environment', `/environments/${environment}`],
    ['account', '/account'],
    ['overview', '/'],
    ['sensors', '/sensors'],
    ['dashboards', '/dashboards'],
    ['environment-outline', `/environments/${environment}/outline`],
    ['account-security', '/account/security'],
    ['account-keys', '/account/keys', ['Neuer Schlüssel']],
    ['missing', '/nichts'],
  ];
  return pages;
}
