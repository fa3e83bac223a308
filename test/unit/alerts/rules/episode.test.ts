import assert from 'node:assert/strict';
import fc from 'fast-check';
import { whyHeldBack } from '../../../../src/alerts/rules/episode';
import { decideOnPoint } from '../../../../src/alerts/rules/firing';
import { decideOnInactivityDue, onArrival } from '../../../../src/alerts/rules/inactivity';
import type { TriggerState } from '../../../../src/alerts/rules/trigger-state';
import { alertState } from '../../../../src/alerts/rules/trigger-state';
import { buildState } from './trigger-states';

const START = 1_795_229_544_000;

/** A point, or something that its user does. */
interface Step {
  kind: 'true' | 'false' | 'no result' | 'acknowledge' | 'resolve';
  waitMs: number;
  isMuted: boolean;
}

/** What came of a point. */
interface Past extends Step {
  atMs: number;
  reason: string;
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind']>('true', 'true', 'true', 'false', 'no result', 'acknowledge', 'resolve'),
    waitMs: fc.integer({ min: 1, max: 50_000 }),
    isMuted: fc.boolean(),
  }),
  { maxLength: 60 },
);
const rules = fc.record({
  hold: fc.constantFrom(0, 0, 30, 100),
  repeat: fc.constantFrom(null, null, 0, 60, 150),
});

const hasFired = ({ reason }: Past) => reason === 'fired' || reason === 'muted';

/** What happened since the latest end of what was under way. */
function present(past: readonly Past[]): Past[] {
  return past.slice(past.map(({ kind }) => kind === 'false' || kind === 'resolve').lastIndexOf(true) + 1);
}

/** Says by the whole past what a true point decides now: slow, and plain. */
function expected(past: readonly Past[], atMs: number, { hold, repeat }: { hold: number; repeat: number | null }) {
  const since = present(past);
  const first = since.findIndex(hasFired);
  if (first >= 0) {
    if (since.slice(first).some(({ kind }) => kind === 'acknowledge')) return 'acknowledged';
    const waitMs = atMs - (since.filter(hasFired).at(-1)?.atMs ?? 0);
    if (repeat === 0 || (repeat !== null && waitMs < repeat * 1000)) return 'held-back';
  } else {
    const trueSince = since.find(({ kind }) => kind === 'true')?.atMs ?? atMs;
    if (atMs - trueSince < hold * 1000) return 'pending';
  }
  const lastFiring = past.filter(hasFired).at(-1);
  return lastFiring && atMs - lastFiring.atMs < 60_000 ? 'once-a-minute' : 'fires';
}

function edited(state: TriggerState, kind: Step['kind']): TriggerState {
  const { episode } = state;
  if (episode === null) return state;
  if (kind === 'acknowledge') return { ...state, episode: { ...episode, isAcknowledged: true } };
  return { ...state, episode: null, pendingSinceMs: null };
}

const VALUES: Record<string, string> = { true: '1', false: '0', 'no result': 'none' };

describe('the episodes of an expression', () => {
  it('fires again when its `repeat` is over to the millisecond', () => {
    const episode = { beganMs: START, firedMs: START, isAcknowledged: false, isAnnounced: true };
    assert.equal(whyHeldBack({ repeat: 60 }, episode, START + 59_999), 'held-back');
    assert.equal(whyHeldBack({ repeat: 60 }, episode, START + 60_000), null);
  });

  it('begin, repeat and end as a plain reading of the rules says', () => {
    fc.assert(
      fc.property(rules, steps, (rule, given) => {
        let state = buildState();
        let atMs = START;
        const past: Past[] = [];
        for (const step of given) {
          atMs += step.waitMs;
          let reason: string = step.kind;
          if (step.kind === 'acknowledge' || step.kind === 'resolve') {
            if (state.episode === null) continue;
            state = edited(state, step.kind);
          } else {
            const before = state;
            const point = { value: VALUES[step.kind] ?? '', dateMs: atMs };
            const context = { nowMs: atMs, dataType: 'float', isMuted: () => step.isMuted };
            const { decision, state: after } = decideOnPoint(
              { ...rule, expression: 'sensor_data_value > 0' },
              state,
              point,
              context,
            );
            state = after;
            reason = decision.reason;
            if (step.kind === 'true') {
              const wanted = expected(past, atMs, rule);
              assert.equal(reason, wanted === 'fires' ? (step.isMuted ? 'muted' : 'fired') : wanted);
            }
            if (step.kind === 'false') assert.equal(reason, before.episode ? 'resolved' : 'false');
            if (step.kind === 'no result') assert.deepEqual(after.episode, before.episode);
            if (alertState(before) !== alertState(after)) assert.equal(after.stateSinceMs, atMs);
            else assert.equal(after.stateSinceMs, before.stateSinceMs);
          }
          past.push({ ...step, atMs, reason });
          const fired = present(past).filter(hasFired);
          assert.equal(state.episode?.beganMs, fired[0]?.atMs);
          assert.equal(state.episode?.isAnnounced, fired.length === 0 ? undefined : fired.some((one) => !one.isMuted));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('hold by the dates of the points: it fires with the first one that completes the span', () => {
    let state = buildState();
    const decide = (value: number, seconds: number) => {
      const point = { value: String(value), dateMs: START + seconds * 1000 };
      const rule = { expression: 'sensor_data_value > 0', hold: 60 };
      const result = decideOnPoint(rule, state, point, { nowMs: START + 900_000, dataType: 'float' });
      state = result.state;
      return result.decision.reason;
    };
    assert.deepEqual(
      [decide(1, 0), decide(1, 59), decide(0, 59.5), decide(1, 60), decide(1, 119)],
      [...['pending', 'pending', 'false', 'pending', 'pending']],
    );
    assert.equal(alertState(state), 'pending');
    assert.equal(decide(1, 120), 'fired');
    assert.equal(state.pendingSinceMs, null);
  });
});

describe('the episode of an inactivity', () => {
  const due = (rule: { inactivity: number; repeat?: number | null }, state: TriggerState, nowMs: number) =>
    decideOnInactivityDue(rule, state, { nowMs, availableUntilMs: nowMs, outages: [] });
  const armed = buildState({ inactiveSinceMs: START, dueAtMs: START + 600_000 });

  it('repeats after so many seconds as its trigger says, by its own clock', () => {
    for (const repeat of [60, 900]) {
      const rule = { inactivity: 600, repeat };
      const { decision, state } = due(rule, armed, START + 600_000);
      assert.equal(decision.reason, 'inactive-sensor');
      assert.equal(state.dueAtMs, START + 600_000 + repeat * 1000);
      assert.equal(due(rule, state, START + 600_000 + repeat * 1000 - 1).decision.reason, 'not-due');
      assert.ok(due(rule, state, START + 600_000 + repeat * 1000).decision.fire);
    }
  });

  it('does not repeat with 0, nor once acknowledged', () => {
    const first = due({ inactivity: 600, repeat: 0 }, armed, START + 600_000).state;
    const second = due({ inactivity: 600, repeat: 0 }, first, START + 1_200_000);
    assert.equal(second.decision.reason, 'held-back');
    assert.equal(second.state.dueAtMs, START + 1_800_000);
    const episode = { beganMs: START, firedMs: START, isAcknowledged: true, isAnnounced: true };
    const known = { ...armed, inactivityEpisode: episode };
    assert.equal(due({ inactivity: 600 }, known, START + 600_000).decision.reason, 'acknowledged');
  });

  it('ends when data comes, and only then', () => {
    const { state } = due({ inactivity: 600 }, armed, START + 600_000);
    const nowMs = START + 700_000;
    assert.equal(onArrival({ inactivity: 600 }, state, START + 1, { nowMs, outages: [] }), state);
    const after = onArrival({ inactivity: 600 }, state, nowMs, { nowMs, outages: [] });
    assert.deepEqual([after.inactivityEpisode, after.stateSinceMs], [null, nowMs]);
  });
});
