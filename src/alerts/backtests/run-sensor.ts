import type { SensorWindows } from '../../language/windows/sensor-windows';
import type { DataPoint } from '../../points';
import type { ConditionDecision } from '../rules/condition';
import type { EpisodeCause } from '../rules/episode';
import { type PointContext, steadyDecision } from '../rules/firing';
import type { EpisodeSpan } from '../rules/paired-episodes';
import type { TriggerRule } from '../rules/trigger-rule';
import { alertState, type TriggerState } from '../rules/trigger-state';
import type { ValueResult, ValueRow } from './value-results';

type RunContext = Pick<PointContext, 'dataType' | 'labels' | 'zones' | 'isMuted'> & { windows?: SensorWindows };

/** A sensor in the backtest of a rule. */
export class RunSensor {
  readonly episodes: Partial<Record<EpisodeCause, EpisodeSpan>> = {};
  /** False while the clock or an acknowledgement may change something. */
  isIdle = false;
  private readonly results: ValueResult | undefined;
  private decided: TriggerState;
  /** The last point, if the state does not have it yet. */
  private last: DataPoint | undefined;
  private onFalse: ConditionDecision | null = null;
  private onTrue: ConditionDecision | null = null;

  constructor(
    private readonly rule: TriggerRule,
    readonly context: RunContext,
    state: TriggerState,
    /** Given if the expression reads nothing but the value. */
    results: ValueResult | undefined,
  ) {
    this.results = context.windows || rule.inactivity !== null ? undefined : results;
    this.decided = state;
    this.state = state;
  }

  get state(): TriggerState {
    const { last, decided } = this;
    if (last) this.decided = { ...decided, lastValue: last.value, lastDateMs: last.dateMs };
    this.last = undefined;
    return this.decided;
  }

  set state(state: TriggerState) {
    this.decided = state;
    this.isIdle = alertState(state) === 'ok' && state.conditionDueMs === null && state.dueAtMs === null;
    if (!this.results) return;
    this.onFalse = steadyDecision(this.rule, state, false);
    this.onTrue = steadyDecision(this.rule, state, true);
  }

  /** The decision on a point that changes nothing but the last value, which is then kept; else null. */
  decideSteady(point: DataPoint, row: ValueRow | undefined): ConditionDecision | null {
    const { results, onFalse, onTrue } = this;
    if (!results || (!onFalse && !onTrue)) return null;
    const isTrue = results.isTrue(row, point.value, this.context.dataType);
    const decision = isTrue === undefined ? null : isTrue ? onTrue : onFalse;
    if (decision) this.last = point;
    return decision;
  }
}
