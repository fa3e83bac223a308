import assert from 'node:assert/strict';
import {
  buildMute,
  buildNotification,
  buildSensor,
  buildTrigger,
  connectTrigger,
  create,
  upload,
} from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { until } from '../../support/until';

const MINUTE = 60;

describe('the effect of a rule set', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUserPerTest(platform);
  const plan = async (document: object, days = 7) => {
    const { status, body } = await user.api.post(`/rules/plan?days=${days}`, document);
    assert.equal(status, 200, JSON.stringify(body));
    return body.plan;
  };
  const apply = async (document: object, query = '') => {
    const { digest } = await plan(document, 0);
    return user.api.post(`/rules/apply?digest=${digest}${query}`, document);
  };

  /** Three times too warm: for one, ten and one minutes; the last one lasts. */
  async function buildFreezer(name: string): Promise<string> {
    const sensor = await buildSensor(user, { name, data_type: 'float' });
    const from = clock.now() / 1000 - 60 * MINUTE;
    const warm = [
      [0, -10],
      [1, -18],
      [10, -10],
      [20, -18],
      [59, -10],
    ] as const;
    await upload(
      user,
      sensor,
      warm.map(([minute, value]) => ({ date: from + minute * MINUTE, value })),
    );
    await platform.settle();
    return sensor;
  }

  const rule = (change: object = {}) => ({ name: 'warm', expression: 'sensor_data_value > -15', repeat: 0, ...change });
  const documentOf = (trigger: object, more: object = {}) => ({
    set: 'store',
    notifications: [{ name: 'team', type: 'url', destination: 'https://receiver.example.org/' }],
    triggers: [trigger],
    ...more,
  });

  it('is what changed rules would have done on stored data, before and after', async () => {
    await buildFreezer('one');
    await buildFreezer('two');
    await buildFreezer('elsewhere');
    const connected = { sensors: ['one', 'two'], notifications: [{ name: 'team' }] };
    const created = (await plan(documentOf(rule(connected)))).effect;
    assert.deepEqual(
      [created.episodes, created.deliveries],
      [
        [0, 6],
        [0, 6],
      ],
    );
    assert.deepEqual([created.triggers[0].episodes, created.triggers[0].appear_count], [[null, 6], 6]);
    assert.equal((await apply(documentOf(rule(connected)))).status, 200);
    assert.deepEqual((await plan(documentOf(rule(connected)))).effect.triggers, [], 'unchanged');
    const held = (await plan(documentOf(rule({ ...connected, hold: 300 })))).effect.triggers[0];
    assert.deepEqual([held.episodes, held.deliveries, held.vanish_count, held.appear_count], [[6, 2], [6, 2], 4, 0]);
    assert.deepEqual([held.sensors, held.tried_sensors, held.note], [2, 2, '']);
    const fewer = (await plan(documentOf(rule({ ...connected, sensors: ['one'] })))).effect.triggers[0];
    assert.deepEqual([fewer.episodes, fewer.vanish_count], [[6, 3], 3]);
    const silenced = { weekly: { days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '00:00', timezone: 'UTC' } };
    const mutes = [{ name: 'always', ...silenced, triggers: ['warm'] }];
    const muted = (await plan(documentOf(rule({ ...connected, severity: 'info' }), { mutes }))).effect.triggers[0];
    assert.deepEqual(
      [muted.episodes, muted.deliveries],
      [
        [6, 6],
        [6, 0],
      ],
      'by the mutes of the document',
    );
    const deleted = (await plan({ set: 'store' })).effect.triggers[0];
    assert.deepEqual([deleted.episodes, deleted.deliveries, deleted.vanish_count], [[6, null], [6, null], 6]);
    const other = (await plan(documentOf(rule({ ...connected, notifications: [] })))).effect.triggers[0];
    assert.deepEqual(
      [other.episodes, other.deliveries],
      [
        [6, 6],
        [6, 0],
      ],
    );
    const short = (await plan(documentOf(rule({ ...connected, hold: 300 })), 0)).effect;
    assert.deepEqual(short, { episodes: [0, 0], deliveries: [0, 0], at_night: [0, 0], triggers: [] });
  });

  it('comes as lines as well', async () => {
    await buildFreezer('one');
    const document = documentOf(rule({ sensors: ['one'], notifications: [{ name: 'team' }] }));
    const asked = { Accept: 'application/x-ndjson' };
    const { status, body, headers } = await user.api.post('/rules/plan?days=7', document, asked);
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/x-ndjson; charset=utf-8']);
    const lines = body.split('\n').filter(Boolean);
    const [known, effect, end] = lines.map((line: string) => JSON.parse(line));
    const { digest, effect: all, ...same } = await plan(document);
    assert.deepEqual(known, same);
    const { triggers, ...sums } = all;
    assert.deepEqual([effect, end], [{ effect: triggers[0] }, { digest, ...sums }]);
    const wrong = await user.api.post('/rules/plan', { set: 'a b' }, asked);
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid_input']);
  });

  it('says which open alerts stay', async () => {
    const sensors = ['one', 'two'];
    for (const name of sensors) await buildSensor(user, { name, data_type: 'float' });
    assert.equal((await apply(documentOf(rule({ sensors })))).status, 200);
    for (const { id } of (await user.api.get('/sensors')).body.sensors) await upload(user, id, [{ value: -10 }]);
    await platform.settle();
    const firings = (await user.api.get('/firings?state=firing')).body.firings;
    assert.equal(firings.length, 2);
    const openOf = async (change: object) =>
      (await plan(documentOf(rule({ sensors, ...change })), 1)).effect.triggers[0].open;
    const all = firings
      .map(({ id }: { id: string }) => ({ firing_id: id, stays: true }))
      .sort((a: { firing_id: string }, b: { firing_id: string }) => Number(a.firing_id) - Number(b.firing_id));
    assert.deepEqual(await openOf({ hold: 60 }), all);
    assert.deepEqual(
      new Set((await openOf({ sensors: ['one'] })).map(({ stays }: { stays: boolean }) => stays)),
      new Set([true, false]),
    );
    const without = await openOf({ expression: undefined, inactivity: 60 });
    assert.deepEqual(
      without.map(({ stays }: { stays: boolean }) => stays),
      [false, false],
      'nothing would end them',
    );
    const applied = await apply(documentOf(rule({ sensors, hold: 60 })));
    assert.deepEqual([applied.body.applied.kept, applied.body.applied.ended], [2, 0]);
    const now = (await user.api.get('/firings?state=firing')).body.firings;
    assert.deepEqual(
      now.map(({ id }: { id: string }) => id),
      firings.map(({ id }: { id: string }) => id),
    );
    assert.deepEqual(
      (await user.api.get('/deliveries')).body.deliveries.filter(({ text }: { text: string }) => /resolved/.test(text)),
      [],
    );
  });

  it('is applied as a whole or not at all', async () => {
    for (let number = 0; number < 99; number += 1) await buildMute(user, { name: `mute ${number}` });
    const trigger = await buildTrigger(user, { name: 'old', hold: 5 });
    const sensor = await buildSensor(user, { name: 'one' });
    await connectTrigger(user, sensor, trigger);
    const mutes = [1, 2].map((number) => ({ name: `new ${number}`, start: 4_102_444_800, end: 4_102_448_400 }));
    const triggers = [
      rule({ sensors: ['one'], notifications: [{ name: 'team' }] }),
      { name: 'old', expression: 'sensor_data_value > 30', hold: 50 },
    ];
    const refused = await apply(documentOf(rule(), { triggers, mutes }));
    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
    assert.equal(refused.body.error, 'line 1, column 365: mutes[1]: you have 100 mutes, which is as many as you can');
    assert.deepEqual((await user.api.get('/notifications')).body.notifications, []);
    const now = (await user.api.get('/triggers')).body.triggers;
    assert.deepEqual(
      now.map(({ name, hold, version }: { name: string; hold: number; version: number }) => [name, hold, version]),
      [['old', 5, 1]],
    );
    assert.equal((await user.api.get('/mutes')).body.mutes.length, 99);
    assert.deepEqual((await user.api.get('/rules')).body.rule_sets, []);
    assert.deepEqual((await user.api.get(`/sensors/${sensor}/triggers`)).body.triggers.length, 1);
  });

  it('keeps secrets, which no document holds', async () => {
    const secrets = { token: '2f0c7d' };
    const made = {
      name: 'team',
      secrets,
      headers: { 'X-Token': 'a' },
      destination: 'https://receiver.example.org/',
    };
    const id = await buildNotification(user, made);
    const written = {
      name: 'team',
      type: 'url',
      destination: 'https://receiver.example.org/new',
      secrets: { token: '…' },
      headers: { 'X-Token': '…' },
    };
    const document = { set: 'store', notifications: [written] };
    assert.equal((await apply(document)).status, 200);
    const [row] = await platform.query('SELECT destination, secrets FROM notifications WHERE id = ?', [id]);
    assert.equal(row?.destination, 'https://receiver.example.org/new');
    assert.ok(String(row?.secrets).includes('token'));
    const moved = await user.api.post('/rules/plan', {
      set: 'store',
      notifications: [{ ...written, destination: 'https://elsewhere.example.org/' }],
    });
    assert.equal(moved.status, 400);
    assert.match(
      moved.body.error,
      /notifications\[0\]\.(headers|secrets)\.\S+ must be given again for another receiver/,
    );
    const fresh = await user.api.post('/rules/plan', { set: 'store', notifications: [{ ...written, name: 'other' }] });
    assert.match(fresh.body.error, /notifications\[0\]\.headers\.X-Token has no stored value/);
    await create(user, '/notifications', {
      notification: { type: 'url', destination: 'https://receiver.example.org/' },
    });
  });

  it('is applied with what services do after a commit, and ends what is deleted', async () => {
    for (const name of ['one', 'two']) await buildSensor(user, { name, data_type: 'float' });
    const mail = { name: 'mail', type: 'email', destination: 'friend@example.org', enabled: false };
    const selecting = rule({
      selector: { all: true },
      sensors: ['one'],
      notify_resolved: true,
      notifications: [{ name: 'team' }, { name: 'mail' }],
    });
    const document = documentOf(selecting, {
      notifications: [mail, { name: 'team', type: 'url', destination: 'https://receiver.example.org/' }],
      mutes: [{ name: 'later', start: 4_102_444_800, end: 4_102_448_400, sensors: ['one'], triggers: ['warm'] }],
    });
    const applied = await apply(document);
    assert.equal(applied.status, 200, JSON.stringify(applied.body));
    const [made] = (await user.api.get('/notifications')).body.notifications;
    assert.deepEqual([made.type, made.enabled], ['email', false]);
    await platform.settle();
    clock.advance(10_000);
    await platform.settle();
    for (const { id } of (await user.api.get('/sensors')).body.sensors) await upload(user, id, [{ value: -10 }]);
    await platform.settle();
    const firings = (await user.api.get('/firings?state=firing')).body.firings;
    assert.ok(firings.length > 0);
    const emptied = await apply({ set: 'store' }, '&prune=true');
    assert.equal(emptied.status, 200, JSON.stringify(emptied.body));
    assert.deepEqual(emptied.body.applied.changes.length, 4);
    for (const list of ['triggers', 'notifications', 'mutes']) {
      assert.deepEqual((await user.api.get(`/${list}`)).body[list], [], list);
    }
    const ends = await platform.query("SELECT id FROM deliveries WHERE kind = 'end'");
    assert.equal(ends.length, firings.length, 'the receiver of the firings gets their ends');
    assert.deepEqual((await user.api.get('/rules')).body.rule_sets, []);
  });

  it('waits for edits under way, and edits wait for it', async () => {
    await buildSensor(user, { name: 'one' });
    assert.equal((await apply(documentOf(rule({ sensors: ['one'] })))).status, 200);
    const [{ id }] = (await user.api.get('/triggers')).body.triggers;
    for (let hold = 1; hold <= 5; hold += 1) {
      const { digest } = await plan(documentOf(rule({ sensors: ['one'], hold })), 0);
      const [set, edit] = await Promise.all([
        user.api.post(`/rules/apply?digest=${digest}`, documentOf(rule({ sensors: ['one'], hold }))),
        user.api.put(`/triggers/${id}`, { trigger: { severity: hold % 2 === 0 ? 'info' : 'critical' } }),
      ]);
      assert.equal(edit.status, 200);
      assert.ok([200, 409].includes(set.status), JSON.stringify(set.body));
      const { trigger } = (await user.api.get(`/triggers/${id}`)).body;
      const isLast = set.status === 200 && trigger.severity === 'warning';
      assert.ok(isLast || trigger.severity === (hold % 2 === 0 ? 'info' : 'critical'));
      if (set.status === 409) assert.notEqual(trigger.hold, hold, 'a refused set changes nothing');
      else assert.equal(trigger.hold, hold);
    }
  });

  it('is no longer computed for a client that has gone', async () => {
    const from = clock.now() / 1000 - 30 * 86_400;
    const names = Array.from({ length: 10 }, (_, index) => `sensor ${index}`);
    for (const name of names) {
      const sensor = await buildSensor(user, { name, data_type: 'float' });
      const points = Array.from({ length: 8_000 }, (_, index) => ({ date: from + index * 300, value: index % 40 }));
      await upload(user, sensor, points);
    }
    const triggers = Array.from({ length: 200 }, (_, index) => rule({ name: `rule ${index}`, sensors: names }));
    const leaving = new AbortController();
    const sent = fetch(`${platform.url}/rules/plan?days=31`, {
      method: 'POST',
      headers: { 'X-SESSION_ID': user.session },
      body: JSON.stringify(documentOf(rule(), { triggers })),
      signal: leaving.signal,
    });
    const running: ReadonlySet<number> = Reflect.get(platform.container.services.backtests, 'running');
    await until('the backtests of the plan run', () => running.size > 0);
    leaving.abort();
    await assert.rejects(sent, { name: 'AbortError' });
    const leftAt = Date.now();
    await until('they have ended', () => running.size === 0);
    assert.ok(Date.now() - leftAt < 5_000, `${Date.now() - leftAt} ms`);
  });
});
