import assert from 'node:assert/strict';
import { readValue } from '../../src/language/sensor-value';
import type { SensorDataPoint } from '../../src/points/data-points/data-point';
import { numericFields } from '../../src/points/sensor-services/learning/features';
import { RangeLearner } from '../../src/points/sensor-services/learning/range-learner';
import { TrainingPoints } from '../../src/sensors/virtual-sensors/training-points';
import { learnRange, takePoints } from '../../src/sensors/virtual-sensors/training-range';
import { buildSensor, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

const T0 = 1_700_000_000_000;

describe('reading a range of training data', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const ids: number[] = [];

  before(async () => {
    ids.push(await buildSensorWith(12_000, 100), await buildSensorWith(40, 30_000));
  });

  async function buildSensorWith(count: number, stepMs: number): Promise<number> {
    const sensorId = await buildSensor(user, { data_type: 'float' });
    const data = Array.from({ length: count }, (_, at) => ({ value: at, date: (T0 + at * stepMs) / 1000 }));
    await upload(user, sensorId, data);
    return Number(sensorId);
  }

  const stored = () => new TrainingPoints(platform.container.database.pool, ids);
  const range = (startMs: number, endMs: number) => ({ startMs, endMs, windowMs: 5_000, inputs: ids.map(String) });
  const readPoint = ({ sensorId, dateMs, value }: SensorDataPoint) => ({
    input: String(sensorId),
    atMs: dateMs,
    values: numericFields(readValue(value, 'float')),
  });
  const learn = (startMs: number, endMs: number) => learnRange(stored(), range(startMs, endMs), readPoint);

  it('returns every point once and in order, in any number of chunks', async () => {
    const points: SensorDataPoint[] = [];
    for await (const chunk of stored().inOrder({ startMs: T0, endMs: T0 + 1_200_000 })) points.push(...chunk);
    assert.equal(points.length, 12_040);
    assert.equal(new Set(points.map(({ sensorId, dateMs }) => `${sensorId}-${dateMs}`)).size, 12_040);
    assert.deepEqual(
      points.map(({ dateMs }) => dateMs),
      points.map(({ dateMs }) => dateMs).sort((one, other) => one - other),
    );
  });

  it('reads at most 8 MB of values at a time, and large ones exactly once, too', async () => {
    const { pool } = platform.container.database;
    const startMs = T0 + 10_000_000;
    const rows = [...ids, ...ids].map((id, index) => [id, startMs + 60_000 * Math.floor(index / 2), '1', 0]);
    await pool.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?', [rows]);
    await pool.query(
      `INSERT INTO data_points (sensor_id, date_ms, value, delay_s)
       SELECT s.id, ? + p.date_ms - ?, REPEAT('7', 65000), 0 FROM data_points p JOIN sensors s ON s.id IN (?)
       WHERE p.sensor_id = ? AND p.date_ms BETWEEN ? AND ?`,
      [startMs + 1, T0, ids, ids[0], T0, T0 + 19_999],
    );
    const seen = new Set<string>();
    const dates: number[] = [];
    let most = 0;
    for await (const chunk of stored().inOrder({ startMs: startMs, endMs: startMs + 100_000 })) {
      most = Math.max(
        most,
        chunk.reduce((sum, { value }) => sum + value.length, 0),
      );
      for (const { sensorId, dateMs } of chunk) seen.add(`${sensorId} ${dateMs}`);
      dates.push(...chunk.map(({ dateMs }) => dateMs));
    }
    assert.ok(most > 900_000 && most <= 8 * 1024 * 1024, String(most));
    assert.deepEqual([seen.size, dates.length], [404, 404]);
    assert.deepEqual(
      dates,
      [...dates].sort((one, other) => one - other),
    );
  });

  it('includes both ends of the range and nothing outside of it', async () => {
    assert.equal((await learn(T0, T0 + 1_000)).points, 12);
    assert.equal((await learn(T0 + 1, T0 + 999)).points, 9);
    assert.equal((await learn(T0 - 9_000, T0 - 1)).points, 0);
  });

  it('learns a whole range window by window', async () => {
    const { windows, points } = await learn(T0, T0 + 1_199_999);
    assert.equal(points, 12_040);
    assert.equal(windows.length, 240);
  });

  it('learns the same windows in many steps, each from the stored result of the previous one', async () => {
    const span = range(T0, T0 + 1_199_999);
    let nextMs: number | null = span.startMs;
    let learner = new RangeLearner(span);
    const reads: number[] = [];
    while (nextMs !== null) {
      const taken = await takePoints(stored(), { startMs: nextMs, endMs: span.endMs }, learner, readPoint, 3_000);
      reads.push(taken.read);
      nextMs = taken.nextMs;
      learner = new RangeLearner(span, JSON.parse(JSON.stringify(learner.state())));
    }
    assert.ok(reads.length >= 3 && reads.slice(0, -1).every((read) => read >= 3_000), reads.join());
    assert.equal(
      reads.reduce((sum, read) => sum + read, 0),
      12_040,
    );
    assert.deepEqual(learner.result(), (await learn(span.startMs, span.endMs)).windows);
  });
});
