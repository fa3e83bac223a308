import assert from 'node:assert/strict';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../../support/factories';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';

describe('one action on many firings', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const other = useUser(platform);

  const fire = async (count: number) => {
    const triggerId = await buildTrigger(user, { expression: 'sensor_data_value > 30' });
    const sensors = await Promise.all(Array.from({ length: count }, () => buildSensor(user)));
    for (const id of sensors) {
      await connectTrigger(user, id, triggerId);
      await upload(user, id, { value: 31 });
    }
    await platform.settle();
    const { firings } = (await user.api.get('/firings?state=firing')).body;
    return { ids: firings.map(({ id }: { id: string }) => id) as string[] };
  };
  const open = async (query = '') => (await user.api.get(`/firings?state=firing&total=1${query}`)).body.total;

  it('acknowledges by ids and by a filter, and doing it again changes nothing', async () => {
    const { ids } = await fire(4);
    const { firing: last } = (await user.api.get(`/firings/${ids[3]}`)).body;
    const first = { firings: ids.slice(0, 2), action: { acknowledge: { note: 'known' } } };
    for (let round = 0; round < 2; round += 1) {
      assert.deepEqual((await user.api.post('/firings/bulk', first)).body, { done: 2, failed: [] });
    }
    const filter = { acknowledged: false, sensor_id: last.sensor_id };
    const { body } = await user.api.post('/firings/bulk', { filter, action: { acknowledge: {} } });
    assert.deepEqual(body, { done: 1, failed: [] });
    assert.equal(await open('&acknowledged=false'), 1);
    assert.deepEqual((await user.api.post('/firings/bulk', { all: true, action: { resolve: {} } })).body, {
      done: 4,
      failed: [],
    });
    assert.equal(await open(), 0);
  });

  it('mutes the triggers of firings that a severity and a text in a name find', async () => {
    const triggerId = await buildTrigger(user, { name: 'Too warm', expression: 'true', severity: 'critical' });
    const names = ['Freezer 100%', 'Freezer 2', 'Pond'];
    for (const name of names) {
      const id = await buildSensor(user, { name });
      await connectTrigger(user, id, triggerId);
      await upload(user, id, { value: 31 });
    }
    await platform.settle();
    assert.equal(await open('&search=freezer&severity=critical'), 2);
    assert.equal(await open('&search=100%25'), 1);
    assert.equal(await open('&search=TOO WARM'), 3);
    assert.equal(await open('&search=_'), 0);
    assert.equal(await open('&severity=info'), 0);
    assert.equal((await user.api.get('/firings?severity=loud')).status, 400);
    const end = Math.floor(Date.now() / 1000) + 3_600;
    const request = { filter: { search: 'freezer', severity: 'critical' }, action: { mute: { end } } };
    for (let round = 0; round < 2; round += 1) {
      assert.deepEqual((await user.api.post('/firings/bulk', request)).body, { done: 2, failed: [] });
    }
    const { triggers } = (await user.api.get('/sensors/triggers')).body;
    const muted = triggers.filter(({ muted_until }: { muted_until: number | null }) => muted_until === end);
    assert.equal(muted.length, 2);
    assert.equal(await open(), 3, 'they are still open');
    const { ids } = { ids: [(await user.api.get('/firings')).body.firings[0].id] };
    const foreign = await other.api.post('/firings/bulk', { firings: ids, action: { mute: { end } } });
    assert.deepEqual([foreign.body.done, foreign.body.failed[0].code], [0, 'not_found']);
    for (const action of [{ mute: {} }, { mute: { end: 'soon' } }, { mute: { end }, resolve: {} }]) {
      assert.equal((await user.api.post('/firings/bulk', { firings: ids, action })).status, 400);
    }
  });

  it('does nothing if the request does not say exactly on which alerts', async () => {
    const { ids } = await fire(2);
    const resolve = { resolve: {} };
    const vague: [object, string][] = [
      [{ filter: { triggerId: '999999999' }, action: resolve }, 'filter.triggerId'],
      [{ filter: {}, action: resolve }, 'filter'],
      [{ filter: { trigger_id: '' }, action: resolve }, 'filter'],
      [{ filter: { start_date: 0 }, action: resolve }, 'filter'],
      [{ firings: ids.slice(1), all: true, action: resolve }, 'all'],
      [{ filter: { severity: 'info' }, all: true, action: resolve }, 'all'],
      [{ all: true, sensor_id: '1', action: resolve }, 'sensor_id'],
      [{ all: true, action: { resolve: { note: 'x' } } }, 'action.resolve.note'],
      [{ action: resolve }, 'firings'],
    ];
    for (const [request, field] of vague) {
      const { status, body } = await user.api.post('/firings/bulk', request);
      assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, [field]], JSON.stringify(request));
    }
    assert.equal(await open(), 2);
  });

  it('names each firing on which it was refused', async () => {
    const { ids } = await fire(1);
    await user.api.post(`/firings/${ids[0]}/resolve`, {});
    const { body } = await user.api.post('/firings/bulk', { firings: [...ids, 'x'], action: { acknowledge: {} } });
    assert.deepEqual(
      [body.done, body.failed.map(({ firing_id, code }: Record<string, string>) => [firing_id, code])],
      [
        0,
        [
          [ids[0], 'conflict'],
          ['x', 'not_found'],
        ],
      ],
    );
    const foreign = await other.api.post('/firings/bulk', { firings: ids, action: { resolve: {} } });
    assert.deepEqual([foreign.body.done, foreign.body.failed[0].code], [0, 'not_found']);
  });
});
