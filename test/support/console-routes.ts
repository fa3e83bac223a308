import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildEstate } from './estate';
import {
  buildDashboard,
  buildGroup,
  buildNote,
  buildNotification,
  buildSensor,
  buildService,
  buildTrigger,
  chartOf,
  connectNotification,
  connectTrigger,
  create,
  share,
  upload,
} from './factories';
import { invite } from './invitations';
import type { Platform, TestUser } from './platform';

const TABLE = join(__dirname, '../../console/src/routes.ts');
const HALF_HOUR = 1_800;

/** Something of everything, and the paths of pages that show it: at least one for each route of the console. */
export async function buildRoutes(platform: Platform, user: TestUser): Promise<readonly string[]> {
  const { ids } = await buildEstate(platform, user, 'freezer-7');
  const [sensor, trigger] = await buildAlarm(platform, user, ids.notification);
  const hook = await buildNotification(user, { text: '{{sensor_name}}' });
  const climate = await buildSensor(user, { name: 'climate', data_type: 'json' });
  await upload(user, climate, { value: { celsius: 21, humidity: 48 } });
  const friend = await platform.user();
  const shared = await buildSensor(friend, { name: 'greenhouse' });
  await share(friend, shared, user);
  const theirs = await buildGroup(friend, { name: 'Neighbours', public: true });
  const invitation = await invite(friend, `/groups/${theirs}`, { username: user.username });
  const tiles = [chartOf(sensor), { kind: 'alerts', sensors: [], x: 6, y: 0, w: 6, h: 4 }];
  const dashboard = await buildDashboard(user, { name: 'Cold store', tiles });
  const { dashboard: published } = await create(user, `/dashboards/${dashboard}/public`, {});
  const service = await buildService(user, 'math_service', sensor);
  await create(user, `/triggers/${trigger}/shadow`, { shadow: { hold: 600 } });
  const paths = [
    ...['/', '/sensors', `/sensors/${sensor}`, `/sensors/${sensor}/data`, `/sensors/${ids.sensor}/about`],
    ...[
      `/sensors/${climate}`,
      `/sensors/${shared}`,
      '/report',
      '/dashboards',
      `/dashboards/${dashboard}`,
      `/dashboards/${dashboard}?edit=1`,
      `/public/${published.public}`,
      '/connect',
      '/connect/influx',
      '/series',
    ],
    ...['/sources', `/sources/${ids['mqtt source']}/messages`, `/sources/${ids['mqtt source']}`, '/triggers'],
    ...[`/triggers/${trigger}?sensor=${sensor}`, `/triggers/new?sensor=${sensor}`],
    ...[`/sensors/${sensor}/triggers/${trigger}`, '/deliveries', `/deliveries/${ids.delivery}`, '/notifications'],
    ...[`/notifications/${hook}`, '/events', '/groups', `/groups/${ids.group}`, `/groups/${theirs}`],
    ...[`/invitations/${invitation}`, '/environments', `/environments/${ids.environment}/outline`],
    ...[`/environments/${ids.environment}`, '/services', `/services/${service}`, '/account', '/account/security'],
    ...[
      '/account/keys',
      '/account/applications',
      '/account/blocked',
      '/account/history',
      '/alerts',
      '/reports/alerts?range=week',
      '/mutes',
    ],
  ];
  await platform.settle();
  const missing = routes().filter((route) => !paths.some((path) => route.test(path.split('?')[0] ?? '')));
  assert.deepEqual(missing, [], 'each route has a path');
  return paths;
}

/** A sensor with a day of data, whose alert is open, and its trigger. */
async function buildAlarm(platform: Platform, user: TestUser, notification: string): Promise<[string, string]> {
  const sensor = await buildSensor(user, { name: 'cold room', unit: '°C' });
  const trigger = await buildTrigger(user, { name: 'Too warm', severity: 'critical' });
  await connectTrigger(user, sensor, trigger);
  await connectNotification(user, sensor, trigger, notification);
  await create(user, `/sensors/${sensor}/metatags`, { metatags: { floor: ['1'] } });
  const now = Math.floor(Date.now() / 1000);
  const dates = Array.from({ length: 48 }, (_, back) => now - back * HALF_HOUR);
  await buildNote(user, sensor, { date: now - HALF_HOUR, text: 'door left open' });
  await upload(
    user,
    sensor,
    dates.map((date, back) => ({ date, value: back < 3 ? 31 : 20 + (back % 3) })),
  );
  await platform.settle();
  return [sensor, trigger];
}

/** The patterns of the routes of the console. */
function routes(): RegExp[] {
  const found = [...readFileSync(TABLE, 'utf8').matchAll(/'(\/[^']*)',\s*page\(/g)];
  assert.ok(found.length > 20, 'the table is read');
  return found.map(([, path = '']) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`));
}
