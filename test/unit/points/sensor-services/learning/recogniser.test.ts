import assert from 'node:assert/strict';
import { type Example, learn } from '../../../../../src/points/sensor-services/learning/classifier';
import { numericFields } from '../../../../../src/points/sensor-services/learning/features';
import { RangeLearner } from '../../../../../src/points/sensor-services/learning/range-learner';
import {
  type RecogniserMemory,
  recogniseReadings,
} from '../../../../../src/points/sensor-services/learning/recogniser';
import type { Reading } from '../../../../../src/points/sensor-services/learning/windows';
import { accelerations, MOVEMENTS } from '../../../../support/movement';

const T0 = 1_795_229_540_000;
const windowMs = 5_000;
const inputs = ['7'];

function readingsOf(name: string, fromMs: number, seconds: number, seed: number): Reading[] {
  const movement = MOVEMENTS[name];
  assert.ok(movement);
  return accelerations(movement, fromMs, seconds, seed).map(({ date, value }) => ({
    input: '7',
    atMs: Math.round(date * 1000),
    values: numericFields(value),
  }));
}

function examplesOf(name: string, seed: number): Example[] {
  const learner = new RangeLearner({ startMs: T0, endMs: T0 + 30_000, windowMs, inputs });
  learner.take(readingsOf(name, T0, 30, seed));
  return learner.result().map(({ features }) => ({ label: name, features }));
}

const names = Object.keys(MOVEMENTS);
const model = learn([1, 2, 3].flatMap((seed) => names.flatMap((name) => examplesOf(name, seed))));

describe('recognising a stream', () => {
  it('recognises the movements of an unknown person', () => {
    for (const name of names) {
      for (const seed of [11, 12, 13]) {
        const readings = readingsOf(name, T0 + 3_210, 31, seed);
        const { states } = recogniseReadings(null, readings, { model, windowMs, inputs });
        assert.ok(states.length >= 6);
        assert.deepEqual(new Set(states.map(({ label }) => label)), new Set([name]), `${name} ${seed}`);
      }
    }
  });

  it('dates a state at the end of its window and keeps the latest', () => {
    const { states, memory } = recogniseReadings(null, readingsOf('walking', T0, 12, 9), { model, windowMs, inputs });
    assert.deepEqual(
      states.map(({ atMs }) => atMs),
      [T0 + 5_000, T0 + 10_000],
    );
    assert.equal(memory.latest?.label, 'walking');
    assert.equal(memory.latest.confidence, states.at(-1)?.confidence);
  });

  it('recognises the same however the points arrive, with its memory stored as JSON in between', () => {
    const readings = readingsOf('sitting', T0, 30, 5);
    const whole = recogniseReadings(null, readings, { model, windowMs, inputs }).states;
    let memory: RecogniserMemory | null = null;
    const parts = [];
    for (let at = 0; at < readings.length; at += 37) {
      const step = recogniseReadings(memory, readings.slice(at, at + 37), { model, windowMs, inputs });
      memory = JSON.parse(JSON.stringify(step.memory));
      parts.push(...step.states);
    }
    assert.deepEqual(parts, whole);
  });

  it('recognises and keeps nothing without a model', () => {
    const { states, memory } = recogniseReadings(null, readingsOf('lying', T0, 60, 5), {
      model: null,
      windowMs,
      inputs,
    });
    assert.deepEqual(states, []);
    assert.deepEqual(memory.buffer.waiting, []);
    assert.equal(memory.latest, null);
  });

  it('restarts its windows when their length changes', () => {
    const first = recogniseReadings(null, readingsOf('lying', T0, 4, 5), { model, windowMs, inputs });
    assert.ok(first.memory.buffer.waiting.length > 0);
    const second = recogniseReadings(first.memory, [], { model, windowMs: 1_000, inputs });
    assert.deepEqual(second.memory.buffer.waiting, []);
  });
});

describe('learning a range', () => {
  const learnt = (startMs: number, endMs: number, readings: readonly Reading[]) => {
    const learner = new RangeLearner({ startMs, endMs, windowMs, inputs });
    for (let at = 0; at < readings.length; at += 100) learner.take(readings.slice(at, at + 100));
    return learner.result().map((window) => [window.startMs - startMs, window.endMs - startMs]);
  };

  it('creates windows from its start, without a small rest', () => {
    assert.deepEqual(learnt(T0 + 123, T0 + 11_123, readingsOf('lying', T0 + 123, 11, 1)), [
      [0, 5_000],
      [5_000, 10_000],
    ]);
    assert.equal(learnt(T0, T0 + 13_000, readingsOf('lying', T0, 13, 1)).length, 3);
  });

  it('learns from a range that is shorter than a window', () => {
    assert.deepEqual(learnt(T0, T0 + 1_000, readingsOf('lying', T0, 1, 1)), [[0, 1_000]]);
  });

  it('learns nothing without data', () => assert.deepEqual(learnt(T0, T0 + 60_000, []), []));

  it('keeps a few hundred windows from all parts of a long range', () => {
    const readings = Array.from({ length: 5_003 }, (_, at) => ({
      input: '7',
      atMs: T0 + at * 5_000,
      values: { '': at },
    }));
    const windows = learnt(T0, T0 + 5_003 * 5_000, readings);
    assert.ok(windows.length > 200 && windows.length <= 400);
    assert.ok((windows.at(-1)?.[0] ?? 0) > 4_900 * 5_000);
  });
});
