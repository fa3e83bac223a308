import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { apiClient } from '../../support/api-client';
import { buildSensor, buildTrigger, connectTrigger } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { startApiElsewhere } from '../../support/other-process';
import { until } from '../../support/until';

const VALUES = 200;
const CONNECTIONS = [1, 2, 5, 20, 200];
const START_MS = 60_000;

describe('points without a date', function () {
  this.timeout(300_000);
  const platform = usePlatform();
  const user = useUser(platform);
  let other: { child: ChildProcess; url: string };

  before(async () => {
    other = await startApiElsewhere(platform, platform.container.config.redisUrl);
    const isUp = async () => (await fetch(`${other.url}/readyz`).catch(() => undefined))?.status === 200;
    await until('the other API process is ready', isUp, START_MS);
  });
  after(() => {
    other.child.kill('SIGKILL');
  });

  const stored = async (id: string) => {
    const { body } = await user.api.get(`/sensors/${id}/data?per_page=1000`);
    return body.data as { date: number; value: string }[]; // the API's records
  };
  /** A sensor whose trigger decides about every point, and fires for one value. */
  const watched = async () => {
    const id = await buildSensor(user, { data_type: 'string' });
    const trigger = await buildTrigger(user, { expression: 'sensor_data_value == "ALARM"' });
    await connectTrigger(user, id, trigger);
    return { id, trigger };
  };
  /** Sends values, `atOnce` at a time, to the API processes alternately. */
  async function send(id: string, values: readonly unknown[], atOnce: number, urls: readonly string[]): Promise<void> {
    const left = [...values.entries()];
    const sendNext = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const [index, value] = next;
        const client = apiClient(urls[index % urls.length] ?? platform.url, { 'X-SESSION_ID': user.session });
        const { status, body } = await client.post(`/sensors/${id}/data`, { value });
        assert.deepEqual([status, body], [201, { data: { accepted: 1 } }]);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sendNext));
  }

  for (const processes of [1, 2]) {
    for (const atOnce of CONNECTIONS) {
      it(`are all stored and evaluated, ${atOnce} at a time over ${processes} API process${processes > 1 ? 'es' : ''}`, async () => {
        const urls = [platform.url, other.url].slice(0, processes);
        const { id, trigger } = await watched();
        const alarmAt = VALUES - 5;
        const values = Array.from({ length: VALUES }, (_, index) => (index === alarmAt ? 'ALARM' : `value ${index}`));
        await send(id, values, atOnce, urls);
        const points = await stored(id);
        assert.deepEqual(points.map(({ value }) => value).sort(), [...values].sort(), 'each value is stored, once');
        assert.equal(new Set(points.map(({ date }) => date)).size, VALUES);
        await platform.settle();
        const { body } = await user.api.get(`/sensors/${id}/triggers/${trigger}/firings`);
        assert.equal(body.firings.length, 1, 'the alarm has fired');
        const { body: shown } = await user.api.get(`/sensors/${id}/triggers/${trigger}`);
        assert.equal(shown.trigger.last_sensor_data_date, points.at(-1)?.date, 'up to the last one');
      });
    }
  }

  it('come in one request, in their order, in every form of upload', async () => {
    const forms: [type: string, body: string][] = [
      ['application/json', '{"data":[{"value":"a"},{"value":"b"},{"value":"c"}]}'],
      ['application/json', '[{"value":"a"},{"value":"b"},{"value":"c"}]'],
      ['application/x-www-form-urlencoded', 'data[][value]=a&data[][value]=b&data[][value]=c'],
      ['text/csv', 'value\na\nb\nc\n'],
      ['application/x-ndjson', '{"value":"a"}\n{"value":"b"}\n{"value":"c"}\n'],
    ];
    for (const [type, body] of forms) {
      const { id } = await watched();
      const headers = { 'X-SESSION_ID': user.session, 'Content-Type': type };
      const response = await fetch(`${platform.url}/sensors/${id}/data`, { method: 'POST', headers, body });
      assert.deepEqual([response.status, await response.json()], [201, { data: { accepted: 3 } }], body);
      assert.deepEqual(
        (await stored(id)).map(({ value }) => value),
        ['a', 'b', 'c'],
        body,
      );
    }
  });

  it('share a request with dated ones of the next milliseconds', async () => {
    const id = await buildSensor(user);
    const nowMs = Date.now();
    const dated = [5, 20, 40].map((ms) => ({ value: `dated ${ms}`, date: (nowMs + ms) / 1000 }));
    const undated = Array.from({ length: 100 }, (_, index) => ({ value: `undated ${index}` }));
    const { status, body } = await user.api.post(`/sensors/${id}/data`, { data: [...undated, ...dated] });
    assert.deepEqual([status, body], [201, { data: { accepted: 103 } }]);
    assert.deepEqual(
      (await stored(id)).map(({ value }) => value).sort(),
      [...undated, ...dated].map(({ value }) => value).sort(),
    );
  });

  it('are evaluated after a point of a clock that is ahead, as dated ones of the present are', async () => {
    const clockSetRight: ((id: string) => object)[] = [
      () => ({ value: 'ALARM' }),
      () => ({ value: 'ALARM', date: Date.now() / 1000 }),
    ];
    for (const next of clockSetRight) {
      const { id, trigger } = await watched();
      const ahead = { value: 'fine', date: Date.now() / 1000 + 3_000 };
      assert.equal((await user.api.post(`/sensors/${id}/data`, ahead)).status, 201);
      await platform.settle();
      assert.equal((await user.api.post(`/sensors/${id}/data`, next(id))).status, 201);
      await platform.settle();
      const { body } = await user.api.get(`/sensors/${id}/triggers/${trigger}/firings`);
      assert.equal(body.firings.length, 1, 'the alarm has fired');
    }
  });

  it('are evaluated after a dated point of a clock that is a little ahead, and in a request of many', async () => {
    const { id, trigger } = await watched();
    const data = Array.from({ length: 2_000 }, (_, index) => ({ value: `value ${index}` }));
    assert.equal((await user.api.post(`/sensors/${id}/data`, { data })).status, 201);
    const ahead = { value: 'fine', date: Date.now() / 1000 + 30 };
    assert.equal((await user.api.post(`/sensors/${id}/data`, ahead)).status, 201);
    await platform.settle();
    assert.equal((await user.api.post(`/sensors/${id}/data`, { value: 'ALARM' })).status, 201);
    await platform.settle();
    const { body } = await user.api.get(`/sensors/${id}/triggers/${trigger}/firings`);
    assert.equal(body.firings.length, 1, 'the alarm has fired');
  });

  it('of several sensors in one request are dated apart for each of them', async () => {
    const [a, b] = [await buildSensor(user), await buildSensor(user)];
    const sensors = Array.from({ length: 100 }, (_, index) => ({
      sensor_id: index % 2 ? a : b,
      data: [{ value: index }],
    }));
    const { body } = await user.api.post('/sensors/data', { sensors });
    assert.deepEqual(body, { data: { accepted: 100 } });
    for (const [id, first] of [
      [b, 0],
      [a, 1],
    ] as const) {
      const expected = Array.from({ length: 50 }, (_, index) => String(first + 2 * index));
      assert.deepEqual(
        (await stored(id)).map(({ value }) => value),
        expected,
      );
    }
  });

  it('replace none that came with a date, however many of these are near', async () => {
    const id = await buildSensor(user);
    const nowMs = Date.now();
    const dated = Array.from({ length: 3_000 }, (_, index) => ({
      value: `dated ${index}`,
      date: (nowMs + index) / 1000,
    }));
    await user.api.post(`/sensors/${id}/data`, { data: dated });
    await send(id, ['x', 'y', 'z'], 1, [platform.url]);
    const { body } = await user.api.get(`/sensors/${id}/data?total=1&per_page=1&sort=DESC`);
    assert.equal(body.total, 3_003);
  });

  it('are dated by now, and after the one before', async () => {
    const id = await buildSensor(user);
    const beforeMs = platform.container.clock.now();
    await send(id, ['1', '2'], 1, [platform.url]);
    const [first, second] = await stored(id);
    assert.ok((first?.date ?? 0) * 1000 >= beforeMs && (first?.date ?? 0) * 1000 < beforeMs + 10_000);
    assert.ok((second?.date ?? 0) > (first?.date ?? 0));
  });
});
