import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Pool } from 'mysql2/promise';
import { readStoredRange } from '../../src/points/point-store/window-points';
import { packIn } from '../support/chunks';
import { buildSensor, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

const T0 = Date.UTC(2026, 0, 5);
const MONDAY_MS = T0;
const SENSORS = 2;

const values = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -400, max: 400 }).map((tenths) => (tenths / 10).toFixed(1)) },
  { weight: 1, arbitrary: fc.constantFrom('open', '007', '1e2', ' 5 ', '-0', 'x'.repeat(3_000), '{"t":', 'ä\0') },
  {
    weight: 2,
    arbitrary: fc.record({ t: fc.integer({ max: 90 }), n: fc.double({ noNaN: true }) }).map((o) => JSON.stringify(o)),
  },
);
const instants = fc.integer({ min: 0, max: 2_000 }).map((minutes) => T0 + minutes * 60_000);
const sensors = fc.integer({ min: 0, max: SENSORS - 1 });
const steps = fc.oneof(
  fc.record({
    does: fc.constant('uploads' as const),
    sensor: sensors,
    points: fc.array(fc.tuple(instants, values), { minLength: 1, maxLength: 500, size: 'max' }),
  }),
  fc.record({
    does: fc.constant('packs' as const),
    sensor: sensors,
    killedAt: fc.option(fc.integer({ min: 0, max: 20 })),
  }),
  fc.record({ does: fc.constant('deletes' as const), sensor: sensors, from: instants, to: instants }),
  fc.record({ does: fc.constant('deletes one' as const), sensor: sensors, which: fc.nat() }),
);

type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;
/** The points of a sensor by date. */
type Model = Map<number, string>;

describe('points in rows and chunks', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let ids: string[] = [];
  let models: Model[] = [];
  let packed = 0;

  const get = async (path: string) => {
    const { status, body } = await user.api.get(path);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const sorted = (model: Model | undefined) => [...(model ?? [])].sort(([a], [b]) => a - b);

  async function take(step: Step): Promise<void> {
    const id = ids[step.sensor] ?? '';
    const model = models[step.sensor] ?? new Map();
    switch (step.does) {
      case 'uploads': {
        for (const [dateMs, value] of step.points) model.set(dateMs, value);
        const data = [...new Map(step.points)].map(([dateMs, value]) => ({ date: dateMs / 1000, value }));
        return upload(user, id, data);
      }
      case 'packs': {
        const { pool } = platform.container.database;
        if (step.killedAt === null) return packIn(pool, id);
        await packIn(killing(pool, step.killedAt), id).catch(() => undefined);
        return;
      }
      case 'deletes': {
        const [startMs, endMs] = [Math.min(step.from, step.to), Math.max(step.from, step.to)];
        const gone = [...model.keys()].filter((dateMs) => dateMs >= startMs && dateMs <= endMs);
        const { body } = await user.api.delete(
          `/sensors/${id}/data?start_date=${startMs / 1000}&end_date=${endMs / 1000}`,
        );
        assert.equal(body.deleted, gone.length);
        for (const dateMs of gone) model.delete(dateMs);
        return;
      }
      case 'deletes one': {
        const dateMs = [...model.keys()][step.which % Math.max(1, model.size)];
        if (dateMs === undefined) return;
        const { status } = await user.api.delete(`/sensors/${id}/data/${dateMs + 1}`);
        assert.ok(status < 300, `${status}`);
        model.delete(dateMs);
      }
    }
  }

  /** Every kind of read shows what the model holds. */
  async function requireEqual(): Promise<void> {
    for (const [index, id] of ids.entries()) await requireSensor(id, sorted(models[index]));
    const all = ids.flatMap((id, index) => sorted(models[index]).map(([dateMs, value]) => ({ id, dateMs, value })));
    all.sort((a, b) => b.dateMs - a.dateMs || Number(a.id) - Number(b.id));
    const several = ids.map((id) => `sensor_id[]=${id}`).join('&');
    const { data } = await get(`/sensors/data?${several}&sort=DESC&per_page=300&page=1`);
    assert.deepEqual(
      data.map((point: { sensor_id: string; value: string }) => [point.sensor_id, point.value]),
      all.slice(300, 600).map(({ id, value }) => [id, value]),
    );
  }

  async function requireSensor(id: string, points: [number, string][]): Promise<void> {
    const shown = (body: { data: { date: number; value: string }[] }) =>
      body.data.map(({ date, value }) => [Math.round(date * 1000), value]);
    const first = await get(`/sensors/${id}/data?per_page=1000&total=1`);
    assert.deepEqual(shown(first), points.slice(0, 1_000));
    assert.equal(first.total, points.length);
    const [middle = T0] = points[points.length >> 1] ?? [];
    const later = points.filter(([dateMs]) => dateMs >= middle);
    assert.deepEqual(
      shown(await get(`/sensors/${id}/data?start_date=${middle / 1000}&sort=DESC&per_page=50&page=1`)),
      later.reverse().slice(50, 100),
    );
    assert.deepEqual(shown(await get(`/sensors/${id}/data?last=1`)), points.slice(-1));
    for (const seconds of [3_600, 86_400, 604_800]) await requireIntervals(id, points, seconds);
    await requireWindow(id, points);
    const { body } = await user.api.get(`/sensors/${id}/data.ndjson`);
    const lines = String(body).trim().split('\n').filter(Boolean);
    assert.equal(lines.length, points.length);
  }

  async function requireIntervals(id: string, points: [number, string][], seconds: number): Promise<void> {
    const expected = new Map<number, number[]>();
    for (const [dateMs, value] of points) {
      const number = /^\s*[-+]?\d/.test(value) ? Number(value) : undefined;
      const startMs = MONDAY_MS + Math.floor((dateMs - MONDAY_MS) / (seconds * 1000)) * seconds * 1000;
      expected.set(startMs, [...(expected.get(startMs) ?? []), ...(number === undefined ? [] : [number])]);
    }
    for (const sort of ['ASC', 'DESC']) {
      const path = `/sensors/${id}/data?interval=${seconds}&aggregate=sum&sort=${sort}&per_page=20&total=1`;
      const { data, total } = await get(path);
      assert.equal(total, expected.size);
      const starts = [...expected.keys()].sort((a, b) => (sort === 'ASC' ? a - b : b - a)).slice(0, 20);
      assert.deepEqual(
        data.map(({ date }: { date: number }) => date * 1000),
        starts,
      );
      for (const [at, startMs] of starts.entries()) {
        const numbers = expected.get(startMs) ?? [];
        if (numbers.length === 0) continue;
        const sum = numbers.reduce((total, number) => total + number, 0);
        assert.ok(
          Math.abs(Number(data[at].value) - sum) < 1e-9 * Math.max(1, Math.abs(sum)),
          `${data[at].value} ${sum}`,
        );
      }
    }
  }

  async function requireWindow(id: string, points: [number, string][]): Promise<void> {
    const [afterMs, untilMs] = [T0 + 300 * 60_000, T0 + 900 * 60_000];
    const range = { sensorId: Number(id), afterMs, untilMs };
    const read = await readStoredRange(platform.container.database.pool, range);
    assert.deepEqual(
      read.points.map(({ dateMs, value }) => [dateMs, value]),
      points.filter(([dateMs]) => dateMs > afterMs && dateMs <= untilMs),
    );
  }

  it('every read equals a plain list, after any uploads, replacements, deletions, packing and kills', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 14, size: 'max' }), async (some) => {
        ids = [];
        models = [];
        for (let index = 0; index < SENSORS; index += 1) {
          ids.push(await buildSensor(user));
          models.push(new Map());
        }
        for (const step of some) await take(step);
        await requireEqual();
        for (const id of ids) await packIn(platform.container.database.pool, id);
        await requireEqual();
        const [row] = await platform.query('SELECT SUM(points) AS packed FROM data_chunks WHERE sensor_id IN (?)', [
          ids,
        ]);
        packed += Number(row?.packed ?? 0);
      }),
      { numRuns: Number(process.env.POINT_STORE_RUNS ?? 15) },
    );
    assert.ok(packed > 1_000, `only ${packed} points were packed`);
  });
});

/** A pool whose connection breaks at its n-th statement. */
function killing(pool: Pool, statement: number): Pool {
  let left = statement;
  return new Proxy(pool, {
    get(target, name) {
      if (name !== 'getConnection') return Reflect.get(target, name);
      return async () => {
        const connection = await target.getConnection();
        return new Proxy(connection, {
          get(inner, key) {
            const member = Reflect.get(inner, key);
            if (key !== 'query') return typeof member === 'function' ? member.bind(inner) : member;
            return (...given: unknown[]) => {
              left -= 1;
              if (left < 0) inner.destroy();
              return member.apply(inner, given);
            };
          },
        });
      };
    },
  });
}
