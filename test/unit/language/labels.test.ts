import assert from 'node:assert/strict';
import { compileExpression } from '../../../src/language/expression';
import { givenLabels, labelsNamedIn, usedLabels, withNumbersOfLabels } from '../../../src/language/labels';
import { renderText, textProblem, whyEmptyIn } from '../../../src/language/notification-text';
import { Rendering, Template } from '../../../src/language/templates/template';

function compiled(text: string) {
  const result = compileExpression(text);
  return result.ok ? result.expression : assert.fail(result.error);
}

const labels = { sensorName: 'freezer 7', values: givenLabels({ limit: -18, kind: 'freezer', 'shop:floor': '2' }) };

describe('labels of expressions', () => {
  it('reads them within the window of an expression', () => {
    const [window] = compiled('count_over_time(sensor_data_value > label("limit"), 60) > 1').windows;
    const isAbove = (value: number) => window?.x.evaluateToComparable({ sensor_data_value: value }, { labels });
    assert.deepEqual(
      [isAbove(-17), isAbove(-19)],
      [
        { ok: true, value: true },
        { ok: true, value: false },
      ],
    );
  });

  it('does not read one on the side of a choice that is not taken', () => {
    const result = compiled('sensor_data_value > 5 ? true : label("none") > 1').evaluate({ sensor_data_value: 6 });
    assert.deepEqual(result, { ok: true, value: true });
  });

  it('reports the values that were used, with what stood in', () => {
    const { labels: calls } = compiled('sensor_data_value > label("limit", 8) and label("kind", "fridge") != "x"');
    assert.deepEqual(usedLabels(calls, labels), { limit: -18, kind: 'freezer' });
    assert.deepEqual(usedLabels(calls, { sensorName: '', values: new Map() }), { limit: 8, kind: 'fridge' });
    assert.equal(usedLabels(compiled('sensor_data_value > 1').labels, labels), undefined);
  });

  it('refuses more than 20 different ones, and none of a name alone', () => {
    const many = Array.from({ length: 21 }, (_, index) => `label("l${index}", 1)`).join(' + ');
    const refused = compileExpression(`${many} > 1`);
    assert.match(refused.ok ? '' : refused.error, /^more than 20 different labels at position \d+$/);
    assert.equal(compileExpression('label("")').ok, false);
    assert.equal(compileExpression('label("shop:")').ok, false);
    assert.equal(compileExpression('label ( "limit" , +8 ) > 1').ok, true);
  });

  it('survives hostile names', () => {
    for (const name of ['__proto__', 'constructor', 'a"b', '\u{1f600}', ':', 'a:b:c']) {
      const text = `label(${JSON.stringify(name)}, 1) == 1`;
      const result = compileExpression(text);
      if (result.ok) assert.deepEqual(result.expression.evaluate({}, { labels }), { ok: true, value: true }, text);
    }
  });

  it('writes the numbers that an alert used into a comparison', () => {
    const written = withNumbersOfLabels('sensor_data_value > label("limit", 8)', { limit: -18 });
    assert.equal(written, 'sensor_data_value > -18');
    assert.equal(withNumbersOfLabels('label("kind") == "x"', { kind: 'x' }), 'label("kind") == "x"');
  });
});

describe('labels of texts and templates', () => {
  it('finds the labels that they name, in JSON too', () => {
    const body = JSON.stringify({ text: '{{label("shop:floor", "?")}}' });
    assert.deepEqual(labelsNamedIn(['{{ label("limit") }} labels', body, null]), [
      { label: 'limit' },
      { label: 'shop:floor' },
    ]);
  });

  it('shows them, what stands in for them, or nothing with a reason', () => {
    const values = { labels: { limit: -18 }, sensor_name: 'freezer 7' };
    const text =
      'labels of $sensor_name: {{label("limit")}}, {{ label("kind", "sensor_name") }}, {{label("floor", -2)}}';
    assert.equal(renderText(text, values), 'labels of freezer 7: -18, sensor_name, -2');
    assert.equal(renderText('{{label("none")}}!', values), '!');
    assert.equal(renderText('{{label("constructor")}}{{label("toString", "?")}}', values), '?');
    assert.equal(whyEmptyIn('{{label("none")}}!', values), 'the sensor has no label "none"');
    assert.equal(whyEmptyIn(text, values), undefined);
  });

  it('refuses a text whose label cannot be read', () => {
    assert.match(textProblem('{{label(limit)}}') ?? '', /names a label that cannot be read/);
    assert.equal(textProblem('a label (not in braces), {{label("limit")}}'), undefined);
  });

  it('evaluates them in templates', () => {
    const compiledTemplate = Template.compile('{{sensor_data_value - label("limit", 8)}}');
    if ('problem' in compiledTemplate) return assert.fail(compiledTemplate.problem.error);
    const rendering = new Rendering({}, { sensor_data_value: -10 }, labels);
    const steps = compiledTemplate.template.render(rendering);
    for (;;) {
      const step = steps.next();
      if (step.done) return assert.equal(step.value, '8');
    }
  });
});
