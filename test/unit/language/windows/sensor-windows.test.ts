import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CompiledWindow, Evaluated } from '../../../../src/language/compiled-expression';
import { compileExpression } from '../../../../src/language/expression';
import { SensorWindows } from '../../../../src/language/windows/sensor-windows';

const SENSOR = { dataType: 'float', keptDays: null };

interface Point {
  dateMs: number;
  value: string;
}

function compiled(text: string) {
  const result = compileExpression(text);
  return result.ok ? result.expression : assert.fail(result.error);
}

function windowsWith(
  text: string,
  points: readonly Point[],
  sensor = SENSOR as ConstructorParameters<typeof SensorWindows>[1],
) {
  const windows = new SensorWindows(compiled(text).windows, sensor);
  for (const point of points) windows.put(point);
  return windows;
}

/** The result of an expression at a date, over these points. */
function resultAt(
  text: string,
  points: readonly Point[],
  atMs: number,
  sensor = SENSOR as Parameters<typeof windowsWith>[2],
) {
  const windows = windowsWith(text, points, sensor);
  return evaluateAt(text, windows, atMs);
}

function evaluateAt(text: string, windows: SensorWindows, atMs: number): Evaluated<boolean | number> {
  // Equal to a number is the only condition that shows the number itself.
  let result: number | undefined;
  const windowResults = (window: CompiledWindow) => {
    result = windows.valueOf(window, atMs);
    return result;
  };
  const outcome = compiled(text).evaluate({}, { windowResults });
  return outcome.ok && result !== undefined ? { ok: true, value: result } : outcome;
}

/** A point each second from 1 on, with these values. */
function series(...values: unknown[]): Point[] {
  return values.map((value, index) => ({
    dateMs: (index + 1) * 1000,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));
}

const value = (number: number) => ({ ok: true, value: number });
const error = (text: string) => ({ ok: false, error: text });

describe('window functions', () => {
  const cases: [string, Point[], number][] = [
    ['avg_over_time(sensor_data_value, 3)', series(100, 1, 2, 6), 3],
    ['min_over_time(sensor_data_value, 3)', series(0, 4, 2, 6), 2],
    ['max_over_time(sensor_data_value, 3)', series(100, 4, 2, 6), 6],
    ['sum_over_time(sensor_data_value, 3)', series(100, 1, 2, 6), 9],
    ['sum_over_time(sensor_data_value > 1, 4)', series(100, 1, 2, 6), 3],
    ['count_over_time(sensor_data_value, 3)', series(100, 1, 2, 6), 3],
    ['count_over_time(sensor_data_value, 10)', series('open', 'shut'), 2],
    ['count_over_time(sensor_data_value.lux, 10)', series({ lux: 1 }, { warm: 2 }), 1],
    ['sum_over_time(sensor_data_value.lux, 10)', series({ warm: 2 }), 0],
    ['stddev_over_time(sensor_data_value, 8)', series(2, 4, 4, 4, 5, 5, 7, 9), 2],
    ['stddev_over_time(sensor_data_value, 8)', series(0.1, 0.1, 0.1), 0],
    ['avg_over_time(sensor_data_value, 8)', series(0.1, 0.1, 0.1), 0.1],
    ['quantile_over_time(0.5, sensor_data_value, 8)', series(9, 1, 3, 2), 2.5],
    ['quantile_over_time(1, sensor_data_value, 8)', series(9, 1, 3, 2), 9],
    ['quantile_over_time(0, sensor_data_value, 8)', series(9, 1, 3, 2), 1],
    ['delta(sensor_data_value, 8)', series(5, 100, 3), -2],
    ['increase(sensor_data_value, 8)', series(5, 8, 2, 3), 6],
    ['rate(sensor_data_value, 8)', series(5, 8, 2, 3), 2],
    ['increase(sensor_data_value, 8, 1)', series(1000, 1000.5, 1000.4, 1001), 1],
    ['increase(sensor_data_value, 8, 0)', series(3746, 3746.5, 0, 3747), 1],
    ['increase(sensor_data_value, 8, 0)', series(3746, 3746.5, 0, 0, 3747), 1],
    ['increase(sensor_data_value, 8, 1)', series(1000, 1005, 0, 2, 4, 5), 10],
    ['increase(sensor_data_value, 9, 1)', series(4, 5, 0, 3, 5, 6), 7],
    ['rate(sensor_data_value, 8, 1)', series(1000, 1000.5, 1000.4, 1003), 1],
    ['changes(sensor_data_value, 8)', series({ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 2, b: 2 }), 1],
    ['changes(sensor_data_value, 8)', series([1, 2], [1, 2], [2, 1]), 1],
    ['count_over_time(sensor_data_value, 8)', series({ a: 1 }, [1], 'x', 4), 4],
    ['changes(sensor_data_value, 8)', series(1, 1, 2, 2, 1), 2],
    ['changes(sensor_data_value, 8)', series('open', 'open', 'shut'), 1],
    ['changes(sensor_data_value, 8)', series(5), 0],
    ['deriv(sensor_data_value, 8)', series(1, 3, 5), 2],
    ['deriv(sensor_data_value, 8)', series(0.1, 0.1, 0.1), 0],
    ['predict_linear(sensor_data_value, 8, 10)', series(1, 3, 5), 25],
    ['predict_linear(sensor_data_value, 8, 0)', series(1, 3, 5), 5],
    ['max_over_time(sensor_data_value.lux * 2, 8)', series({ lux: 1 }, { lux: 4 }), 8],
  ];
  for (const [text, points, expected] of cases) {
    it(`computes ${text} of ${points.map((point) => point.value).join(', ')}`, () => {
      assert.deepEqual(resultAt(text, points, points.at(-1)?.dateMs ?? 0), value(expected));
    });
  }

  it('takes the points after the beginning of a window up to its end, and no later ones', () => {
    const points = series(1, 2, 4, 8, 16);
    assert.deepEqual(resultAt('sum_over_time(sensor_data_value, 2)', points, 4000), value(12));
    assert.deepEqual(resultAt('sum_over_time(sensor_data_value, 2)', points, 4999), value(12));
    assert.deepEqual(resultAt('sum_over_time(sensor_data_value, 2)', points, 5000), value(24));
  });

  it('has no result with too few numbers', () => {
    const why = (name: string, fewest: number, count: number) =>
      error(`"${name}" needs ${fewest} or more numbers within 60 seconds, and has ${count}`);
    assert.deepEqual(
      resultAt('avg_over_time(sensor_data_value, 60)', series('open'), 1000),
      why('avg_over_time', 1, 0),
    );
    assert.deepEqual(resultAt('delta(sensor_data_value, 60)', series(5), 1000), why('delta', 2, 1));
    assert.deepEqual(resultAt('rate(sensor_data_value, 60)', series(5), 1000), why('rate', 2, 1));
  });

  it('has no result with a number beyond the range', () => {
    const text = 'sum_over_time(sensor_data_value, 60)';
    assert.deepEqual(resultAt(text, series(1.7e308, 1.7e308), 2000), error('the result is not a finite number'));
  });

  it('has no result with more than 5,000 points in the window', () => {
    const points = Array.from({ length: 5_001 }, (_, index) => ({ dateMs: index * 1000, value: '1' }));
    const text = 'sum_over_time(sensor_data_value, 5001)';
    assert.deepEqual(resultAt(text, points, 4_999_000), value(5_000));
    const why = 'more than 5000 points within 5001 seconds, for "sum_over_time"';
    assert.deepEqual(resultAt(text, points, 5_000_000), error(why));
  });

  it('has no result where the sensor keeps less than the window', () => {
    const text = 'sum_over_time(sensor_data_value, 86401)';
    const keeping = (keptDays: number | null) => resultAt(text, series(1), 1000, { dataType: 'float', keptDays });
    assert.deepEqual(keeping(null), value(1));
    assert.deepEqual(keeping(2), value(1));
    assert.deepEqual(keeping(0), error('the sensor stores no data points, which a window needs'));
    const why = 'the sensor keeps its data points for 1 day, which is less than the window of 86401 seconds';
    assert.deepEqual(keeping(1), error(why));
  });

  it('has no result once the points and the values of all x take more than 4,000,000 bytes', () => {
    const points = Array.from({ length: 5_000 }, (_, index) => ({ dateMs: index * 1000, value: '1' }));
    const built = (columns: number) => {
      const one = (index: number) => compiled(`changes(sensor_data_value+${index},9)`).windows;
      const windows = new SensorWindows(Array.from({ length: columns }, (_, index) => one(index)).flat(), SENSOR);
      for (const steps = windows.fill(points); !steps.next().done; );
      return windows;
    };
    const text = 'changes(sensor_data_value+0,9)';
    assert.deepEqual(evaluateAt(text, built(98), 4_999_000), value(0));
    const windows = built(100);
    const why = 'the windows of this sensor hold more than 4000000 bytes: use fewer different "x" in them';
    assert.deepEqual(evaluateAt(text, windows, 4_999_000), error(why));
    assert.ok(windows.hasFailed && windows.bytes < 2_000);
  });

  it('holds no more for a long text than for a short one, and distinguishes texts that differ in one character', () => {
    const text = 'changes(sensor_data_value, 60)';
    const sensor = { dataType: 'string', keptDays: null };
    for (const length of [3, 60, 64, 65, 200, 249]) {
      const base = 'y'.repeat(length - 1);
      const points = series(`${base}a`, `${base}b`, `${base}b`, `${base}c`, `${base}d`);
      assert.deepEqual(resultAt(text, points, 5_000, sensor), value(3));
    }
    const sizeWith = (value: string) => windowsWith(text, [{ dateMs: 1, value }], sensor).bytes;
    assert.ok(sizeWith('y'.repeat(65_000)) - sizeWith('y') <= 8);
  });

  it('is filled in steps of some 64 values, and of one x of a long value', () => {
    const stepsOf = (text: string, values: string[]) => {
      const windows = new SensorWindows(compiled(text).windows, { dataType: 'string', keptDays: null });
      return [...windows.fill(values.map((one, index) => ({ dateMs: index, value: one })))].length;
    };
    const two = 'changes(sensor_data_value, 9) + changes(lower(sensor_data_value), 9)';
    assert.equal(
      stepsOf(
        two,
        Array.from({ length: 64 }, () => 'a'),
      ),
      2,
    );
    assert.equal(stepsOf(two, ['a'.repeat(300), 'b'.repeat(300)]), 6);
  });

  it('computes a window only if the evaluation reaches it', () => {
    const jumped = 'delta(sensor_data_value, 60) > 1';
    assert.deepEqual(compiled(`true or ${jumped}`).evaluate({}), { ok: true, value: true });
    assert.equal(compiled(jumped).evaluate({}).ok, false);
  });

  it('agrees with a computation of each window from the list of its points', () => {
    const points = fc.array(
      fc.record({ at: fc.integer({ min: 0, max: 60 }), number: fc.integer({ min: -9, max: 9 }) }),
      {
        maxLength: 60,
      },
    );
    const ends = fc.integer({ min: 0, max: 70 });
    const lengths = fc.integer({ min: 1, max: 70 });
    fc.assert(
      fc.property(points, ends, lengths, fc.integer({ min: 0, max: 60 }), (given, end, length, dropped) => {
        for (const [name, naive] of Object.entries(NAIVE)) {
          const text = written(name, length);
          const windows = windowsWith(
            text,
            given.map(({ at, number }) => ({ dateMs: at * 1000, value: String(number) })),
          );
          windows.dropBefore(Math.min(dropped, end - length) * 1000);
          const latest = new Map(given.map(({ at, number }) => [at, number]));
          const inside = [...latest].filter(([at]) => end - length < at && at <= end).sort(([a], [b]) => a - b);
          const expected = naive(inside, end);
          const outcome = evaluateAt(text, windows, end * 1000);
          if (expected === null) assert.equal(outcome.ok, false, text);
          else assertClose(outcome.ok ? Number(outcome.value) : Number.NaN, expected, text);
        }
      }),
    );
  });

  it('depends on the points, and not on the order in which they came', () => {
    const numbers = fc.array(fc.double({ noNaN: true, min: -1e20, max: 1e20 }), { minLength: 2, maxLength: 30 });
    const ordered = numbers.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.shuffledSubarray(
          all.map((_, index) => index),
          { minLength: all.length },
        ),
      ),
    );
    fc.assert(
      fc.property(ordered, ([all, order]) => {
        const points = series(...all);
        const shuffled = order.flatMap((index) => points[index] ?? []);
        for (const name of Object.keys(NAIVE)) {
          const text = written(name, 40);
          assert.deepEqual(resultAt(text, shuffled, 31_000), resultAt(text, points, 31_000));
        }
      }),
    );
  });
});

function assertClose(actual: number, expected: number, what: string): void {
  assert.ok(
    Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${what}: ${actual}, not ${expected}`,
  );
}

const written = (call: string, length: number) => call.replace('X', 'sensor_data_value').replace('S', String(length));

type Listed = [at: number, number: number][];

const sumOf = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
const some = (points: Listed, compute: (numbers: number[]) => number) =>
  points.length === 0 ? null : compute(points.map(([, number]) => number));
const several = (points: Listed, compute: (numbers: number[]) => number) =>
  points.length < 2 ? null : some(points, compute);
const increaseOf = (numbers: number[]) =>
  sumOf(
    numbers.slice(1).map((number, index) => (number < (numbers[index] ?? 0) ? number : number - (numbers[index] ?? 0))),
  );

/** The line of least squares by its textbook sums. */
function lineOf(points: Listed): { slope: number; intercept: number } {
  const n = points.length;
  const [sx, sy] = [sumOf(points.map(([x]) => x)), sumOf(points.map(([, y]) => y))];
  const [sxy, sxx] = [sumOf(points.map(([x, y]) => x * y)), sumOf(points.map(([x]) => x * x))];
  const slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  return { slope, intercept: (sy - slope * sx) / n };
}

describe('the points of a sensor in memory', () => {
  const points = fc.array(
    fc.record({ dateMs: fc.nat(100), value: fc.oneof(fc.nat(9).map(String), fc.constantFrom('a', 'x'.repeat(300))) }),
    { maxLength: 60 },
  );

  it('have the size that these points alone would have, whatever was replaced and dropped', () => {
    const text = 'changes(sensor_data_value, 1) + delta(sensor_data_value, 1)';
    fc.assert(
      fc.property(points, fc.array(fc.nat(100), { maxLength: 4 }), (put, drops) => {
        const windows = windowsWith(text, [{ dateMs: 0, value: 'y'.repeat(300) }]);
        const kept = new Map<number, Point>();
        for (const [index, point] of put.entries()) {
          windows.put(point);
          kept.set(point.dateMs, point);
          if (index % 15 === 14) windows.dropBefore(drops[(index - 14) / 15] ?? 0);
        }
        const left = [...kept.values()].filter(({ dateMs }) => dateMs > windows.completeAfterMs);
        const isFirstLeft = windows.completeAfterMs < 0 && !kept.has(0);
        const all = isFirstLeft ? [{ dateMs: 0, value: 'y'.repeat(300) }, ...left] : left;
        const alone = windowsWith(text, [{ dateMs: 999, value: 'y'.repeat(300) }, ...all]);
        const one = windowsWith(text, [{ dateMs: 999, value: 'y'.repeat(300) }]).bytes - windowsWith(text, []).bytes;
        assert.equal(windows.size, all.length);
        assert.equal(windows.bytes, alone.bytes - one);
      }),
    );
  });
});

/** Each function once more, from the list of its points: null if it has no result. */
const NAIVE: Record<string, (points: Listed, end: number) => number | null> = {
  'avg_over_time(X, S)': (points) => some(points, (numbers) => sumOf(numbers) / numbers.length),
  'min_over_time(X, S)': (points) => some(points, (numbers) => Math.min(...numbers)),
  'max_over_time(X, S)': (points) => some(points, (numbers) => Math.max(...numbers)),
  'sum_over_time(X, S)': (points) => sumOf(points.map(([, number]) => number)),
  'count_over_time(X, S)': (points) => points.length,
  'stddev_over_time(X, S)': (points) =>
    some(points, (numbers) => {
      const mean = sumOf(numbers) / numbers.length;
      return Math.sqrt(sumOf(numbers.map((number) => (number - mean) ** 2)) / numbers.length);
    }),
  'quantile_over_time(0.3, X, S)': (points) =>
    some(points, (numbers) => {
      const sorted = [...numbers].sort((a, b) => a - b);
      const rank = 0.3 * (sorted.length - 1);
      const [low, high] = [sorted[Math.floor(rank)] ?? 0, sorted[Math.ceil(rank)] ?? 0];
      return low + (high - low) * (rank - Math.floor(rank));
    }),
  'delta(X, S)': (points) => several(points, (numbers) => (numbers.at(-1) ?? 0) - (numbers[0] ?? 0)),
  'increase(X, S)': (points) => several(points, increaseOf),
  'rate(X, S)': (points) =>
    several(points, (numbers) => increaseOf(numbers) / ((points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0))),
  'changes(X, S)': (points) =>
    points.filter(([, number], index) => index > 0 && number !== points[index - 1]?.[1]).length,
  'deriv(X, S)': (points) => several(points, () => lineOf(points).slope),
  'predict_linear(X, S, 5)': (points, end) =>
    several(points, () => lineOf(points).intercept + lineOf(points).slope * (end + 5)),
};
