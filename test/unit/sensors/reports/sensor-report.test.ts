import assert from 'node:assert/strict';
import fc from 'fast-check';
import { finish } from '../../../../src/platform/steps';
import { SensorReport } from '../../../../src/sensors/reports/sensor-report';

const above = (limit: number) => ({
  triggerId: limit,
  trigger: `above ${limit}`,
  isPassed: (value: unknown) => typeof value === 'number' && value > limit,
});
const reportOf = (limits: number[], periods: [number, number][]) =>
  new SensorReport(
    { dataType: 'float', expectedMs: 10, limits: limits.map(above) },
    periods.map(([startMs, endMs]) => ({ startMs, endMs })),
  );
const add = (report: SensorReport, points: [number, number][]) => {
  for (const [dateMs, value] of points) finish(report.add({ dateMs, value: String(value) }));
};

describe('the report on a sensor', () => {
  it('lets a value last until the next point, and divides it between the periods', () => {
    const report = reportOf(
      [5, 8],
      [
        [100, 110],
        [110, 120],
      ],
    );
    add(report, [
      [95, 9],
      [102, 1],
      [106, 6],
      [112, 1],
    ]);
    report.end(122);
    const shown = report.periods.map(({ points, gaps, gapMs, outsideMs, outsideOf }) => ({
      ...{ points, gaps, gapMs, outsideMs, outsideOf },
    }));
    assert.deepEqual(shown, [
      { points: 2, gaps: 0, gapMs: 0, outsideMs: 6, outsideOf: [6, 2] },
      { points: 1, gaps: 0, gapMs: 0, outsideMs: 2, outsideOf: [2, 0] },
    ]);
    const numbers = report.periods.map(({ numbers: { summaries } }) => summaries.get(''));
    assert.deepEqual(numbers, [
      { count: 2, sum: 7, minimum: 1, maximum: 6 },
      { count: 1, sum: 1, minimum: 1, maximum: 1 },
    ]);
  });

  it('counts a gap in each period that it meets, and no limit in it', () => {
    const report = reportOf(
      [5],
      [
        [100, 110],
        [110, 120],
        [120, 130],
      ],
    );
    add(report, [
      [104, 9],
      [125, 9],
    ]);
    report.end(200);
    assert.deepEqual(
      report.periods.map(({ gaps, gapMs, outsideMs }) => [gaps, gapMs, outsideMs]),
      [
        [2, 10, 0],
        [1, 10, 0],
        [2, 10, 0],
      ],
    );
  });

  it('is one gap without any point', () => {
    const report = reportOf([], [[100, 110]]);
    report.end(500);
    assert.deepEqual([report.periods[0]?.gaps, report.periods[0]?.gapMs], [1, 10]);
  });

  it('divides all of the time into known time and gaps, as a slow count by the millisecond finds it', () => {
    const dates = fc.uniqueArray(fc.integer({ min: 85, max: 140 }), { minLength: 0, maxLength: 12 });
    fc.assert(
      fc.property(dates, (unordered) => {
        const points = [...unordered].sort((a, b) => a - b).map((date): [number, number] => [date, date % 3]);
        const last = points.filter(([date]) => date < 100).at(-1);
        const inside = points.filter(([date]) => date >= 100 && date < 130);
        const next = points.find(([date]) => date >= 130);
        const report = reportOf(
          [1],
          [
            [100, 115],
            [115, 130],
          ],
        );
        add(report, last && last[0] >= 90 ? [last, ...inside] : inside);
        report.end(next && next[0] <= 140 ? next[0] : 1_000);
        for (const { startMs, endMs, gapMs, outsideMs } of report.periods) {
          let [gap, outside] = [0, 0];
          for (let ms = startMs; ms < endMs; ms += 1) {
            const before = points.filter(([date]) => date <= ms).at(-1);
            const after = points.find(([date]) => date > ms);
            const isKnown = before && after && after[0] - before[0] <= 10;
            if (!isKnown) gap += 1;
            else if (before[1] > 1) outside += 1;
          }
          assert.deepEqual([gapMs, outsideMs], [gap, outside], JSON.stringify(points));
        }
      }),
    );
  });
});
