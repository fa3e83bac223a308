import type { UsedLabels } from '../../language/labels';
import type { DataPoint } from '../../points';

/**
 * The variables of the specification at a firing, in the units of the API: unix seconds, stored values, null if there
 * is none. `times_triggered` counts this firing; all other variables have their values before it.
 * @example { "last_triggered": 0, "times_triggered": 1, "last_sensor_data_value": "29.5", "last_sensor_data_date": 1795229484.5, "sensor_data_value": "31.2", "sensor_data_date": 1795229544.125, "current_time": 1795229544.8 }
 */
export type FiringVariables = {
  last_triggered: number;
  /** @isInt */
  times_triggered: number;
  last_sensor_data_value: string | null;
  last_sensor_data_date: number | null;
  sensor_data_value: string | null;
  sensor_data_date: number | null;
  current_time: number;
  /** The labels that the expression names, with the values that it used. Absent if it names none. */
  labels?: UsedLabels;
  /** What `zone()` gives for the data point, `""` outside of all. Absent if the rule reads no zones. */
  zone?: string;
};

export interface ShownState {
  /** 0 before the first firing. */
  readonly lastTriggeredMs: number;
  readonly timesTriggered: number;
  readonly lastValue: string | null;
  readonly lastDateMs: number | null;
}

/** Call it before the firing changes the state. */
export function firingVariables(state: ShownState, point: DataPoint | null, nowMs: number): FiringVariables {
  return { ...variablesBefore(state, point, nowMs), times_triggered: state.timesTriggered + 1 };
}

/** `times_triggered` counts earlier firings only. */
export function variablesBefore(state: ShownState, point: DataPoint | null, nowMs: number): FiringVariables {
  return {
    last_triggered: seconds(state.lastTriggeredMs),
    times_triggered: state.timesTriggered,
    last_sensor_data_value: state.lastValue,
    last_sensor_data_date: state.lastDateMs === null ? null : seconds(state.lastDateMs),
    sensor_data_value: point ? point.value : null,
    sensor_data_date: point ? seconds(point.dateMs) : null,
    current_time: seconds(nowMs),
  };
}

/** Unix seconds, with at most three decimals. */
export function seconds(ms: number): number {
  return ms / 1000;
}
