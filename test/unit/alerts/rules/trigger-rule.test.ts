import assert from 'node:assert/strict';
import { ruleProblem } from '../../../../src/alerts/rules/trigger-rule';

describe('the rule of a trigger', () => {
  it('may be an expression, a duration of inactivity, or both', () => {
    assert.equal(ruleProblem({ expression: 'sensor_data_value > 5', inactivity: null }), null);
    assert.equal(ruleProblem({ expression: null, inactivity: 60 }), null);
    assert.equal(ruleProblem({ expression: 'sensor_data_value > 5', inactivity: 3600 }), null);
  });

  it('requires one of the two', () => {
    assert.equal(ruleProblem({ expression: null, inactivity: null })?.field, 'expression');
  });

  it('accepts whole seconds of inactivity from 60', () => {
    for (const inactivity of [0, 1, 59, 60.5, -60, Number.NaN]) {
      assert.equal(ruleProblem({ expression: null, inactivity })?.field, 'inactivity', String(inactivity));
    }
  });

  it('refuses an expression that cannot be parsed, with the position', () => {
    const problem = ruleProblem({ expression: 'sensor_data_value > > 5', inactivity: null });
    assert.equal(problem?.field, 'expression');
    assert.match(problem?.why ?? '', /position \d+/);
  });

  it('refuses an unknown variable, with the position', () => {
    const problem = ruleProblem({ expression: 'temperature > 5', inactivity: 60 });
    assert.equal(problem?.field, 'expression');
    assert.match(problem?.why ?? '', /position 0/);
  });
});
