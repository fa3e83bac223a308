import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  buildMute,
  buildNotification,
  buildSensor,
  buildTrigger,
  connectTrigger,
  thenOf,
} from '../../support/factories';
import { usePlatform } from '../../support/hooks';

const RUNS = 25;

/** Names that a YAML of little care would read as something else, or not find. */
const name = fc.oneof(
  fc.constantFrom(
    'warm',
    'warm',
    '42',
    '1',
    'true',
    'null',
    '~',
    '- a',
    '# b',
    'a: b',
    "it's",
    '"',
    '{a}',
    '*x',
    '&y',
    ' warm',
    'ü',
    '!!str',
    '1e3',
    '21:00',
  ),
  fc.string({ minLength: 1, maxLength: 30 }).filter((text) => text.trim() !== '' && !/[\uD800-\uDFFF\0]/.test(text)),
);
const text = fc.oneof(
  fc.constant(''),
  fc.constantFrom('a\nb', '  two\n\n spaces \n', '{{sensor_name}}: $sensor_data_value', '"quoted"', '%'),
);
const some = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

const notification = fc.record({
  name: some(name),
  text,
  url: fc.record({
    type: fc.constant('url'),
    destination: fc.constantFrom('https://a.example.org/x?y=1&z={{episode}}', 'http://b.example.org/'),
    format: some(fc.constantFrom('form', 'json')),
    method: some(fc.constant('PUT')),
    headers: some(fc.constant({ Authorization: 'Bearer 1', 'X-A': 'b' })),
    secrets: some(fc.constant({ token: '2f' })),
    body: some(fc.constantFrom({ message: '{{title}}', nested: [1, true, null, { a: '1.50' }] }, [])),
    success: some(fc.constant('status == 200')),
  }),
  mail: some(fc.record({ type: fc.constant('email'), destination: fc.constant('ada@example.org') })),
  digest: some(fc.boolean()),
  probe: some(fc.constantFrom(3600, 86400)),
});

const trigger = fc.record({
  name,
  expression: fc.constantFrom(
    'sensor_data_value > -15',
    'avg_over_time(sensor_data_value, 600) > 3 and hour() >= 8',
    'sensor_data_value in ["a", "b"]',
  ),
  inactivity: some(fc.constantFrom(60, 3600)),
  hold: some(fc.integer({ min: 0, max: 86400 })),
  repeat: some(fc.constantFrom(0, 60)),
  resolve_expression: some(fc.constant('sensor_data_value < -17')),
  keep_firing_for: some(fc.constant(30)),
  timezone: some(fc.constant('Europe/Amsterdam')),
  severity: some(fc.constantFrom('info', 'critical')),
  notify_resolved: some(fc.boolean()),
  resolved_text: some(text),
  late: some(fc.constant('report')),
  selector: some(
    fc.constantFrom(
      { all: true },
      {
        filter: { metatag_statement_groups: [[{ metatag_name: 'kind', operator: 'in', value: ['a', 1, true] }]] },
        namespace: 'shop',
      },
    ),
  ),
});

const mute = fc.record({
  name,
  atEnd: fc.constantFrom('drop', 'deliver'),
  when: fc.constantFrom(
    { start: 1_795_225_800.125, end: 1_795_229_400 },
    { weekly: { days: [6, 0], from: '22:00', to: '06:00', timezone: 'UTC' } },
    { start: 1_795_225_800, weekly: { days: [1], from: '00:00', to: '00:00', timezone: 'Europe/Amsterdam' } },
  ),
});

const account = fc.record({
  sensors: fc.array(name, { minLength: 1, maxLength: 4 }),
  notifications: fc.array(notification, { maxLength: 4 }),
  triggers: fc.array(trigger, { maxLength: 4 }),
  mutes: fc.array(mute, { maxLength: 3 }),
  picks: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
});

describe('the export of any rules', () => {
  const platform = usePlatform();

  it('has nothing to do, before and after it is applied', async function () {
    this.timeout(300_000);
    const check = async ({ sensors, notifications, triggers, mutes, picks }: Account) => {
      const user = await platform.user();
      const plan = async (document: string) => {
        const { status, body } = await user.api.post('/rules/plan?days=0', document);
        assert.equal(status, 200, `${JSON.stringify(body)}\n${document}`);
        const changed = body.plan.changes.filter(({ action }: { action: string }) => action !== 'none');
        assert.deepEqual(changed, [], document);
        return body.plan;
      };
      const sensorIds: string[] = [];
      for (const one of sensors) sensorIds.push(await buildSensor(user, { name: one }));
      const notificationIds: string[] = [];
      for (const { url, mail, ...one } of notifications)
        notificationIds.push(await buildNotification(user, given({ ...one, ...(mail ?? url) })));
      const triggerIds: string[] = [];
      for (const one of triggers) triggerIds.push(await buildTrigger(user, given(one)));
      for (const [index, id] of triggerIds.entries()) {
        const pick = picks[index] ?? 0;
        const sensor = sensorIds[pick % sensorIds.length];
        if (pick % 3 > 0 && sensor) await connectTrigger(user, sensor, id);
        const notification = notificationIds[pick % Math.max(1, notificationIds.length)];
        if (notification)
          await user.api.post(`/triggers/${id}/notifications`, {
            notification: { id: notification, after: pick % 2 === 0 ? 0 : 60 },
          });
      }
      for (const [index, { when, atEnd, name: called }] of mutes.entries()) {
        const pick = picks[index + 4] ?? 0;
        const limits = { sensors: sensorIds.slice(0, pick % 3), triggers: triggerIds.slice(0, pick % 2) };
        await buildMute(user, { start: undefined, end: undefined, name: called, ...when, ...thenOf(atEnd), ...limits });
      }
      const document = String((await user.api.get('/rules/export')).body);
      const { digest } = await plan(document);
      const { status, body } = await user.api.post(`/rules/apply?digest=${digest}`, document);
      assert.deepEqual([status, body.applied?.changes], [200, []], JSON.stringify(body));
      await plan(document);
      if (notifications.length + triggers.length + mutes.length > 0)
        await plan(String((await user.api.get('/rules/account')).body));
    };
    await fc.assert(fc.asyncProperty(account, check), { numRuns: RUNS, endOnFailure: true });
  });
});

type Account = typeof account extends fc.Arbitrary<infer T> ? T : never;

/** Without fields that are undefined. */
function given(fields: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(fields));
}
