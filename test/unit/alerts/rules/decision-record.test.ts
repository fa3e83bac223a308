import assert from 'node:assert/strict';
import {
  type DecisionFacts,
  decodeDecisions,
  encodeDecision,
  shortValue,
} from '../../../../src/alerts/rules/decision-record';
import { buildState } from './trigger-states';

const NOW = 1_795_229_544_125;
const ID = 5;
const fact = {
  sensorTriggerId: ID,
  decision: { fire: false, reason: 'false' },
  decidedMs: NOW,
  triggerVersion: 1,
  before: buildState(),
  point: null,
};

const decode = (...texts: string[]) => decodeDecisions(`[${texts.join()}]`, ID);
const roundTrip = (facts: DecisionFacts) => decode(encodeDecision(facts))[0] ?? assert.fail('nothing is decoded');

describe('a stored decision', () => {
  it('contains the variables of the expression', () => {
    const before = buildState({
      lastTriggeredMs: NOW - 90_000,
      timesTriggered: 3,
      lastValue: '20',
      lastDateMs: NOW - 5,
    });
    const point = { value: '21', dateMs: NOW - 1 };
    const decision = { fire: true, reason: 'fired' };
    assert.deepEqual(roundTrip({ ...fact, decision, before, point }), {
      decidedMs: NOW,
      fired: true,
      reason: 'fired',
      error: null,
      value: '21',
      valueDateMs: NOW - 1,
      triggerVersion: 1,
      hold: 0,
      variables: {
        last_triggered: (NOW - 90_000) / 1000,
        times_triggered: 3,
        last_sensor_data_value: '20',
        last_sensor_data_date: (NOW - 5) / 1000,
        sensor_data_value: '21',
        sensor_data_date: (NOW - 1) / 1000,
        current_time: NOW / 1000,
      },
    });
  });

  it('contains the hold of the trigger if there was one', () => {
    assert.equal(roundTrip({ ...fact, hold: 300 }).hold, 300);
  });

  it('contains the version of the trigger, with or without a hold', () => {
    const read = (hold?: number) => {
      const record = roundTrip({ ...fact, triggerVersion: 7, ...(hold ? { hold } : {}) });
      return [record.hold, record.triggerVersion];
    };
    assert.deepEqual(
      [read(), read(300)],
      [
        [0, 7],
        [300, 7],
      ],
    );
  });

  it('has no value for an inactivity, and none before the first point', () => {
    const { value, valueDateMs, variables } = roundTrip(fact);
    assert.deepEqual([value, valueDateMs, variables.sensor_data_value], [null, null, null]);
    assert.deepEqual([variables.last_sensor_data_value, variables.last_sensor_data_date], [null, null]);
  });

  it('has a bounded size, whatever the values', () => {
    const long = '\u{1F321}'.repeat(30_000);
    const text = encodeDecision({
      ...fact,
      decision: { fire: false, reason: 'cannot-be-evaluated', error: long },
      before: buildState({ lastValue: long, lastDateMs: NOW }),
      point: { value: long, dateMs: NOW },
    });
    assert.ok(text.length < 450, String(text.length));
    assert.match(decode(text)[0]?.value ?? '', /^(\u{1F321}){49}…$/u);
  });

  it('is found among those of other triggers, in their order', () => {
    const facts = [1, 2, 3].map((dateMs) => ({ ...fact, point: { value: `"${dateMs}`, dateMs } }));
    const texts = facts.flatMap((one) => [encodeDecision({ ...one, sensorTriggerId: 6 }), encodeDecision(one)]);
    assert.deepEqual(
      decode(...texts).map(({ value }) => value),
      ['"1', '"2', '"3'],
    );
  });

  it('keeps short strings unchanged', () => {
    for (const text of ['', '21', 'x'.repeat(100), null]) assert.equal(shortValue(text), text);
    assert.equal(shortValue('x'.repeat(101)), `${'x'.repeat(99)}…`);
  });
});
