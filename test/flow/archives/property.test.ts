import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Entries, entriesOf, exportedZip, makeImport } from '../../support/archives';
import {
  buildDashboard,
  buildEnvironment,
  buildGroup,
  buildNotification,
  buildSensor,
  buildService,
  buildTrigger,
  chartOf,
  connectTrigger,
} from '../../support/factories';
import { usePlatform } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

const RUNS = 6;
const T0 = 1_795_000_000_000;

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => text.trim() === text);
const label = fc.stringMatching(/^[a-z]{1,8}$/);
/** Numbers as people and devices write them, texts, and JSON. */
const value = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('-0', '1e-7', '007', '1,5', 'true', 'null', '{"a":{"b":[1,2.50,"x"]},"c":12345678901234567890}'),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
const sensor = fc.record({
  name,
  unit: fc.constantFrom('', '°C', 'closed/open'),
  data_type: fc.constantFrom('float', 'string', 'json', 'bool', ''),
  display_name: fc.constantFrom('', 'Küche "x"'),
  expected_interval: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
  metatags: fc.dictionary(
    label,
    fc.uniqueArray(fc.oneof(fc.integer(), fc.boolean(), label), { minLength: 1, maxLength: 3 }),
    {
      maxKeys: 3,
    },
  ),
  days: fc.option(fc.integer({ min: 30_000, max: 36_500 })),
  device: fc.option(fc.record({ type: label, uuid: label })),
  points: fc.uniqueArray(fc.record({ ms: fc.integer({ min: 0, max: 10_000_000 }), value }), {
    selector: ({ ms }) => ms,
    maxLength: 30,
  }),
});
const account = fc.record({
  sensors: fc.uniqueArray(sensor, { selector: (one) => one.name, minLength: 1, maxLength: 5 }),
  rules: fc.uniqueArray(
    fc.record({
      name: label,
      rule: fc.constantFrom<object>(
        { expression: 'sensor_data_value > 1e6', hold: 60, severity: 'critical' },
        { inactivity: 3_600, repeat: 600, timezone: 'Europe/Amsterdam' },
        { expression: 'avg_over_time(sensor_data_value, 600) > 5', notify_resolved: true, resolved_text: 'over: #1' },
        { expression: 'label("limit", 8) < sensor_data_value', selector: { all: true } },
      ),
      connected: fc.boolean(),
    }),
    { selector: (one) => one.name, maxLength: 4 },
  ),
  notifications: fc.uniqueArray(
    fc.record({
      name: label,
      fields: fc.constantFrom<object>(
        { type: 'email', destination: 'a@example.org', text: 'x: $value' },
        { type: 'url', destination: 'https://example.org/hook', format: 'json', probe: 86_400 },
        { type: 'url', destination: 'https://example.org/h', headers: { 'X-Key': 'secret one' } },
      ),
    }),
    { selector: (one) => one.name, maxLength: 3 },
  ),
  places: fc.uniqueArray(name, { maxLength: 3 }),
  groups: fc.uniqueArray(name, { maxLength: 2 }),
  dashboards: fc.uniqueArray(name, { maxLength: 2 }),
  service: fc.constantFrom('none', 'math_service', 'statistics_service', 'fleet_service'),
});
type Account = typeof account extends fc.Arbitrary<infer T> ? T : never;

const PASSPHRASE = 'a passphrase of the property';

describe('export, import into an empty account, export', () => {
  const platform = usePlatform();

  it(`gives the same but for ids and dates of making, for ${RUNS} random accounts; twice is as once`, async function () {
    this.timeout(900_000);
    await fc.assert(
      fc.asyncProperty(account, async (given) => {
        const [first, second] = [await platform.user(), await platform.user()];
        await fill(first, given);
        await platform.settle();
        const secrets = { password: first.password, passphrase: PASSPHRASE };
        const zip = await exportedZip(platform, first, { secrets });
        const done = await makeImport(platform, second, zip, PASSPHRASE);
        assert.deepEqual([done.state, done.error, done.entry], ['done', '', '']);
        const expected = normalised(await entriesOf(zip));
        assert.deepEqual(normalised(await entriesOf(await exportedZip(platform, second))), expected);
        await makeImport(platform, second, zip, PASSPHRASE);
        assert.deepEqual(normalised(await entriesOf(await exportedZip(platform, second))), expected);
      }),
      { numRuns: RUNS },
    );
  });

  async function fill(user: TestUser, { sensors, rules, notifications, places, groups, dashboards, service }: Account) {
    const ids: string[] = [];
    for (const { points, metatags, days, device, ...fields } of sensors) {
      const id = await buildSensor(user, fields);
      ids.push(id);
      const rows = points.map(({ ms, value: text }) => [id, T0 + ms, text, 1]);
      if (rows.length > 0)
        await platform.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?', [rows]);
      await user.api.put(`/sensors/${id}/metatags`, { metatags });
      if (days !== null) await user.api.put(`/sensors/${id}/retention`, { retention: { days } });
      if (device !== null) await user.api.post(`/sensors/${id}/device`, { device });
    }
    const [sensorId = ''] = ids;
    const numbers = ids.filter((_, index) => sensors[index]?.data_type === 'float');
    if (service !== 'none' && numbers.length > 0) {
      const id = await buildService(user, service, ...numbers);
      const parameters = [`_${numbers[0]}_x + 1`];
      if (service === 'math_service')
        await user.api.post(`/sensors/${numbers[0]}/services/${id}/SetExpression`, { parameters });
    }
    const informed: string[] = [];
    for (const { name: title, fields } of notifications)
      informed.push(await buildNotification(user, { name: title, ...fields }));
    for (const { name: title, rule, connected } of rules) {
      const id = await buildTrigger(user, { name: title, ...rule });
      if (connected && !('selector' in rule)) await connectTrigger(user, sensorId, id);
      for (const notification of informed)
        await user.api.post(`/triggers/${id}/notifications`, { notification: { id: notification } });
    }
    let parent: string | undefined;
    for (const title of places) {
      const id = await buildEnvironment(user, { name: title, position: '51.9 4.46' });
      await user.api.post(`/environments/${id}/sensors`, { sensor: { id: sensorId } });
      if (parent !== undefined) await user.api.post(`/environments/${parent}/environments`, { environment: { id } });
      parent = id;
    }
    for (const title of groups) await buildGroup(user, { name: title });
    for (const title of dashboards) await buildDashboard(user, { name: title, tiles: [chartOf(sensorId)] });
  }
});

/** Without what is of one account, and with names in place of ids. */
function normalised(entries: Entries): Record<string, string[]> {
  const sensors = recordsOf(entries, 'sensors.ndjson');
  const names = new Map(sensors.map(({ id, sensor: { name: title } }) => [id, title]));
  const places = new Map(
    recordsOf(entries, 'environments.ndjson').map(({ id, environment }) => [id, environment.name]),
  );
  const named = (id: string) => names.get(id) ?? id;
  const plain = (record: object): string =>
    JSON.stringify(record, (key, one) => {
      if (key === 'id' && typeof one === 'string') return named(one);
      if (key === 'parent' && one !== null) return places.get(one);
      if (key === 'parameters') return one.map((text: string) => text.replace(/_(\d+)_/g, (_, id) => `_${named(id)}_`));
      if ((key === 'uses' || key === 'sensors') && Array.isArray(one) && typeof one[0] === 'string')
        return one.map(named).sort();
      return one;
    });
  const result: Record<string, string[]> = {};
  for (const [entry, text] of entries) {
    const id = /^data\/(\d+)/.exec(entry)?.[1];
    if (id !== undefined) result[`data of ${named(id)}`] = text.split('\n');
    else if (entry === 'rules.yaml') result[entry] = text.split('\n').filter((line) => !/^ +id: /.test(line));
    else if (/^(?:services|environments|dashboards|sensors)/.test(entry))
      result[entry] = recordsOf(entries, entry)
        .map((record) =>
          plain(entry.startsWith('environments') || entry.startsWith('dashboards') ? { ...record, id: '' } : record),
        )
        .sort();
    else if (entry.startsWith('groups'))
      result[entry] = recordsOf(entries, entry)
        .map(({ group }) => JSON.stringify(group))
        .sort();
  }
  return result;
}

// biome-ignore lint/suspicious/noExplicitAny: records of any entry
function recordsOf(entries: Entries, name: string): any[] {
  return (entries.get(name) ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
