import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileExpression } from '../../../../src/language/expression';
import { WINDOW_FUNCTIONS } from '../../../../src/language/windows/window-call';

function windowsOf(text: string) {
  const result = compileExpression(text);
  if (!result.ok) return result.error;
  return result.expression.windows.map(({ name, seconds, parameter }) => ({ name, seconds, parameter }));
}

describe('calls of window functions', () => {
  it('are found anywhere in an expression, equal ones once', () => {
    const text =
      'delta(sensor_data_value, 60) > 1 or not (delta( sensor_data_value ,60) < quantile_over_time(.5, sensor_data_value, 600))';
    assert.deepEqual(windowsOf(text), [
      { name: 'delta', seconds: 60, parameter: 0 },
      { name: 'quantile_over_time', seconds: 600, parameter: 0.5 },
    ]);
    assert.deepEqual(windowsOf('predict_linear(min(sensor_data_value, 5), 60, 3600) > 1'), [
      { name: 'predict_linear', seconds: 60, parameter: 3600 },
    ]);
  });

  it('share the values of equal expressions', () => {
    const text = 'avg_over_time(sensor_data_value.a, 60) > max_over_time(sensor_data_value . a, 600)';
    const result = compileExpression(text);
    const keys = result.ok ? result.expression.windows.map(({ key }) => key) : [];
    assert.equal(keys.length, 2);
    assert.equal(new Set(keys).size, 1);
  });

  const constant = 'a whole number of seconds from 1 to 2678400';
  const refused: [text: string, error: string][] = [
    ['delta > 1', 'the function "delta" needs its arguments in brackets at position 0'],
    ['delta.a(1)', 'unknown name "delta" at position 0'],
    ['DELTA(1, 2)', 'unknown name "DELTA" (write "delta") at position 0'],
    ['sum_over_time(hour() > 8, 60)', '"hour" in a window, where only sensor_data_value can be used at position 14'],
    ['1 < delta(sensor_data_value)', '"delta" takes 2 arguments, not 1 at position 4'],
    ['delta(sensor_data_value, 1, 2)', '"delta" takes 2 arguments, not 3 at position 0'],
    ['delta()', '"delta" takes 2 arguments, not 1 at position 0'],
    ['delta(sensor_data_value, )', `"delta" needs a constant here: ${constant} at position 25`],
    ['delta(sensor_data_value, sensor_data_value)', `"delta" needs a constant here: ${constant} at position 25`],
    ['delta(sensor_data_value, 60 * 60)', `"delta" needs a constant here: ${constant} at position 25`],
    ['delta(sensor_data_value, -60)', `"delta" needs a constant here: ${constant} at position 25`],
    ['delta(sensor_data_value, 0)', `"delta" needs a constant here: ${constant} at position 25`],
    ['delta(sensor_data_value, 1.5)', `"delta" needs a constant here: ${constant} at position 25`],
    ['delta(sensor_data_value, 2678401)', `"delta" needs a constant here: ${constant} at position 25`],
    [
      'quantile_over_time(2, sensor_data_value, 60)',
      '"quantile_over_time" needs a constant here: a number from 0 to 1 at position 19',
    ],
    ['delta(, 60)', 'the expression ends where a value is needed at position 6'],
    ['delta(sensor_data_value +, 60)', 'the expression ends where a value is needed at position 25'],
    ['delta((sensor_data_value, 60)', '")" is missing at position 29'],
    ['delta(sensor_data_value, 60', '")" is missing at position 27'],
    ['delta(sensor_data_value], 60)', 'unexpected "]" at position 23'],
    [
      'delta(last_sensor_data_value, 60)',
      '"last_sensor_data_value" in a window, where only sensor_data_value can be used at position 6',
    ],
    [
      'delta(max_over_time(sensor_data_value, 60), 60)',
      'the window function "max_over_time" within another one at position 6',
    ],
    ['delta(sensor_data_value.constructor, 60)', 'unknown name "constructor" at position 6'],
  ];
  for (const [text, error] of refused) {
    it(`are refused in ${text}`, () => assert.equal(windowsOf(text), error));
  }

  it('read the variables of other vocabularies', () => {
    const problemOf = (text: string) => {
      const result = compileExpression(text, { variables: ['_1'], windows: { variables: ['_1'] } });
      return result.ok ? null : result.error;
    };
    assert.equal(problemOf('delta(_1, 60)'), null);
    assert.equal(problemOf('delta(_2, 60)'), 'unknown name "_2" at position 6');
    assert.equal(problemOf('delta(hour(), 60)'), 'unknown name "hour" at position 6');
  });

  it('are not known to expressions of templates', () => {
    const result = compileExpression('delta(_1, 60)', { variables: ['_1'] });
    assert.equal(result.ok ? '' : result.error, 'the window function "delta" cannot be used here at position 0');
  });

  it('never make the check fail in another way than with a position', () => {
    const words = [
      ...WINDOW_FUNCTIONS,
      '(',
      ')',
      '[',
      ']',
      ',',
      '60',
      '0.5',
      'sensor_data_value',
      '+',
      'not',
      '?',
      ':',
      '"a"',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 14 }), (parts) => {
        const text = parts.join(' ');
        const result = compileExpression(text);
        if (result.ok) return;
        assert.ok(result.position >= 0 && result.position <= text.length, text);
        assert.ok(!result.error.startsWith('the expression is too complex'), `${text}: ${result.error}`);
      }),
    );
  });
});
