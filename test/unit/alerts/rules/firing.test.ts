import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AHEAD_ERROR, decideOnPoint } from '../../../../src/alerts/rules/firing';
import type { TriggerState } from '../../../../src/alerts/rules/trigger-state';
import { ZoneIndex } from '../../../../src/language/zones/zone-index';
import { buildState } from './trigger-states';

const NOW = 1_795_229_544_000;

function decide(
  expression: string | null,
  value: string,
  overrides: Partial<TriggerState> = {},
  { dateMs = NOW, nowMs = NOW, dataType = 'float' } = {},
) {
  return decideOnPoint({ expression }, buildState(overrides), { value, dateMs }, { nowMs, dataType });
}

describe('decideOnPoint', () => {
  it('fires when the expression is true, and records it', () => {
    const { decision, state } = decide('sensor_data_value > 20', '21', { timesTriggered: 4, lastError: 'old' });
    assert.equal(decision.reason, 'fired');
    assert.deepEqual(
      state,
      buildState({
        ...{ lastTriggeredMs: NOW, timesTriggered: 5, lastValue: '21', lastDateMs: NOW, lastError: null },
        episode: { beganMs: NOW, firedMs: NOW, isAcknowledged: false, isAnnounced: true },
        stateSinceMs: NOW,
      }),
    );
  });

  it('returns the variables in API units: including this firing, everything else as before', () => {
    const before = { lastTriggeredMs: NOW - 120_500, timesTriggered: 1, lastValue: '19.50', lastDateMs: NOW - 1_500 };
    const { decision } = decide('true', '{"lux":5}', before, { dateMs: NOW - 250 });
    assert.ok(decision.fire);
    assert.deepEqual(decision.variables, {
      last_triggered: 1_795_229_423.5,
      times_triggered: 2,
      last_sensor_data_value: '19.50',
      last_sensor_data_date: 1_795_229_542.5,
      sensor_data_value: '{"lux":5}',
      sensor_data_date: 1_795_229_543.75,
      current_time: 1_795_229_544,
    });
  });

  it('keeps the last position for last_zone() while points have none, and their dates', () => {
    const index = new ZoneIndex([
      { name: 'yard', outline: '0 0,0 1,1 1,1 0' },
      { name: 'port', outline: '5 5,5 6,6 6,6 5' },
    ]);
    const context = { nowMs: NOW, dataType: 'json', zones: { index, place: null } };
    const rule = { expression: 'zone() == "port" and last_zone() == "yard"' };
    const at = (place: number | null) => JSON.stringify({ latitude: place, longitude: place });
    const decidedOn = (decides: { expression: string }, values: string[]) =>
      values.reduce(
        ({ state }, value, index) => decideOnPoint(decides, state, { value, dateMs: NOW + index }, context),
        { decision: {}, state: buildState() } as Pick<ReturnType<typeof decideOnPoint>, 'state'> & { decision: object },
      );
    const { decision, state } = decidedOn(rule, [at(0.5), at(null), at(99), '{"battery":3}']);
    assert.deepEqual([state.lastValue, state.lastDateMs], [at(0.5), NOW + 3]);
    assert.ok('reason' in decision && decision.reason === 'cannot-be-evaluated');
    const arrived = decidedOn(rule, [at(0.5), at(null), at(5.5)]);
    assert.ok('reason' in arrived.decision && arrived.decision.reason === 'fired');
    assert.equal(decidedOn(rule, [at(null)]).state.lastValue, at(null));
    assert.equal(decidedOn({ expression: 'in_zone("port")' }, [at(0.5), at(null)]).state.lastValue, at(null));
  });

  it('reports the error of a resolve expression, and shortens long errors to 250 characters', () => {
    const rule = { expression: 'sensor_data_value > 20', resolveExpression: 'sensor_data_value.humidity < 5' };
    const episode = { beganMs: NOW, firedMs: NOW, isAcknowledged: false, isAnnounced: true };
    const context = { nowMs: NOW, dataType: 'float' };
    const { decision, state } = decideOnPoint(rule, buildState({ episode }), { value: '5', dateMs: NOW }, context);
    assert.equal(decision.reason, 'cannot-be-evaluated');
    assert.ok(state.lastError);
    assert.equal(state.lastError, 'error' in decision ? decision.error : undefined);
    const unevaluated = { ...context, unevaluated: 'x'.repeat(300) };
    const long = decideOnPoint({ expression: 'true' }, buildState(), { value: '5', dateMs: NOW }, unevaluated);
    assert.equal(long.state.lastError?.length, 250);
  });

  it('reads both expressions by the clocks of the time zone', () => {
    const at = (date: string) => ({ value: '1', dateMs: Date.parse(date) });
    const rule = { expression: 'hour() == 9', resolveExpression: 'hour() >= 17', timezone: 'Europe/Amsterdam' };
    const reasons: string[] = [];
    let state = buildState();
    for (const hour of ['07:59', '08:00', '15:59', '16:00']) {
      const point = at(`2026-11-26T${hour}:00Z`);
      const decided = decideOnPoint(rule, state, point, { nowMs: point.dateMs, dataType: 'float' });
      state = decided.state;
      reasons.push(decided.decision.reason);
    }
    assert.deepEqual([reasons[0], reasons[1], reasons[3]], ['false', 'fired', 'resolved']);
    assert.notEqual(reasons[2], 'resolved');
  });

  it('keeps the point as the last one when the expression is false', () => {
    const { decision, state } = decide('sensor_data_value > 20', '20');
    assert.deepEqual(decision, { fire: false, reason: 'false' });
    assert.deepEqual(state, buildState({ lastValue: '20', lastDateMs: NOW }));
  });

  it('evaluates with unix seconds, and with 0 before the first firing', () => {
    const before = { lastValue: '1', lastDateMs: NOW - 10_000 };
    const text = `last_triggered == 0 and times_triggered == 0 and sensor_data_date - last_sensor_data_date == 10
      and current_time == ${NOW / 1000}`;
    assert.equal(decide(text, '2', before).decision.reason, 'fired');
  });

  describe('after a point that was dated ahead of the clock', () => {
    const ahead = { lastValue: '19', lastDateMs: NOW + 3_000_000 };
    const decideReceived = (dateMs: number, receivedMs = NOW, lastDateMs = ahead.lastDateMs) =>
      decideOnPoint(
        { expression: 'sensor_data_value > 20' },
        buildState({ ...ahead, lastDateMs }),
        { value: '99', dateMs, receivedMs },
        { nowMs: NOW + 5_000, dataType: 'float' },
      );

    it('evaluates a point of the present, and continues from its date', () => {
      for (const dateMs of [NOW, NOW - 60_000]) {
        const { decision, state } = decideReceived(dateMs);
        assert.deepEqual([decision.reason, state.lastDateMs], ['fired', dateMs]);
      }
    });

    it('leaves out a point of the past, and one that is dated ahead as well', () => {
      for (const dateMs of [NOW - 60_001, NOW + 1]) assert.equal(decideReceived(dateMs).decision.reason, 'late');
    });

    it('leaves out a point of the present that comes after a later one of a clock that is right', () => {
      for (const lastDateMs of [NOW - 5, NOW + 60_000])
        assert.equal(decideReceived(NOW - 10, NOW, lastDateMs).decision.reason, 'late');
    });

    it('evaluates a point that the server dated, however little the other was ahead', () => {
      const point = { value: '99', dateMs: NOW, receivedMs: NOW, isDatedHere: true } as const;
      const state = buildState({ ...ahead, lastDateMs: NOW + 1 });
      const context = { nowMs: NOW, dataType: 'float' };
      assert.equal(
        decideOnPoint({ expression: 'sensor_data_value > 20' }, state, point, context).decision.reason,
        'fired',
      );
    });
  });

  it('does not fire again within a minute, but does after it', () => {
    const fired = (agoMs: number) => decide('true', '1', { lastTriggeredMs: NOW - agoMs, lastError: 'x' });
    assert.equal(fired(59_999).decision.reason, 'once-a-minute');
    assert.deepEqual(
      [fired(59_999).state.lastValue, fired(59_999).state.lastError, fired(59_999).state.timesTriggered],
      ['1', null, 0],
    );
    assert.equal(fired(60_000).decision.reason, 'fired');
  });

  it('fires even in the first minute of the clock', () => {
    assert.equal(decide('true', '1', {}, { nowMs: 1_000, dateMs: 1_000 }).decision.reason, 'fired');
  });

  const unchanged: [string, string, Partial<TriggerState>, number][] = [
    ['the last point again', 'late', { lastDateMs: NOW, lastValue: '9' }, NOW],
    ['a point of a date that was set without a value', 'late', { lastDateMs: NOW }, NOW],
    ['an older point', 'late', { lastDateMs: NOW, lastValue: '3' }, NOW - 1],
    ['any point while it is switched off', 'inactive', { active: false }, NOW],
  ];
  for (const [what, reason, overrides, dateMs] of unchanged) {
    it(`ignores ${what} and changes nothing`, () => {
      const { decision, state } = decide('true', '9', overrides, { dateMs });
      assert.deepEqual(decision, { fire: false, reason });
      assert.deepEqual(state, buildState(overrides));
    });
  }

  it('evaluates another value of the date of the last one', () => {
    const { decision, state } = decide('true', '9', { lastDateMs: NOW, lastValue: '3' }, { dateMs: NOW });
    assert.equal(decision.reason, 'fired');
    assert.deepEqual([state.lastValue, state.lastDateMs], ['9', NOW]);
  });

  it('ignores a point more than an hour ahead, and reports it until one is evaluated', () => {
    const ahead = (expression: string | null, overrides: Partial<TriggerState>) =>
      decide(expression, '9', overrides, { dateMs: NOW + 3_600_001 });
    const { decision, state } = ahead('true', {});
    assert.deepEqual(decision, { fire: false, reason: 'too-far-ahead' });
    assert.deepEqual(state, buildState({ lastError: AHEAD_ERROR }));
    assert.equal(decide('false', '1', { ...state }).state.lastError, null);
    const again = buildState({ lastError: AHEAD_ERROR });
    assert.equal(ahead('true', again).state.lastError, AHEAD_ERROR);
    assert.equal(ahead(null, {}).state.lastError, null);
  });

  it('evaluates a point that is exactly an hour ahead', () => {
    assert.equal(decide('true', '1', {}, { dateMs: NOW + 3_600_000 }).decision.reason, 'fired');
  });

  it('only sets the previous value when the expression needs one and there is none', () => {
    for (const expression of ['sensor_data_value > last_sensor_data_value', 'last_sensor_data_date > 0 or true']) {
      const { decision, state } = decide(expression, '5');
      assert.deepEqual(decision, { fire: false, reason: 'no-previous-value' });
      assert.deepEqual([state.lastValue, state.lastDateMs], ['5', NOW]);
      assert.equal(decide(expression, '6', { ...state, lastDateMs: NOW - 1 }).decision.reason, 'fired');
    }
  });

  it('records why it cannot be evaluated, until it can be', () => {
    const failed = decide('sensor_data_value.lux > 5', '{"x":1}');
    assert.equal(failed.decision.reason, 'cannot-be-evaluated');
    assert.equal(failed.state.lastError, 'sensor_data_value.lux does not exist');
    assert.equal(failed.state.lastValue, '{"x":1}');
    const next = decide('sensor_data_value.lux > 5', '{"lux":1}', { ...failed.state, lastDateMs: NOW - 1 });
    assert.equal(next.state.lastError, null);
  });

  it('treats numbers as strings when the data type is string', () => {
    assert.equal(
      decide('sensor_data_value > 5', '7', {}, { dataType: 'string' }).decision.reason,
      'cannot-be-evaluated',
    );
    assert.equal(decide('sensor_data_value == "7"', '7', {}, { dataType: 'string' }).decision.reason, 'fired');
  });

  it('records an expression that does not compile', () => {
    const { decision, state } = decide('sensor_data_value >', '7');
    assert.equal(decision.reason, 'cannot-be-evaluated');
    assert.match(state.lastError ?? '', /at position 19/);
  });

  it('skips points without an expression', () => {
    const { decision, state } = decide(null, '7');
    assert.deepEqual(decision, { fire: false, reason: 'no-expression' });
    assert.equal(state.lastValue, '7');
  });

  it('fires at most once in 60 seconds of the server clock, for any points and any clock', () => {
    const step = fc.record({
      clockMs: fc.integer({ min: -90_000, max: 90_000 }),
      dateMs: fc.integer({ min: -5_000_000, max: 5_000_000 }),
      value: fc.constantFrom('1', '0', 'text'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let state = buildState();
        let nowMs = NOW;
        const firings: number[] = [];
        const dates: number[] = [];
        for (const { clockMs, dateMs, value } of steps) {
          nowMs += clockMs;
          const point = { value, dateMs: nowMs + dateMs };
          const result = decideOnPoint({ expression: 'sensor_data_value' }, state, point, { nowMs, dataType: '' });
          if (result.state.lastDateMs !== state.lastDateMs) dates.push(point.dateMs);
          state = result.state;
          if (result.decision.fire) firings.push(nowMs);
        }
        assert.equal(state.timesTriggered, firings.length);
        assert.ok(firings.slice(1).every((at, i) => at - (firings[i] ?? 0) >= 60_000));
        assert.ok(dates.slice(1).every((date, i) => date > (dates[i] ?? 0)));
      }),
    );
  });
});
