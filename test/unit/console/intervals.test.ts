import assert from 'node:assert/strict';
import { statesOf } from '../../../console/src/intervals';

const MINUTE = 60;

describe('the states of an interval', () => {
  const statesIn = (value: string, min?: string, max?: string) =>
    statesOf({ date: 600, value, ...(min && { min }), ...(max && { max }) }, MINUTE).map(({ date, value: state }) => [
      date,
      state,
    ]);

  it('are the other one first, then the last one, if it has both', () => {
    assert.deepEqual(statesIn('false', 'false', 'true'), [
      [600, 'true'],
      [630, 'false'],
    ]);
    assert.deepEqual(statesIn('true', 'false', 'true'), [
      [600, 'false'],
      [630, 'true'],
    ]);
    assert.deepEqual(statesIn('unavailable', 'true', 'true'), [
      [600, 'true'],
      [630, 'unavailable'],
    ]);
  });

  it('are the value itself otherwise', () => {
    for (const [value, min, max] of [
      ['true', 'true', 'true'],
      ['false', 'false', 'false'],
      ['20.5', '19', '23'],
      ['{"t":1}', '{"t":0}', '{"t":2}'],
      ['false', undefined, undefined],
    ] as const) {
      assert.deepEqual(statesIn(value, min, max), [[600, value]], value);
    }
  });
});
