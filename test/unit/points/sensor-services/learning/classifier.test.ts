import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  canRecognise,
  type Example,
  evenly,
  learn,
  recognise,
} from '../../../../../src/points/sensor-services/learning/classifier';

const around = (label: string, mean: number, count: number): Example[] =>
  Array.from({ length: count }, (_, at) => ({ label, features: { mean: mean + at / count, noise: (at * 7) % 5 } }));

describe('the classifier', () => {
  it('recognises nothing before it has learnt two labels, but lists the one', () => {
    assert.equal(canRecognise(learn([])), false);
    const one = learn(around('walking', 3, 20));
    assert.equal(canRecognise(one), false);
    assert.deepEqual(one.labels, ['walking']);
  });

  it('recognises learnt states with a confidence', () => {
    const model = learn([...around('sitting', 0, 10), ...around('walking', 5, 10)]);
    assert.deepEqual(recognise(model, { mean: 0.3, noise: 1 }).label, 'sitting');
    const sure = recognise(model, { mean: 5.3, noise: 1 });
    assert.equal(sure.label, 'walking');
    assert.equal(sure.confidence, 1);
  });

  it('is less confident between two states', () => {
    const model = learn([...around('sitting', 0, 10), ...around('walking', 5, 10)]);
    const between = recognise(model, { mean: 2.9, noise: 1 });
    assert.ok(between.confidence < 0.9, String(between.confidence));
  });

  it('recognises a state learnt from one window despite another learnt from hundreds', () => {
    const model = learn([...around('walking', 5, 300), { label: 'fallen', features: { mean: -4, noise: 2 } }]);
    assert.equal(recognise(model, { mean: -4, noise: 2 }).label, 'fallen');
  });

  it('ignores features that a window lacks or that were never learnt', () => {
    const examples = [...around('sitting', 0, 10), ...around('walking', 5, 10)];
    assert.equal(recognise(learn(examples), { mean: 5, other: 9 }).label, 'walking');
    assert.ok(Number.isFinite(recognise(learn(examples), {}).confidence));
  });

  it('returns a result even when the examples of two labels are equal', () => {
    const features = { mean: 1 };
    const { confidence } = recognise(
      learn([
        { label: 'a', features },
        { label: 'b', features },
      ]),
      features,
    );
    assert.equal(confidence, 0.5);
  });

  it('can be stored as JSON, and the same examples always make the same model', () => {
    const example = fc.record({
      label: fc.constantFrom('a', 'b', 'c'),
      features: fc.dictionary(fc.constantFrom('p', 'q', 'r'), fc.double({ noNaN: true, min: -1e120, max: 1e120 })),
    });
    fc.assert(
      fc.property(fc.array(example, { maxLength: 30 }), example, (examples, window) => {
        const model = learn(examples);
        assert.deepEqual(learn(examples), model);
        if (!canRecognise(model)) return;
        const answer = recognise(JSON.parse(JSON.stringify(model)), window.features);
        assert.deepEqual(recognise(model, window.features), answer);
        assert.ok(model.labels.includes(answer.label));
        assert.ok(answer.confidence > 0 && answer.confidence <= 1, String(answer.confidence));
      }),
    );
  });

  it('keeps the model small however much it learns, without losing a label', () => {
    const model = learn([...around('walking', 5, 5_000), ...around('sitting', 0, 3)]);
    assert.ok(model.examples.length <= 1_000);
    assert.equal(model.examples.filter(({ label }) => model.labels[label] === 'sitting').length, 3);
  });

  it('samples a list evenly', () => {
    assert.deepEqual(evenly([0, 1, 2, 3, 4, 5, 6, 7], 4), [0, 2, 4, 6]);
    assert.deepEqual(evenly([1, 2], 5), [1, 2]);
  });
});
