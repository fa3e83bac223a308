import assert from 'node:assert/strict';
import type { Evaluated, Variables } from '../../../src/language/compiled-expression';
import { compileExpression } from '../../../src/language/expression';
import { readValue } from '../../../src/language/sensor-value';
import { Stopwatch } from '../../support/stopwatch';

function run(text: string, variables: Variables = {}): Evaluated<boolean> {
  const compiled = compileExpression(text);
  if (!compiled.ok) assert.fail(`${text}: ${compiled.error}`);
  return compiled.expression.evaluate(variables);
}

describe('the cost of an evaluation', () => {
  const list = JSON.stringify(Array.from({ length: 30_000 }, (_, index) => index + 10));
  const repeated = (part: string) => Array.from({ length: 55 }, (_, index) => part.replaceAll('#', String(index % 9)));

  it('is one pass, however often the same list is searched', () => {
    const text = repeated('(# in sensor_data_value)').join(' or ');
    const variables = { sensor_data_value: readValue(list, 'json') };
    assert.deepEqual(run(text, variables), { ok: true, value: false });
    const watch = new Stopwatch();
    for (let trigger = 0; trigger < 100; trigger += 1) run(`${text} or ${trigger} < 0`, variables);
    const hundred = watch.stop();
    const bare = new Stopwatch();
    for (let trigger = 0; trigger < 100; trigger += 1) JSON.parse(list);
    // Searching them one by one takes 55 × 30,000 comparisons each: a hundred times as long as parsing.
    assert.ok(hundred < 5 * bare.stop() + 500, `${hundred} ms`);
  }).retries(2);

  it('stays linear when a text is searched for a part that almost occurs everywhere', () => {
    const part = `${'a'.repeat(100)}b${'a'.repeat(99)}`;
    const text = repeated('contains(sensor_data_value, last_sensor_data_value)').slice(0, 36).join(' or ');
    const watch = new Stopwatch();
    const result = run(text, { sensor_data_value: 'a'.repeat(65_535), last_sensor_data_value: part });
    assert.deepEqual(result, { ok: true, value: false });
    assert.ok(watch.stop() < 500);
  }).retries(2);

  it('has a limit, beyond which there is no result but a reason', () => {
    const names = ['a', 'b', 'c', 'd'];
    const lists = (last: number) =>
      readValue(
        JSON.stringify(Object.fromEntries(names.map((name) => [name, [...Array(8_000).fill(1), last]]))),
        'json',
      );
    const text = names.flatMap((name) =>
      names.map((other) => `sensor_data_value.${name} == last_sensor_data_value.${other}`),
    );
    const result = run(
      text
        .map((part) => `(${part})`)
        .slice(0, 30)
        .join(' or '),
      { sensor_data_value: lists(2), last_sensor_data_value: lists(3) },
    );
    assert.ok(!result.ok);
    assert.match(result.error, /^the expression is too expensive: more than 100000 items to compare$/);
  });

  it('begins at 0 with each evaluation', () => {
    const [a, b] = [1, 2].map((last) => readValue(list.replace(/\d+\]$/, `${last}]`), 'json'));
    for (let evaluation = 0; evaluation < 20; evaluation += 1) {
      const result = run('sensor_data_value == last_sensor_data_value', {
        sensor_data_value: a,
        last_sensor_data_value: b,
      });
      assert.deepEqual(result, { ok: true, value: false });
    }
  });
});
