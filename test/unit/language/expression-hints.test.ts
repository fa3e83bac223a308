import assert from 'node:assert/strict';
import { compileExpression } from '../../../src/language/expression';

function refusal(text: string): string {
  const compiled = compileExpression(text);
  return compiled.ok ? assert.fail(`${text} was accepted`) : compiled.error;
}

describe('the error of an expression names the likely meaning of', () => {
  const field = (name: string) => `a field of the value is written "sensor_data_value.${name}"`;
  const quotes = 'a string constant is written in double quotes, as in "open"';
  const cases: [text: string, what: string, hint: string][] = [
    ['sensor_data_value > 5 AND true', 'unexpected "AND"', 'write "and"'],
    ['true Or true', 'unexpected "Or"', 'write "or"'],
    ['NOT true', 'unknown name "NOT"', 'write "not"'],
    ['NOT(true)', 'unknown name "NOT"', 'write "not"'],
    ['1 IN [1]', 'unexpected "IN"', 'write "in"'],
    ['sensor_data_value == TRUE', 'unknown name "TRUE"', 'write "true"'],
    ['sensor_data_value == True', 'unknown name "True"', 'write "true"'],
    ['sensor_data_value == FALSE', 'unknown name "FALSE"', 'write "false"'],
    ['sensor_data_value == NULL', 'unknown name "NULL"', 'write "null"'],
    ['sensor_data_value == None', 'unknown name "None"', 'write "null"'],
    ['sensor_data_value = 5', 'unexpected "="', 'to compare, write "=="'],
    ['sensor_data_value <> 5', 'unexpected "<>"', 'write "!="'],
    ['sensor_data_value ≠ 5', 'unexpected "≠"', 'write "!="'],
    ['sensor_data_value => 5', 'unexpected "=>"', 'write ">="'],
    ['sensor_data_value ≥ 5', 'unexpected "≥"', 'write ">="'],
    ['sensor_data_value =< 5', 'unexpected "=<"', 'write "<="'],
    ['sensor_data_value ≤ 5', 'unexpected "≤"', 'write "<="'],
    ['value > 30', 'unknown name "value"', 'the value of the data point is "sensor_data_value"'],
    ['value.lux > 30', 'unknown name "value"', 'the value of the data point is "sensor_data_value"'],
    ['temperature > 30', 'unknown name "temperature"', field('temperature')],
    ['weather["a-b"] > 30', 'unknown name "weather"', field('weather["a-b"]')],
    ['Temperature > 30', 'unknown name "Temperature"', field('Temperature')],
    ['Sensor_Data_Value > 30', 'unknown name "Sensor_Data_Value"', 'write "sensor_data_value"'],
    ['ABS(1) > 30', 'unknown name "ABS"', 'write "abs"'],
    ['log(1) > 30', 'unknown name "log"', 'write "ln" or "log10"'],
    ['pow(1, 2) > 30', 'unknown name "pow"', 'write "x ^ y"'],
    ['sensor_data_value == “open”', 'unexpected "“"', quotes],
    ['sensor_data_value == „open“', 'unexpected "„"', quotes],
    ['sensor_data_value == ‘open’', 'unexpected "‘"', quotes],
    ["sensor_data_value == 'open'", 'unexpected "\'"', quotes],
  ];
  for (const [text, what, hint] of cases) {
    it(text, () => assert.ok(refusal(text).startsWith(`${what} (${hint}) at position `), refusal(text)));
  }

  it('nothing that it does not know', () => {
    assert.equal(refusal('sin(2) > 1'), 'unknown name "sin" at position 0');
    assert.equal(refusal('sensor_data_value temperature'), 'unexpected "temperature" at position 18');
    const inputs = compileExpression('humidity > 1', { variables: ['_1'] });
    assert.equal(inputs.ok ? '' : inputs.error, 'unknown name "humidity" at position 0');
  });
});
