import type { Clock } from '../../platform/clock';
import type { Database } from '../../storage';
import { Sensor } from '../../storage/models/sensor.model';
import type { Trigger } from '../../storage/models/trigger.model';
import type { TriggerShadow } from '../../storage/models/trigger-shadow.model';
import { runOn } from '../../storage/transaction';
import { readAudience } from '../backtests/audience-reader';
import { BacktestAudience } from '../backtests/backtest-audience';
import { type BacktestComparison, type BacktestOutcome, comparedWith } from '../backtests/backtest-outcome';
import { SENSOR_COLUMNS } from '../backtests/backtests.service';
import { ruleOf } from '../rules/trigger-rule';
import { countUntried } from '../trigger-store/shadow-states';
import { readSwitchEffect, type SwitchEffect } from '../trigger-store/shadow-switch';
import { MOST_FIRINGS, type RecordedFiring, readLiveFirings, readShadowFirings } from './recorded-firings';
import { outcomeOfRecorded } from './recorded-outcome';
import type { FoundShadow } from './shadows.service';

/** What the shadow would have done, and what the live trigger has done since it began. */
export interface ShadowReport extends FoundShadow, BacktestOutcome {
  comparison: BacktestComparison;
  /** Points that were left out. */
  untried: number;
  /** Null after its end. */
  onSwitch: SwitchEffect | null;
  /** More firings were recorded than were read. */
  truncated: boolean;
}

export class ShadowReports {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly digestAfter: number,
  ) {}

  /** Deliveries of both sides are those of the present notifications and mutes, acknowledged as it was live. */
  async report({ trigger, shadow }: FoundShadow): Promise<ShadowReport> {
    const { reads } = this.database;
    const [tried, live] = await Promise.all([readShadowFirings(reads, shadow), readLiveFirings(reads, shadow)]);
    const untilMs = Math.min(shadow.endedMs ?? this.clock.now(), lastOf(tried), lastOf(live));
    const sensorIds = [...new Set([...tried, ...live].map(({ sensorId }) => sensorId))];
    const sensors = await Sensor.findAll({ where: { id: sensorIds }, attributes: SENSOR_COLUMNS });
    const range = { sensorIds, sensors, startMs: shadow.createdMs, endMs: untilMs };
    const input = { trigger, content: trigger, withMutes: true, acknowledge: 'as_recorded' } as const;
    const audience = await readAudience(reads, shadow.ownerId, input, range, this.digestAfter);
    const outcomeUntil = (firings: readonly RecordedFiring[]) =>
      outcomeOfRecorded(until(firings, untilMs), new BacktestAudience(audience), untilMs);
    const { episodes, ...outcome } = await outcomeUntil(tried);
    const other = await outcomeUntil(live);
    const comparison = comparedWith(episodes, other.episodes, other);
    const truncated = Math.max(tried.length, live.length) > MOST_FIRINGS;
    const untried = shadow.untried + (await countUntried(runOn(reads), shadow.triggerId));
    const onSwitch = shadow.endedMs === null ? await this.switchEffect(trigger, shadow) : null;
    return { trigger, shadow, ...outcome, comparison, untried, onSwitch, truncated };
  }

  private switchEffect(trigger: Trigger, shadow: TriggerShadow): Promise<SwitchEffect> {
    return readSwitchEffect(runOn(this.database.reads), { trigger, rule: ruleOf(shadow) }, this.clock.now());
  }
}

/** Until when all firings of a side were read. */
function lastOf(firings: readonly RecordedFiring[]): number {
  return firings[MOST_FIRINGS]?.firedMs ?? Number.MAX_SAFE_INTEGER;
}

/** As the side was then: later ends are not known yet. */
function until(firings: readonly RecordedFiring[], untilMs: number): RecordedFiring[] {
  return firings
    .filter(({ firedMs }) => firedMs <= untilMs)
    .map((firing) => ((firing.endedMs ?? 0) > untilMs ? { ...firing, endedMs: null } : firing));
}
