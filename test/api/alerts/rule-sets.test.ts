import assert from 'node:assert/strict';
import { Words } from '../../../src/platform/words/words';
import {
  buildMute,
  buildNotification,
  buildSensor,
  buildTrigger,
  connectTrigger,
  createKey,
  thenOf,
  upload,
} from '../../support/factories';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';

const COLD_STORE = `set: cold-store
notifications:
  - name: team
    type: url
    destination: https://receiver.example.org/hook
    text: "{{sensor_name}}: {{sensor_data_value}}"
  - name: boss
    type: url
    destination: https://receiver.example.org/boss
triggers:
  - name: too warm
    expression: sensor_data_value > -15
    hold: 300
    repeat: 0
    notify_resolved: true
    severity: critical
    sensors: [freezer]
    notifications:
      - name: team
      - name: boss
        after: 600
mutes:
  - name: defrosting
    weekly: { days: [0], from: "03:00", to: "04:00", timezone: UTC }
    triggers: [too warm]
tests:
  - name: an open door is reported after five minutes
    trigger: too warm
    points:
      - { at: "21:00", value: -10 }
      - { at: "21:20", value: -18 }
    expect:
      - { at: "21:00", state: pending, notified: [] }
      - { at: "21:05", state: firing, fires: true, severity: critical, notified: [team] }
      - { at: "21:15", notified: [boss] }
      - { at: "21:20", state: ok, resolves: true, notified: [boss, team] }
`;

describe('rule sets', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const stranger = useUser(platform);

  const post = (path: string, document: string) =>
    user.api.post(`/rules/${path}`, document, { 'Content-Type': 'application/yaml' });
  const plan = async (document: string, query = '') => {
    const { status, body } = await post(`plan?days=0${query}`, document);
    assert.equal(status, 200, JSON.stringify(body));
    return body.plan;
  };
  const actionsOf = ({ changes }: { changes: { kind: string; name: string; action: string }[] }) =>
    changes.map(({ kind, name, action }) => `${action} ${kind} ${name}`);
  const applyOnce = (document: string, digest: string, query = '') => post(`apply?digest=${digest}${query}`, document);
  const apply = async (document: string, query = '') => {
    const { digest } = await plan(document);
    const { status, body } = await applyOnce(document, digest, query);
    assert.equal(status, 200, JSON.stringify(body));
    return body.applied;
  };
  const unchanged = async (document: string) => {
    const { changes } = await plan(document);
    assert.deepEqual(
      changes.filter(({ action }: { action: string }) => action !== 'none'),
      [],
    );
  };
  const exported = async (set: string) => {
    const { status, body, headers } = await user.api.get(`/rules/${set}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers.get('content-type'), 'application/yaml; charset=utf-8');
    return String(body);
  };

  it('are planned, tested and applied as one document', async () => {
    const sensor = await buildSensor(user, { name: 'freezer', data_type: 'float' });
    const before = await plan(COLD_STORE);
    assert.deepEqual(actionsOf(before), [
      'create notification team',
      'create notification boss',
      'create trigger too warm',
      'create mute defrosting',
    ]);
    assert.deepEqual(before.changes[2].fields.hold, [null, 300]);
    assert.deepEqual(before.changes[2].fields.notifications, [null, [{ name: 'boss', after: 600 }, { name: 'team' }]]);
    assert.deepEqual(before.tests, [
      { name: 'an open door is reported after five minutes', trigger: 'too warm', passed: true, differences: [] },
    ]);
    assert.deepEqual((await user.api.get('/triggers')).body.triggers, [], 'a plan changes nothing');
    const applied = await apply(COLD_STORE);
    assert.deepEqual(actionsOf(applied), actionsOf(before));
    const { triggers } = (await user.api.get('/triggers')).body;
    assert.deepEqual(
      [triggers.length, triggers[0].name, triggers[0].hold, triggers[0].version],
      [1, 'too warm', 300, 1],
    );
    const onSensor = (await user.api.get(`/sensors/${sensor}/triggers`)).body.triggers;
    assert.deepEqual(
      onSensor.map(({ id }: { id: string }) => id),
      [triggers[0].id],
    );
    const { notifications } = (await user.api.get(`/triggers/${triggers[0].id}/notifications`)).body;
    assert.deepEqual(
      notifications.map((one: { after: number }) => one.after),
      [0, 600],
    );
    const { mutes } = (await user.api.get('/mutes')).body;
    assert.deepEqual(mutes[0].triggers, [triggers[0].id]);
    const { versions } = (await user.api.get(`/triggers/${triggers[0].id}/versions`)).body;
    assert.equal(versions[0].by, 'cold-store');
    const listed = (await user.api.get('/rules?total=1')).body;
    assert.deepEqual(
      { ...listed, rule_sets: listed.rule_sets.map(({ applied: _, ...one }: { applied: number }) => one) },
      { rule_sets: [{ set: 'cold-store', notifications: 2, triggers: 1, mutes: 1 }], total: 1 },
    );
    await unchanged(COLD_STORE);
    await unchanged(await exported('cold-store'));
  });

  it('are the same applied twice, and touch nothing that is unchanged', async () => {
    const sensor = await buildSensor(user, { name: 'freezer', data_type: 'float' });
    const other = `${COLD_STORE}`.replace('hold: 300', 'hold: 0');
    await apply(other, '&tests=ignore');
    await upload(user, sensor, [{ value: -10, date: 1_767_261_600 }]);
    await platform.settle();
    const [firing] = (await user.api.get('/firings?state=firing')).body.firings;
    assert.ok(firing, 'it fires');
    assert.deepEqual(actionsOf(await apply(other, '&tests=ignore')), []);
    const { triggers } = (await user.api.get('/triggers')).body;
    assert.equal(triggers[0].version, 1);
    const kept = await apply(other.replace('-15', '-16'), '&tests=ignore');
    assert.deepEqual([kept.kept, kept.ended], [1, 0]);
    const now = (await user.api.get(`/firings/${firing.id}`)).body.firing;
    assert.deepEqual([now.state, (await user.api.get('/triggers')).body.triggers[0].version], ['firing', 2]);
    const ended = await apply(other.replace('-15', '-17'), '&tests=ignore&episodes=end');
    assert.deepEqual([ended.kept, ended.ended], [0, 1]);
  });

  it('take over what the account has, without a change', async () => {
    const [one, two] = [await buildSensor(user, { name: 'one' }), await buildSensor(user, { name: 'two' })];
    await buildSensor(user, { name: 'two' });
    const named = await buildNotification(user, {
      name: 'team',
      method: 'PUT',
      headers: { Authorization: 'Bearer 1' },
    });
    const unnamed = await buildNotification(user, { type: 'email', destination: 'ada@example.org', digest: false });
    const [first, second] = [
      await buildTrigger(user, { name: 'warm' }),
      await buildTrigger(user, { name: 'warm', inactivity: 60 }),
    ];
    await buildTrigger(user, {
      name: 'all',
      selector: { all: true },
      resolve_expression: 'sensor_data_value < 5',
      late: 'report',
    });
    await connectTrigger(user, one, first);
    await connectTrigger(user, two, second);
    await user.api.post(`/triggers/${first}/notifications`, {
      notifications: [{ notification: { id: named, after: 5 } }, { notification: { id: unnamed } }],
    });
    await buildMute(user, { triggers: [first, second], sensors: [one, two] });
    const text = await exported('export');
    assert.match(text, /^# yaml-language-server: \$schema=http:\/\/\S+\/rules\.schema\.json\n/);
    assert.doesNotMatch(text, /Bearer/);
    await unchanged(text);
    assert.deepEqual(actionsOf(await apply(text)), []);
    await unchanged(text);
    await unchanged(await exported('account'));
    const { rule_sets: sets } = (await user.api.get('/rules')).body;
    assert.deepEqual([sets[0].notifications, sets[0].triggers, sets[0].mutes], [2, 3, 1]);
    assert.match(await exported('export'), /Without what the rule set account manages/);
  });

  it('show what was changed elsewhere, and delete what they no longer name only with prune', async () => {
    await buildSensor(user, { name: 'freezer' });
    await apply(COLD_STORE);
    const [{ id }] = (await user.api.get('/triggers')).body.triggers;
    const edit = await user.api.put(`/triggers/${id}`, { trigger: { hold: 60 } });
    assert.match(edit.body.warning, /rule set cold-store/);
    const { expression } = edit.body.trigger;
    const unknown = { trigger: { expression: 'in_zone("x")' } };
    const both = await user.api.put(`/triggers/${id}`, unknown);
    assert.match(both.body.warning, /^you have no environment "x", .*; the rule set cold-store manages this: /);
    const german = await user.api.put(`/triggers/${id}`, unknown, { 'Accept-Language': 'de' });
    assert.match(german.body.warning, /^(?!you)[^;]* "x", [^;]*; (?!the)[^;]* cold-store /);
    await user.api.put(`/triggers/${id}`, { trigger: { expression } });
    const [{ id: notification }] = (await user.api.get('/notifications')).body.notifications;
    assert.match(
      (await user.api.put(`/notifications/${notification}`, { notification: { text: 'x' } })).body.warning,
      /rule set cold-store/,
    );
    const [{ id: mute }] = (await user.api.get('/mutes')).body.mutes;
    assert.match(
      (await user.api.put(`/mutes/${mute}`, { mute: thenOf('deliver') })).body.warning,
      /rule set cold-store/,
    );
    const connected = await user.api.post(`/triggers/${id}/notifications`, { notification: { id: notification } });
    assert.match(connected.body.warning, /rule set cold-store/);
    const [{ id: freezer }] = (await user.api.get('/sensors')).body.sensors;
    const onSensor = await user.api.post(`/sensors/${freezer}/triggers`, { trigger: { id } });
    assert.match(onSensor.body.warning, /rule set cold-store/);
    const { changes } = await plan(COLD_STORE);
    assert.deepEqual(
      changes.map(({ drift }: { drift: string[] }) => drift),
      [['text'], [], ['hold'], ['then']],
    );
    assert.deepEqual(changes[2].fields, { hold: [60, 300] });
    assert.equal((await user.api.delete(`/mutes/${mute}`)).status, 200);
    const gone = (await plan(COLD_STORE)).changes[3];
    assert.deepEqual([gone.action, gone.drift], ['create', ['deleted']]);
    await apply(COLD_STORE);
    await unchanged(COLD_STORE);
    const less =
      'set: cold-store\nnotifications:\n  - { name: team, type: url, destination: "https://receiver.example.org/hook", text: "{{sensor_name}}: {{sensor_data_value}}" }\n';
    const fewer = await plan(less);
    assert.deepEqual(actionsOf(fewer), [
      'none notification team',
      'delete mute defrosting',
      'delete notification boss',
      'delete trigger too warm',
    ]);
    await apply(less);
    assert.equal((await user.api.get('/triggers')).body.triggers.length, 1);
    await apply(less, '&prune=true');
    assert.deepEqual((await user.api.get('/triggers')).body.triggers, []);
    assert.deepEqual((await user.api.get('/mutes')).body.mutes, []);
    assert.equal((await user.api.get('/notifications')).body.notifications.length, 1);
    await unchanged(less);
  });

  it('are applied as planned, or not at all', async () => {
    await buildSensor(user, { name: 'freezer' });
    const { digest } = await plan(COLD_STORE);
    const both = await Promise.all([applyOnce(COLD_STORE, digest), applyOnce(COLD_STORE, digest)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    assert.equal((await user.api.get('/triggers')).body.triggers.length, 1);
    const next = COLD_STORE.replace('hold: 300', 'hold: 240');
    const planned = await plan(next);
    assert.equal((await applyOnce(`${next}\n`.replace('hold: 240', 'hold: 250'), planned.digest)).status, 409);
    const failed = await applyOnce(next, planned.digest);
    assert.deepEqual([failed.status, failed.body.code], [409, 'conflict']);
    assert.match(
      failed.body.error,
      /1 of 1 tests fail.*line 34, column \d+: tests\[0\]\.expect\[1\]\.fires it does not fire then: it did at 21:04:00/,
    );
    const [{ id }] = (await user.api.get('/triggers')).body.triggers;
    await user.api.put(`/triggers/${id}`, { trigger: { severity: 'info' } });
    assert.equal((await applyOnce(next, planned.digest, '&tests=ignore')).status, 409, 'changed since the plan');
    const other = 'set: other\ntriggers: [{ name: other, expression: "true" }]';
    const beforeEdits = await plan(other);
    await user.api.put(`/triggers/${id}`, { trigger: { severity: 'warning' } });
    await buildMute(user, { name: 'of no set' });
    await apply(COLD_STORE.replace('name: defrosting', 'name: thawing'));
    assert.equal((await applyOnce(other, beforeEdits.digest)).status, 200, 'what other sets manage may change');
    const tooMany = `set: cold-store
triggers:
  - { name: new one, expression: "true" }
  - { name: never, expression: "sensor_data_value > label(1)" }
`;
    assert.equal((await post('plan', tooMany)).status, 400);
  });

  it('say where they are wrong', async () => {
    await buildSensor(stranger, { name: 'hidden' });
    const hidden = await buildTrigger(stranger, { name: 'hidden' });
    const wrong: [string, RegExp][] = [
      [
        'set: a\ntriggers:\n  - name: x\n    hold: -1\n    expression: "1"',
        /^line 4, column 5: triggers\[0\]\.hold must be at least 0$/,
      ],
      [
        'set: a\ntriggers:\n  - { name: x }',
        /^line 3, column \d+: triggers\[0\]\.expression is required, unless an inactivity is given$/,
      ],
      [
        'set: a\ntriggers:\n  - name: x\n    expression: "1 >"',
        /^line 4, column 5: triggers\[0\]\.expression cannot be used/,
      ],
      ['set: a\ntriggers:\n  - name: x\n    limit: "1"', /^line 4, column 5: triggers\[0\]\.limit is unknown: one of/],
      ['set: a\ntriggers: 5', /triggers\[0\] must be an object/],
      ['set: a b', /^line 1, column 1: set must have 1 to 100 letters/],
      ['set: plan', /is a word of the API/],
      ['triggers: []', /^line 1, column 1: set is required$/],
      ['', /^line 1, column 1: document is required$/],
      [
        'set: a\ntriggers:\n - {name: x, expression: "1"}\n - {name: x, expression: "1"}',
        /^line 4, column \d+: triggers\[1\]\.name is the name of an entry above$/,
      ],
      [
        'set: a\ntriggers:\n - {name: x, expression: "1", sensors: [hidden]}',
        /triggers\[0\]\.sensors\[0\] names a sensor that you do not have$/,
      ],
      [
        `set: a\ntriggers:\n - {name: x, expression: "1", id: "${hidden}"}`,
        /triggers\[0\]\.id names a trigger that does not exist$/,
      ],
      [
        `set: a\nmutes:\n - {name: x, weekly: {days: [1], from: "01:00", to: "02:00", timezone: UTC}, triggers: ["${hidden}"]}`,
        /mutes\[0\]\.triggers\[0\] names a trigger that you do not have$/,
      ],
      ['set: a\nmutes:\n - {name: x}', /^line 3, column \d+: mutes\[0\]\.start is required/],
      [
        'set: a\nnotifications:\n - {name: x, type: url, destination: "ftp://x"}',
        /^line 3, column \d+: notifications\[0\]\.destination /,
      ],
      [
        'set: a\nnotifications:\n - {name: x, type: url, destination: "https://example.org", headers: {A: b}}',
        /headers\.A must be "…"/,
      ],
      [
        'set: a\ntriggers:\n - {name: x, expression: "1", depends_on: {trigger: y}}',
        /^line 3, column \d+: triggers\[0\]\.depends_on\.trigger names a trigger that you do not have$/,
      ],
      [
        'set: a\ntests:\n - {name: x, trigger: y, expect: [{at: 0, state: ok}]}',
        /tests\[0\]\.trigger names no trigger of this set/,
      ],
      [
        'set: a\ntriggers: [{name: y, expression: "1"}]\ntests:\n - {name: x, trigger: y, expect: [{at: noon, state: ok}]}',
        /tests\[0\]\.expect\[0\]\.at must be a time of day/,
      ],
      ['set: a\nset: b', /^line 2, column 1: set is written twice$/],
      ['set: a\n__proto__: {x: 1}', /__proto__ is no name of a field/],
      ['set: a\nx: *y', /refers to \*y/],
      ['set: 1e999', /must be a number that JSON can hold/],
      ['set: !!js/function "x"', /cannot be read: Unresolved tag/],
      [`set: ${'['.repeat(100_000)}`, /nested too deeply/],
      [`set: ${'- '.repeat(100_000)}`, /words and marks/],
      [`set: a\n${'# x\n'.repeat(100_000)}`, /words and marks/],
      [`set: ${'x'.repeat(600_000)}`, /at most 500000 bytes/],
      [`a: &a [${'x,'.repeat(100)}]\nb: &b [${'*a,'.repeat(100)}]\nc: [${'*b,'.repeat(100)}]`, /repeats too much/],
    ];
    for (const [document, expected] of wrong) {
      const { status, body } = await post('plan', document);
      assert.equal(status, 400, `${document.slice(0, 100)}: ${JSON.stringify(body).slice(0, 500)}`);
      assert.match(body.error, expected);
    }
    const german = await user.api.post('/rules/plan', 'set: a\ntriggers: [{name: x, expression: "1", hold: -1}]', {
      'Accept-Language': 'de',
    });
    assert.equal(german.body.error, Words.in('de').said('line 2, column 39: triggers[0].hold must be at least 0'));
  });

  it('are JSON as well, and need the rights of triggers', async () => {
    const document = JSON.stringify({ set: 'json', triggers: [{ name: 'x', expression: 'true' }] });
    const { digest } = await plan(document);
    const reader = { Authorization: `Bearer ${(await createKey(user, { scopes: ['read'] })).secret}` };
    const send = (path: string) => platform.anonymous.post(`/rules/${path}`, document, reader);
    assert.equal((await send('plan?days=0')).status, 200);
    assert.equal((await send('test')).status, 200);
    assert.deepEqual((await send(`apply?digest=${digest}`)).body.code, 'insufficient_scope');
    assert.equal((await platform.anonymous.get('/rules/export', reader)).status, 200);
    assert.equal((await platform.anonymous.post('/rules/plan', document)).status, 401);
    assert.equal((await applyOnce(document, digest)).status, 200);
    assert.equal((await stranger.api.get('/rules/json')).status, 404);
    assert.equal((await stranger.api.post('/rules/plan?days=0', document)).body.plan.changes[0].action, 'create');
  });
});
