import assert from 'node:assert/strict';
import { apiClient } from '../../support/api-client';
import {
  buildMute,
  buildSensor,
  buildTrigger,
  connectTrigger,
  createKey,
  share,
  thenOf,
} from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';

const NIGHT = { days: [6, 0, 6], from: '22:00', to: '06:00', timezone: 'Europe/Amsterdam' };
const ONCE = { name: 'maintenance', start: 1_795_225_800, end: 1_795_229_400.5 };

describe('mutes', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUserPerTest(platform);
  const friend = useUser(platform);

  const post = (mute: Record<string, unknown>) => user.api.post('/mutes', { mute });
  const put = (id: string, mute: Record<string, unknown>) => user.api.put(`/mutes/${id}`, { mute });

  it('apply once or weekly, to all or to some', async () => {
    const [sensor, trigger] = [await buildSensor(user), await buildTrigger(user)];
    const { status, body, headers } = await post({ ...ONCE, sensors: [sensor, Number(sensor)], triggers: [trigger] });
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `${platform.url}/mutes/${body.mute.id}`);
    assert.deepEqual(body.mute, {
      id: body.mute.id,
      ...ONCE,
      ...{ sensors: [sensor], triggers: [trigger], weekly: null, created: clock.now() / 1000, created_by: null },
      ...thenOf('drop'),
    });
    const weekly = (await post({ name: 'nights', weekly: NIGHT, sensors: [] })).body.mute;
    assert.deepEqual(
      [weekly.start, weekly.end, weekly.sensors, weekly.weekly],
      [null, null, [], { ...NIGHT, days: [0, 6] }],
    );
    assert.deepEqual((await user.api.get(`/mutes/${weekly.id}`)).body, { mute: weekly });
    assert.deepEqual((await user.api.get('/mutes?total=1')).body, { mutes: [body.mute, weekly], total: 2 });
    assert.deepEqual((await user.api.get('/mutes?page=1&per_page=1')).body, { mutes: [weekly] });
    assert.equal((await user.api.post('/mutes', ONCE)).status, 201, 'without the wrapper');
    const iso = await post({ name: 'iso', start: '2026-11-21T10:00:00+01:00', end: '2026-11-21T10:00:00Z' });
    assert.deepEqual([iso.body.mute.start, iso.body.mute.end], [1_795_251_600, 1_795_255_200]);
  });

  it('need a name and a time, and say what is wrong', async () => {
    const [shared, hidden] = [await buildSensor(friend), await buildSensor(friend)];
    await share(friend, shared, user);
    const night = (change: object) => ({ name: 'nights', weekly: { ...NIGHT, ...change } });
    const refusals: [Record<string, unknown>, number, string][] = [
      [{ ...ONCE, name: '' }, 400, 'mute.name'],
      [{ ...ONCE, name: 'x'.repeat(256) }, 400, 'mute.name'],
      [{ name: 'never' }, 400, 'mute.start'],
      [{ ...ONCE, ...thenOf('later') }, 400, 'mute.then'],
      [{ ...ONCE, ...thenOf(1) }, 400, 'mute.then'],
      [{ ...ONCE, end: undefined }, 400, 'mute.end'],
      [{ ...ONCE, weekly: null, start: 0 }, 400, 'mute.start'],
      [{ ...ONCE, end: ONCE.start }, 400, 'mute.end'],
      [{ ...night({}), start: 20, end: 10 }, 400, 'mute.end'],
      [{ ...ONCE, start: 'soon' }, 400, 'mute.start'],
      [{ ...ONCE, start: -1 }, 400, 'mute.start'],
      [night({ days: [] }), 400, 'mute.weekly.days'],
      [night({ days: undefined }), 400, 'mute.weekly.days'],
      [night({ days: [1, 7] }), 400, 'mute.weekly.days[1]'],
      [night({ days: [1.5] }), 400, 'mute.weekly.days[0]'],
      [night({ from: '24:00' }), 400, 'mute.weekly.from'],
      [night({ from: '7:00' }), 400, 'mute.weekly.from'],
      [night({ to: undefined }), 400, 'mute.weekly.to'],
      [night({ timezone: 'Europe/Atlantis' }), 400, 'mute.weekly.timezone'],
      [night({ timezone: '' }), 400, 'mute.weekly.timezone'],
      [{ name: 'nights', weekly: 'always' }, 400, 'mute.weekly'],
      [{ ...ONCE, sensors: ['x'] }, 400, 'mute.sensors[0]'],
      [{ ...ONCE, sensors: [await buildSensor(user), hidden] }, 404, 'mute.sensors[1]'],
      [{ ...ONCE, sensors: [shared] }, 403, 'mute.sensors[0]'],
      [{ ...ONCE, triggers: [await buildTrigger(friend)] }, 404, 'mute.triggers[0]'],
      [{ ...ONCE, triggers: ['99999999'] }, 404, 'mute.triggers[0]'],
    ];
    for (const [mute, status, field] of refusals) {
      const { status: answered, body } = await post(mute);
      assert.deepEqual([answered, Object.keys(body.fields ?? {})], [status, [field]], JSON.stringify([mute, body]));
    }
    assert.match((await post(night({ timezone: 'Mars' }))).body.error, /name of a time zone/);
    assert.deepEqual((await user.api.get('/mutes')).body.mutes, []);
  });

  it('are changed field by field, and freed of their limits', async () => {
    const [sensor, trigger] = [await buildSensor(user), await buildTrigger(user)];
    const { mute } = (await post({ ...ONCE, sensors: [sensor], triggers: [trigger] })).body;
    assert.deepEqual((await put(mute.id, mute)).body, { mute }, 'the record sent back');
    assert.deepEqual((await put(mute.id, { name: '', start: null, sensors: null })).body, { mute }, 'neutral values');
    const both = (await put(mute.id, { weekly: NIGHT })).body.mute;
    assert.deepEqual([both.start, both.weekly], [ONCE.start, { ...NIGHT, days: [0, 6] }]);
    const free = (await put(mute.id, { start: 0, end: 0, sensors: [], triggers: [] })).body.mute;
    assert.deepEqual([free.start, free.end, free.sensors, free.triggers, free.name], [null, null, [], [], ONCE.name]);
    const thens = ['deliver', null, '', 'drop'];
    const shown: unknown[] = [];
    for (const then of thens) shown.push((await put(mute.id, thenOf(then))).body.mute?.then);
    assert.deepEqual(shown, ['deliver', 'deliver', 'deliver', 'drop'], 'neutral values change nothing');
    assert.equal((await put(mute.id, { weekly: null })).status, 400, 'it would apply always');
    const once = (await put(mute.id, { weekly: null, start: 10, end: 20 })).body.mute;
    assert.deepEqual([once.start, once.end, once.weekly], [10, 20, null]);
    assert.deepEqual((await user.api.get(`/mutes/${mute.id}`)).body.mute, once);
    assert.equal((await user.api.delete(`/mutes/${mute.id}`)).status, 200);
    assert.equal((await user.api.get(`/mutes/${mute.id}`)).status, 404);
  });

  it('of other users do not exist', async () => {
    const id = await buildMute(friend);
    for (const response of [
      await user.api.get(`/mutes/${id}`),
      await put(id, { name: 'mine' }),
      await user.api.delete(`/mutes/${id}`),
      await user.api.get('/mutes/none'),
    ]) {
      assert.equal(response.status, 404);
    }
    assert.equal((await friend.api.get(`/mutes/${id}`)).body.mute.name, 'a mute');
  });

  it('are reached by keys with the scope, but not by those that are limited to sensors', async () => {
    const sensor = await buildSensor(user);
    const bearing = async (fields: Record<string, unknown>) =>
      apiClient(platform.url, { Authorization: `Bearer ${(await createKey(user, fields)).secret}` });
    const [reader, writer] = [await bearing({ scopes: ['read'] }), await bearing({ scopes: ['write'] })];
    assert.equal((await reader.get('/mutes')).status, 200);
    assert.equal((await reader.post('/mutes', { mute: ONCE })).body.code, 'insufficient_scope');
    assert.equal((await writer.post('/mutes', { mute: ONCE })).status, 201);
    const limited = await bearing({ sensors: [sensor] });
    assert.equal((await limited.get('/mutes')).status, 403);
    assert.equal((await limited.post('/mutes', { mute: ONCE })).status, 403);
  });

  it('are a hundred at most', async () => {
    const many = await Promise.all(Array.from({ length: 103 }, () => post(ONCE)));
    const refused = many.filter(({ status }) => status !== 201);
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.code]),
      Array(3).fill([409, 'conflict']),
    );
    await user.api.delete(`/mutes/${many.find(({ status }) => status === 201)?.body.mute.id}`);
    assert.equal((await post(ONCE)).status, 201);
  });

  it('invalidate the cached sensors of their owner, and no others', async () => {
    const sensor = await buildSensor(user);
    await connectTrigger(user, sensor, await buildTrigger(user));
    const changes = async () => {
      const rows = await platform.query(
        'SELECT partition_no, partition_count, state_epoch AS version FROM partitions ORDER BY 1',
        [],
      );
      const own = Number(sensor) % Number(rows[0]?.partition_count);
      return rows.map(({ partition_no, version }) => ({ own: Number(partition_no) === own, version: Number(version) }));
    };
    let before = await changes();
    const expectRaised = async (what: string) => {
      const after = await changes();
      const raised = after.map(({ own, version }, index) => [own, version - (before[index]?.version ?? 0)]);
      assert.deepEqual(
        raised,
        after.map(({ own }) => [own, own ? 1 : 0]),
        what,
      );
      before = after;
    };
    const id = await buildMute(user);
    await expectRaised('created');
    await put(id, { name: 'other' });
    await expectRaised('changed');
    await user.api.delete(`/mutes/${id}`);
    await expectRaised('deleted');
  });

  it('go with the account of their owner', async () => {
    const other = await platform.user();
    await buildMute(other);
    await other.api.delete(`/users/${other.id}`);
    const [row] = await platform.query('SELECT COUNT(*) AS mutes FROM mutes WHERE owner_id = ?', [other.id]);
    assert.equal(Number(row?.mutes), 0);
  });
});
