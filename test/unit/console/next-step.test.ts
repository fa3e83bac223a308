import assert from 'node:assert/strict';
import { nextStep } from '../../../console/src/pages/sensor/next-step';

const NOW = 1_795_000_000;
const rule = { hold: 600, keep_firing_for: 900 };
type Next = NonNullable<Parameters<typeof nextStep>[0]['next']>;
const step = (what: Next['what'], inSeconds: number) =>
  nextStep({ ...rule, next: { what, at: NOW + inSeconds } }, NOW * 1000);

describe('what a trigger waits for, in the console', () => {
  it('is nothing while it waits for data', () => assert.equal(nextStep({ ...rule, next: null }), ''));

  it('is said with the time that is left and the time that has passed', () => {
    assert.equal(step('hold', 240), 'fires in 4 min unless a value says otherwise: 6 min of 10 min');
    assert.equal(step('keep_firing_for', 600), 'ends in 10 min unless a value says otherwise: 5 min of 15 min');
    assert.equal(step('hold', 599.5), 'fires in 10 min unless a value says otherwise: 0 s of 10 min');
    assert.equal(step('minute', 12.4), 'fires in 13 s unless a value says otherwise');
    assert.equal(step('inactivity', 3_600), 'fires in 1 h unless data comes');
    assert.equal(step('escalation', 60), 'notifies the next destination in 1 min unless it is acknowledged or ends');
    assert.equal(step('repeat', 90), 'fires again in 1 min 30 s unless data comes');
  });

  it('may be due already', () => {
    assert.equal(step('hold', -1), 'fires at any moment unless a value says otherwise: 10 min of 10 min');
  });
});
