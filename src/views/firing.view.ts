import type { FiringVariables } from '../domain/trigger-state';
import type { Firing } from '../models/firing.model';
import { toUnixSeconds } from './unix-seconds';

/** What made a trigger fire. */
export type FiringReason = 'expression' | 'inactivity';

/** One firing of a trigger. */
export interface FiringView {
  /** @example "207" */
  id: string;
  /** @example "42" */
  sensor_id: string;
  /** @example "5" */
  trigger_id: string;
  /** @example "expression" */
  reason: FiringReason;
  /**
   * Unix seconds.
   * @example 1795229544.8
   */
  date: number;
  /**
   * The variables of the expression at the time of the firing.
   */
  variables: FiringVariables;
}

/** The response with a page of firings. */
export interface FiringsResponse {
  firings: FiringView[];
  /**
   * @isLong
   * @example 1
   */
  total?: number;
}

export function toFiringView(firing: Firing): FiringView {
  return {
    id: String(firing.id),
    sensor_id: String(firing.sensorId),
    trigger_id: String(firing.triggerId),
    reason: firing.reason as FiringReason, // the column holds nothing else
    date: toUnixSeconds(firing.firedMs),
    variables: JSON.parse(firing.variables),
  };
}
