import assert from 'node:assert/strict';
import { BacktestPace } from '../../../../src/alerts/backtests/backtest-pace';
import { BacktestWindows } from '../../../../src/alerts/backtests/backtest-windows';
import { ByteBudget, openWorkBudget } from '../../../../src/fairness/byte-budget';
import { compileExpression } from '../../../../src/language/expression';
import { SensorWindows } from '../../../../src/language/windows/sensor-windows';

const USER = 7;
const POINTS = Array.from({ length: 5_000 }, (_, index) => ({ dateMs: index, value: 'a' }));
const LIMIT = 1_000_000;

describe('the windows of a backtest', () => {
  const pace = () => new BacktestPace(Number.POSITIVE_INFINITY, () => Promise.resolve());

  /** Columns of texts take 16 bytes for each point. */
  function sensor(columns: number): SensorWindows {
    const calls = Array.from({ length: columns }, (_, index) => {
      const compiled = compileExpression(`changes(sensor_data_value == ${index} ? "" : sensor_data_value, 60)`);
      return compiled.ok ? compiled.expression.windows : assert.fail(compiled.error);
    });
    return new SensorWindows(calls.flat(), { dataType: 'string', keptDays: null });
  }

  it('are charged to the user while they grow, refused beyond the budget, and released', async () => {
    const refusal = new Error('too much');
    const budget = new ByteBudget({ ofUser: LIMIT, ofAll: LIMIT }, { ofUser: () => refusal, ofAll: () => refusal });
    const windows = new BacktestWindows(pace(), budget, USER);
    await windows.put(sensor(4), POINTS);
    assert.equal(budget.hasRoom(USER, LIMIT / 4), true);
    await assert.rejects(windows.put(sensor(20), POINTS), refusal);
    assert.equal(budget.hasRoom(USER, LIMIT / 4), false);
    windows.release();
    assert.equal(budget.hasRoom(USER, LIMIT), true);
  });

  it('are refused beyond 32,000,000 bytes of all sensors together', async () => {
    const windows = new BacktestWindows(pace(), openWorkBudget(), USER);
    const putAll = async (count: number) => {
      for (let one = 0; one < count; one += 1) await windows.put(sensor(40), POINTS);
    };
    await putAll(9);
    await assert.rejects(putAll(1), /hold more than 32000000 bytes in the windows/);
  });

  it('stop being put when the time of the backtest is used up', async () => {
    const windows = new BacktestWindows(pace(), openWorkBudget(), USER);
    const own = sensor(20);
    await windows.put(own, POINTS, () => own.size > 100);
    assert.ok(own.size > 100 && own.size < 200, String(own.size));
  });
});
