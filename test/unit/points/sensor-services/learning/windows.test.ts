import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  collect,
  EMPTY_BUFFER,
  finish,
  type Reading,
  type Window,
} from '../../../../../src/points/sensor-services/learning/windows';

const plan = { lengthMs: 10, anchorMs: 0, inputs: ['a'] };
const both = { ...plan, inputs: ['a', 'b'] };

function reading(input: string, atMs: number): Reading {
  return { input, atMs, values: { '': atMs } };
}

function shape(windows: readonly Window[]) {
  return windows.map(({ startMs, readings }) => [startMs, ...readings.map(({ input, atMs }) => `${input}${atMs}`)]);
}

describe('windows', () => {
  it('complete with the first reading past their end, which belongs to the next one', () => {
    const first = collect(EMPTY_BUFFER, [reading('a', 1), reading('a', 9)], plan);
    assert.deepEqual(first.windows, []);
    const second = collect(first.buffer, [reading('a', 10)], plan);
    assert.deepEqual(shape(second.windows), [[0, 'a1', 'a9']]);
    assert.deepEqual(shape(finish(second.buffer, plan)), [[10, 'a10']]);
  });

  it('are aligned with the anchor, even before it', () => {
    const readings = [reading('a', -4), reading('a', 1), reading('a', 4), reading('a', 14)];
    const { windows } = collect(EMPTY_BUFFER, readings, { ...plan, anchorMs: 3 });
    assert.deepEqual(shape(windows), [
      [-7, 'a-4', 'a1'],
      [3, 'a4'],
    ]);
  });

  it('do not exist for times without readings', () => {
    assert.deepEqual(shape(collect(EMPTY_BUFFER, [reading('a', 5), reading('a', 95)], plan).windows), [[0, 'a5']]);
  });

  it('wait for the other input and include its readings of the same time', () => {
    const first = collect(EMPTY_BUFFER, [reading('a', 5), reading('a', 15), reading('a', 25)], both);
    assert.deepEqual(first.windows, []);
    const second = collect(first.buffer, [reading('b', 6), reading('b', 14), reading('b', 26)], both);
    assert.deepEqual(shape(second.windows), [
      [0, 'a5', 'b6'],
      [10, 'b14', 'a15'],
    ]);
  });

  it('stop waiting for an input that is inactive for long, whose last reading counts until then', () => {
    const start = collect(EMPTY_BUFFER, [reading('a', 5), reading('b', 5), reading('a', 15)], both);
    const { windows } = collect(start.buffer, [reading('a', 105), reading('a', 125), reading('a', 231)], both);
    assert.deepEqual(shape(windows), [
      [0, 'a5', 'b5'],
      [10, 'b5', 'a15'],
      [100, 'b5', 'a105'],
      [120, 'a125'],
    ]);
  });

  it('include the last of several readings of an input with the same time', () => {
    const again = { ...reading('a', 3), values: { '': 7 } };
    const { buffer } = collect(EMPTY_BUFFER, [reading('a', 3), reading('b', 3), reading('a', 5), again], both);
    const [window] = finish(buffer, both);
    assert.deepEqual(window?.readings, [again, reading('b', 3), reading('a', 5)]);
  });

  it('ignore readings that are too late', () => {
    const { buffer } = collect(EMPTY_BUFFER, [reading('a', 5), reading('a', 15)], plan);
    const { windows } = collect(buffer, [reading('a', 6), reading('a', 25)], plan);
    assert.deepEqual(shape(windows), [[10, 'a15']]);
  });

  it('restart when time goes far back, so that one date in the far future does not stop them permanently', () => {
    const { buffer } = collect(EMPTY_BUFFER, [reading('a', 5), reading('a', 99_999), reading('a', 199_999)], plan);
    const { windows } = collect(buffer, [reading('a', 15), reading('a', 25)], plan);
    assert.deepEqual(shape(windows), [
      [199_990, 'a199999'],
      [10, 'a15'],
    ]);
  });

  it('finish early rather than grow without bound', () => {
    const readings = Array.from({ length: 9_000 }, (_, at) => reading('a', at));
    const { buffer, windows } = collect(EMPTY_BUFFER, readings, { ...plan, lengthMs: 1_000_000 });
    assert.ok(buffer.waiting.length <= 4_000);
    assert.ok(windows.length >= 1);
  });

  it('are the same however the readings are divided into calls', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 30 })), { maxLength: 40 });
    fc.assert(
      fc.property(steps, fc.array(fc.nat(40), { maxLength: 4 }), (parts, cuts) => {
        let atMs = 0;
        const readings = parts.map(([input, stepMs]) => {
          atMs += stepMs;
          return reading(input, atMs);
        });
        const whole = collect(EMPTY_BUFFER, readings, both);
        let buffer = EMPTY_BUFFER;
        const windows: Window[] = [];
        let from = 0;
        for (const cut of [...cuts.sort((one, other) => one - other), readings.length]) {
          const step = collect(JSON.parse(JSON.stringify(buffer)), readings.slice(from, cut), both);
          buffer = step.buffer;
          windows.push(...step.windows);
          from = Math.max(from, cut);
        }
        assert.deepEqual(shape([...windows, ...finish(buffer, both)]), [
          ...shape(whole.windows),
          ...shape(finish(whole.buffer, both)),
        ]);
      }),
    );
  });
});
