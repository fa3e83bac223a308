import assert from 'node:assert/strict';
import { type EventStream, openStream, useStreams } from '../../support/event-stream';
import { buildSensor, buildService, buildTrigger, connectTrigger, createKey, upload } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';

const DATE = 1_795_229_544;

describe('streams', () => {
  const platform = usePlatform();
  const ada = useUserPerTest(platform);
  const { stream } = useStreams(platform, ada);
  const streamFrom = (path: string, cursor: string) => stream(path, ada, { 'Last-Event-ID': cursor });
  const valuesOf = ({ news }: EventStream) => news.map(({ data }) => data.value);

  it('bring each point as it is stored, and replaced ones again', async () => {
    const id = await buildSensor(ada);
    await upload(ada, id, { value: 'before', date: DATE - 1 });
    const live = await stream(`/sensors/${id}/data/stream`);
    assert.equal(live.response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.deepEqual({ ...live.events[0], id: '' }, { event: 'open', id: '', data: {} });
    assert.match(live.cursor, /^\S+$/);
    await upload(ada, id, { value: 21.5, date: DATE + 0.125 });
    await live.has(1);
    const point = { sensor_id: id, id: String(DATE * 1000 + 126), date: DATE + 0.125, value: '21.5' };
    assert.deepEqual(live.news[0]?.data, point);
    const { body } = await ada.api.get(`/sensors/${id}/data?last=1`);
    assert.equal(body.data[0].id, point.id);
    await upload(ada, id, [
      { value: { lux: 3 }, date: DATE + 2 },
      { value: 'a\nb', date: DATE + 1 },
      { value: 22, date: DATE + 0.125 },
    ]);
    await live.has(4);
    assert.deepEqual(valuesOf(live), ['21.5', '22', 'a\nb', '{"lux":3}'], 'a request in order of date');
    assert.equal(new Set(live.events.map((event) => event.id)).size, 5);
  });

  it('bring several sensors in one, outputs of services too, and nothing of other sensors', async () => {
    const [a, b, other] = [await buildSensor(ada), await buildSensor(ada), await buildSensor(ada)];
    const mean = await buildService(ada, 'statistics_service', a);
    const live = await stream(`/sensors/data/stream?sensor_id[]=${a}&sensor_id[]=${b}&sensor_id[]=${mean}`);
    await upload(ada, other, { value: 0 });
    await upload(ada, b, { value: 1 });
    await upload(ada, a, { value: 2 });
    await platform.settle();
    await live.has(3);
    assert.deepEqual(
      live.news.map(({ data }) => data.sensor_id),
      [b, a, mean],
    );
    assert.equal(JSON.parse(live.news[2]?.data.value).mean, 2);
    const unstored = await buildSensor(ada, { use_data_storage: false });
    const empty = await stream(`/sensors/${unstored}/data/stream`);
    await upload(ada, unstored, { value: 3 });
    await upload(ada, a, { value: 4 });
    await live.has(4);
    assert.deepEqual(empty.news, []);
  });

  it('bring the firings of one’s own triggers', async () => {
    const bob = await platform.user();
    const id = await buildSensor(ada);
    const trigger = await buildTrigger(ada, { expression: 'sensor_data_value > 30' });
    await connectTrigger(ada, id, trigger);
    const [mine, others] = [await stream('/firings/stream'), await stream('/firings/stream', bob)];
    await upload(ada, id, { value: 31, date: DATE });
    await platform.settle();
    await mine.has(1);
    const { body } = await ada.api.get(`/sensors/${id}/triggers/${trigger}/firings`);
    assert.deepEqual(mine.news[0]?.data, body.firings[0]);
    assert.equal(mine.news[0]?.event, 'firing');
    assert.deepEqual(others.news, []);
    const again = await stream('/firings/stream', ada, { 'Last-Event-ID': mine.events[0]?.id ?? '' });
    await again.has(1);
    assert.deepEqual(again.news, mine.news);
  });

  it('go on behind their cursor, also when nobody was there', async () => {
    const id = await buildSensor(ada);
    const path = `/sensors/${id}/data/stream`;
    const first = await stream(path);
    await upload(
      ada,
      id,
      [1, 2, 3].map((value) => ({ value, date: DATE + value })),
    );
    await first.has(3);
    await first.close();
    await upload(
      ada,
      id,
      Array.from({ length: 250 }, (_, index) => ({ value: index + 4, date: DATE + index + 4 })),
    );
    await upload(ada, id, { value: 'last', date: DATE });
    const second = await streamFrom(path, first.news[1]?.id ?? '');
    await second.has(252);
    assert.deepEqual(valuesOf(second), [...Array.from({ length: 251 }, (_, index) => String(index + 3)), 'last']);
    assert.equal(second.events[0]?.event, 'open');
    const third = await stream(`${path}?last_event_id=${second.cursor}`);
    await upload(ada, id, { value: 'next' });
    await third.has(1);
    assert.deepEqual(valuesOf(third), ['next']);
  });

  it('say so when they cannot go on', async () => {
    const [id, other] = [await buildSensor(ada), await buildSensor(ada)];
    const path = `/sensors/${id}/data/stream`;
    const before = await stream(`/sensors/${other}/data/stream`);
    await upload(ada, id, { value: 'not noted' });
    for (const cursor of ['nonsense', '0', before.cursor, before.cursor.replace(/^\w+/, '00000000'), 'x'.repeat(90)]) {
      const late = await streamFrom(path, cursor);
      await upload(ada, id, { value: cursor });
      await late.has(1);
      const events = late.events.map(({ event, data }) => ({ event, data: event === 'data' ? data.value : data }));
      assert.deepEqual(events.slice(0, 3), [
        { event: 'reset', data: {} },
        { event: 'open', data: {} },
        { event: 'data', data: cursor },
      ]);
      await late.close();
    }
    const first = await stream(path);
    const points = (from: number) => Array.from({ length: 5_001 }, (_, index) => ({ value: 1, date: from + index }));
    await upload(ada, id, points(1));
    await upload(ada, id, points(10_001));
    await first.has(10_002);
    const [{ id: early = '' } = {}, { id: later = '' } = {}] = [first.news[0], first.news[5_000]];
    assert.equal((await streamFrom(path, early)).events[0]?.event, 'reset', 'more than 10,000 behind');
    const enough = await streamFrom(path, later);
    await enough.has(5_001);
    assert.equal(enough.events[0]?.event, 'open');
  });

  it('are refused to those who may not see the sensor, and of too many sensors', async () => {
    const bob = await platform.user();
    const [id, hidden] = [await buildSensor(ada), await buildSensor(ada)];
    const status = async (path: string, headers: Record<string, string>) => {
      const opened = await openStream(platform.url, path, headers);
      await opened.close();
      return opened.response.status;
    };
    const mine = { 'X-SESSION_ID': ada.session };
    assert.equal(await status(`/sensors/${id}/data/stream`, { 'X-SESSION_ID': bob.session }), 404);
    assert.equal(await status(`/sensors/data/stream?sensor_id=${id}`, { 'X-SESSION_ID': bob.session }), 404);
    assert.equal(await status(`/sensors/${id}/data/stream`, {}), 401);
    const { secret } = await createKey(ada, { scopes: ['read'], sensors: [id] });
    const limited = { Authorization: `Bearer ${secret}` };
    assert.equal(await status(`/sensors/${hidden}/data/stream`, limited), 404);
    assert.equal(await status(`/sensors/data/stream?sensor_id[]=${id}&sensor_id[]=${hidden}`, limited), 404);
    assert.equal(await status(`/sensors/data/stream?sensor_id=${id}`, limited), 200);
    assert.equal(await status('/firings/stream', limited), 403);
    const blind = await createKey(ada, { scopes: ['data:write'] });
    assert.equal(await status(`/sensors/${id}/data/stream`, { Authorization: `Bearer ${blind.secret}` }), 403);
    const many = Array.from({ length: 101 }, (_, index) => `sensor_id[]=${index + 1}`).join('&');
    assert.equal(await status(`/sensors/data/stream?${many}`, mine), 400);
    assert.equal(await status('/sensors/data/stream', mine), 400);
    const head = await fetch(`${platform.url}/sensors/${id}/data/stream`, { method: 'HEAD', headers: mine });
    assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'text/event-stream; charset=utf-8']);
  });

  it('are at most 100 of a user', async () => {
    const id = await buildSensor(ada);
    const streams = await Promise.all(Array.from({ length: 101 }, () => stream(`/sensors/${id}/data/stream`)));
    const statuses = streams.map(({ response }) => response.status).sort();
    assert.deepEqual([statuses[0], statuses[99], statuses[100]], [200, 200, 429]);
    assert.ok(streams.some(({ response }) => response.headers.has('retry-after')));
    await upload(ada, id, { value: 1 });
    for (const one of streams) if (one.response.ok) await one.has(1);
    await streams[0]?.close();
    await streams[1]?.close();
    assert.equal((await stream(`/sensors/${id}/data/stream`)).response.status, 200);
    const { body } = await ada.api.get(`/sensors/${id}/data`);
    assert.equal(body.data.length, 1, 'reads have places of their own');
  });
});
