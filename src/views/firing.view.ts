import type { Firing } from '../models/firing.model';
import { toUnixSeconds } from './unix-seconds';

/** One time that a trigger went off. */
export interface FiringView {
  /** @example "207" */
  id: string;
  /** @example "42" */
  sensor_id: string;
  /** @example "5" */
  trigger_id: string;
  /**
   * `expression` or `inactivity`.
   * @example "expression"
   */
  reason: string;
  /**
   * Unix seconds.
   * @example 1795229544.8
   */
  date: number;
  /**
   * The variables of the expression as they were.
   * @example { "sensor_data_value": 31.2, "last_sensor_data_value": 29.5 }
   */
  variables: Record<string, unknown>;
}

/** The answer that carries some firings. */
export interface FiringsResponse {
  firings: FiringView[];
  /** @example 1 */
  total?: number;
}

export function toFiringView(firing: Firing): FiringView {
  return {
    id: String(firing.id),
    sensor_id: String(firing.sensorId),
    trigger_id: String(firing.triggerId),
    reason: firing.reason,
    date: toUnixSeconds(firing.firedMs),
    variables: JSON.parse(firing.variables),
  };
}
