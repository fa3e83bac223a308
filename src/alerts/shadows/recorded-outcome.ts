import { paced } from '../../platform/paced';
import type { AudienceStep, BacktestAudience } from '../backtests/backtest-audience';
import { type BacktestOutcome, outcomeOf } from '../backtests/backtest-outcome';
import { stateAtStart } from '../rules/backtest';
import type { EpisodeSpan } from '../rules/paired-episodes';
import type { RecordedFiring } from './recorded-firings';

export interface RecordedOutcome extends BacktestOutcome {
  /** In order of their beginnings. */
  episodes: EpisodeSpan[];
}

interface Step extends AudienceStep {
  sensorId: number;
  /** What comes first of one time: ends of earlier episodes, firings, ends of episodes that began now. */
  rank: number;
}

const NO_STATE = stateAtStart({ expression: null, inactivity: null }, null);

/** Who was notified, or would have been, by recorded firings: the fold of a backtest over what was decided already. */
export async function outcomeOfRecorded(
  firings: readonly RecordedFiring[],
  audience: BacktestAudience,
  untilMs: number,
): Promise<RecordedOutcome> {
  const firsts = firings.filter(({ firedMs, beganMs }) => firedMs === beganMs);
  const steps = [...firings.map(firingStep), ...firsts.flatMap(endStep)];
  steps.sort((a, b) => a.atMs - b.atMs || a.rank - b.rank);
  for await (const { sensorId, ...step } of paced(steps)) {
    acknowledgeUntil(audience, sensorId, step.atMs);
    audience.take(sensorId, step);
  }
  for (const sensorId of new Set(firsts.map((first) => first.sensorId))) acknowledgeUntil(audience, sensorId, untilMs);
  audience.settle(untilMs);
  const episodes = firsts.map(({ sensorId, beganMs, endedMs }) => ({ sensorId, beganMs, endedMs }));
  return { episodes, ...outcomeOf({ episodes, fired: firings.length }, audience) };
}

function acknowledgeUntil(audience: BacktestAudience, sensorId: number, untilMs: number): void {
  for (let atMs = 0; ; ) {
    atMs = audience.nextAcknowledgementMs(sensorId);
    if (atMs > untilMs) return;
    audience.acknowledge(sensorId, atMs, NO_STATE);
  }
}

function firingStep({ sensorId, cause, firedMs, beganMs, isMuted, variables }: RecordedFiring): Step {
  const reason = isMuted ? 'muted' : 'fired';
  const state = { episode: { beganMs }, inactivityEpisode: { beganMs } };
  return { sensorId, atMs: firedMs, rank: 1, cause, decision: { fire: true, reason, variables }, state };
}

function endStep({ sensorId, cause, beganMs, endedMs }: RecordedFiring): Step[] {
  if (endedMs === null) return [];
  const rank = endedMs === beganMs ? 2 : 0;
  return [{ sensorId, atMs: endedMs, rank, cause, decision: { fire: false, reason: 'resolved' }, state: NO_STATE }];
}
