import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../../src/points/sensor-services/sensor-service';
import { statisticsService } from '../../../../src/points/sensor-services/statistics';

const INPUTS = [{ sensorId: 1, sensorName: 'a', dataType: 'float', fields: ['value'] }];

const setWindow = (...parameters: string[]) => {
  const method = statisticsService.methods.find(({ name }) => name === 'SetWindow');
  assert.ok(method && 'set' in method);
  return method.set({ inputs: INPUTS, settings: statisticsService.settings, memory: null, model: null }, parameters);
};
const settingsOf = (...parameters: string[]): Json => {
  const outcome = setWindow(...parameters);
  assert.ok('settings' in outcome, JSON.stringify(outcome));
  return outcome.settings;
};
const run = (settings: Json, entries: readonly (readonly [dateMs: number, value: number | string])[]) => {
  const points = entries.map(([dateMs, value]) => ({ sensorId: 1, value: String(value), dateMs }));
  const state = { inputs: INPUTS, settings, memory: statisticsService.memory, model: null };
  return statisticsService
    .compute(state, points, 0)
    .outputs.map(({ value, dateMs }) => ({ ...JSON.parse(value), dateMs }));
};
const close = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));

describe('statistics_service', () => {
  it('describes the window after each point, dated by its newest point', () => {
    assert.deepEqual(
      run(settingsOf('2', 'points'), [
        [10, 1],
        [20, 3],
        [30, 8],
      ]),
      [
        { mean: 1, min: 1, max: 1, deviation: 0, count: 1, dateMs: 10 },
        { mean: 2, min: 1, max: 3, deviation: 1, count: 2, dateMs: 20 },
        { mean: 5.5, min: 3, max: 8, deviation: 2.5, count: 2, dateMs: 30 },
      ],
    );
  });

  it('drops points that are older than its window', () => {
    const counts = run(settingsOf('10', 'seconds'), [
      [0, 1],
      [9_999, 1],
      [10_000, 1],
      [30_000, 1],
    ]);
    assert.deepEqual(
      counts.map(({ count }) => count),
      [1, 2, 2, 1],
    );
  });

  it('counts a late point at its date, and not at all when it is too old', () => {
    const settings = settingsOf('10', 'seconds');
    const results = run(settings, [
      [20_000, 4],
      [15_000, 2],
      [10_000, 100],
    ]);
    assert.deepEqual(results, [
      { mean: 4, min: 4, max: 4, deviation: 0, count: 1, dateMs: 20_000 },
      { mean: 3, min: 2, max: 4, deviation: 1, count: 2, dateMs: 20_000 },
    ]);
  });

  it('counts a repeated point once, and a corrected one with its new value', () => {
    const results = run(settingsOf('10', 'points'), [
      [10, 1],
      [20, 3],
      [10, 1],
      [20, 5],
    ]);
    assert.deepEqual(
      results.map(({ count, mean }) => [count, mean]),
      [
        [1, 1],
        [2, 2],
        [2, 2],
        [2, 3],
      ],
    );
  });

  it('counts simultaneous points of several sensors', () => {
    const inputs = [1, 2].map((sensorId) => ({
      ...INPUTS[0],
      sensorId,
      sensorName: '',
      dataType: 'float',
      fields: [],
    }));
    const { memory, settings } = statisticsService;
    const points = inputs.map(({ sensorId }) => ({ sensorId, value: '4', dateMs: 1 }));
    const { outputs } = statisticsService.compute({ inputs, settings, memory, model: null }, points, 0);
    assert.equal(JSON.parse(outputs.at(-1)?.value ?? '{}').count, 2);
  });

  it('accepts numbers as strings, and skips values without a number', () => {
    const state = {
      inputs: INPUTS,
      settings: statisticsService.settings,
      memory: statisticsService.memory,
      model: null,
    };
    const { outputs, error } = statisticsService.compute(state, [{ sensorId: 1, value: 'off', dateMs: 1 }], 0);
    assert.deepEqual(outputs, []);
    assert.equal(error, 'the value holds no number');
    assert.equal(run(statisticsService.settings, [[1, ' 2.5 ']])[0]?.mean, 2.5);
  });

  it('refuses invalid windows', () => {
    for (const parameters of [
      ['0', 'points'],
      ['1.5', 'points'],
      ['-1', 'seconds'],
      ['', 'points'],
      ['5', 'hours'],
      ['1e9', 'points'],
    ]) {
      assert.ok('refused' in setWindow(...parameters), parameters.join(' '));
    }
  });

  it('equals a naive computation for any data, however it is divided into passes', () => {
    const entry = fc.tuple(
      fc.integer({ min: 0, max: 60 }).map((second) => second * 1000),
      fc.integer({ min: -1000, max: 1000 }),
    );
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 30 }),
        (entries, seconds) => {
          const settings = settingsOf(String(seconds), 'seconds');
          let memory: Json = statisticsService.memory;
          const kept = new Map<number, number>();
          for (const [dateMs, value] of entries) {
            const points = [{ sensorId: 1, value: String(value), dateMs }];
            const computed = statisticsService.compute({ inputs: INPUTS, settings, memory, model: null }, points, 0);
            memory = computed.memory;
            kept.set(dateMs, value);
            const newest = Math.max(...kept.keys());
            const isLate = dateMs <= newest - seconds * 1000;
            assert.equal(computed.outputs.length, isLate ? 0 : 1);
            if (isLate) continue;
            const inside = [...kept].filter(([date]) => date > newest - seconds * 1000);
            const values = inside.map(([, each]) => each);
            const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
            const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / values.length;
            const got = JSON.parse(computed.outputs[0]?.value ?? '{}');
            assert.equal(got.count, values.length);
            assert.equal(got.min, Math.min(...values));
            assert.equal(got.max, Math.max(...values));
            assert.ok(close(got.mean, mean) && close(got.deviation, Math.sqrt(variance)));
          }
        },
      ),
    );
  });
});
