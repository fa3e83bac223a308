import assert from 'node:assert/strict';
import type { RuleChange } from '../../../../src/alerts/noise/suggestion-candidates';
import { effectOf } from '../../../../src/alerts/noise/suggestion-choice';
import type { EpisodeSpan } from '../../../../src/alerts/rules/paired-episodes';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const END = 30 * DAY;
const RESOLVE: RuleChange = { field: 'resolveExpression', to: 'sensor_data_value < -20.5' };
const LATER: RuleChange = { field: 'keepFiringFor', to: 600 };

const span = (beganMs: number, endedMs: number | null, sensorId = 1): EpisodeSpan => ({ sensorId, beganMs, endedMs });
const summary = (deliveries: number) => {
  return {
    episodes: deliveries,
    firings: deliveries,
    deliveries,
    atNight: 0,
    medianDurationMs: null,
    byNotification: new Map(),
  };
};
/** Ten alerts of five minutes, of which the last ends `leftMs` before the end; the change makes one of all. */
const effectWith = (
  change: RuleChange,
  endedMs: number | null,
  { leftMs = DAY, isOpen = false, gapMs = MINUTE } = {},
) => {
  const last = END - leftMs - 5 * MINUTE;
  const present = Array.from({ length: 10 }, (_, at) => {
    const beganMs = last - (9 - at) * (5 * MINUTE + gapMs);
    return span(beganMs, isOpen && at === 9 ? null : beganMs + 5 * MINUTE);
  });
  const [first = span(0, null), ...rest] = present;
  const changed = span(first.beganMs, endedMs);
  const comparison = {
    both: [[first, changed] as const],
    onlyThis: rest,
    onlyOther: [],
    summary: summary(1),
    deliveries: [],
  };
  return effectOf(change, summary(10), comparison as never, { acknowledged: [], endMs: END });
};

describe('a change of a rule that would make it quieter', () => {
  it('merges alerts that follow each other', () => {
    assert.equal(effectWith(RESOLVE, END - DAY + MINUTE)?.merged, 9);
  });

  it('is none if its alert does not end, although that of the rule does', () => {
    assert.equal(effectWith(RESOLVE, null), undefined);
    assert.equal(effectWith(RESOLVE, null, { isOpen: true })?.merged, 9);
  });

  it('may still wait for its end', () => {
    assert.equal(effectWith(LATER, null, { leftMs: MINUTE })?.merged, 9);
  });

  it('is none if an alert lasts for more than a day longer than any before', () => {
    assert.equal(effectWith(LATER, END - DAY, { gapMs: 2 * 60 * MINUTE })?.merged, 9);
    assert.equal(effectWith(LATER, END - DAY, { gapMs: 3 * 60 * MINUTE }), undefined);
  });
});
