import { toUnixSeconds } from '../../edge/dates';
import type { PageOf, PageTotal } from '../../edge/paging';
import { readFieldUnits, unitOf } from '../../language/measured-value';
import type { ReportOfSensor } from './reports.service';

/** The numbers of a sensor, or of a field of its JSON values. */
export interface ReportedNumbersView {
  /**
   * The field of JSON values, a nested one by its path; `""` for plain numbers.
   * @example ""
   */
  field: string;
  /**
   * Its unit; `""` if none is set.
   * @example "°C"
   */
  unit: string;
  /**
   * @isLong
   * @example 10080
   */
  count: number;
  /** @example -21.4 */
  minimum: number;
  /**
   * The mean of the numbers, as in intervals: not weighted by time.
   * @example -19.8
   */
  mean: number;
  /** @example -11.2 */
  maximum: number;
}

/** For how long the condition of a trigger was true. */
export interface LimitView {
  /** @example "5" */
  trigger_id: string;
  /** @example "too warm" */
  trigger_name: string;
  /** @example 1260 */
  seconds: number;
}

/** A sensor in a period. */
export interface ReportedPeriodView {
  /**
   * Unix seconds.
   * @example 1795219200
   */
  start: number;
  /**
   * Unix seconds: the end, which does not belong to it; for a period that lasts, the time of the request.
   * @example 1795305600
   */
  end: number;
  /**
   * The number of data points.
   * @isLong
   * @example 10080
   */
  count: number;
  /** The numbers among their values; of JSON values the first 20 fields that have some. */
  values: ReportedNumbersView[];
  /**
   * Seconds in which at least one of `limits` was passed.
   * @example 1260
   */
  outside: number;
  /**
   * Your active triggers whose expressions depend on the value of one point, and perhaps on its time, at most 20. Their
   * present expressions are tried on each stored point; `hold` and the like do not count. A value lasts until the next
   * point, but not through a gap.
   */
  limits: LimitView[];
  /**
   * The number of gaps: times between two points that are longer than `expected_interval`.
   * @isLong
   * @example 1
   */
  gaps: number;
  /**
   * Seconds of all gaps, from the last point before each to the next one.
   * @example 900
   */
  gap_seconds: number;
  /**
   * The share of time without gaps, from 0 to 1.
   * @example 0.9985
   */
  availability: number;
  /**
   * The number of alerts of your triggers that began: episodes, as in the list of firings, without repeats.
   * @isLong
   * @example 3
   */
  alerts: number;
  /**
   * How many of these were acknowledged.
   * @isLong
   * @example 2
   */
  acknowledged: number;
  /**
   * The usernames of those who acknowledged them.
   * @example ["ada"]
   */
  acknowledged_by: string[];
}

/** The report on a sensor. */
export interface SensorReportView {
  /** @example "42" */
  sensor_id: string;
  /**
   * Its display name, or else its name.
   * @example "Greenhouse, south wall"
   */
  sensor_name: string;
  /**
   * Seconds without data after which a gap begins: the sensor's `expected_interval`, or learned from its newest points.
   * @example 180
   */
  expected_interval: number;
  periods: ReportedPeriodView[];
}

/** The response with the reports on a page of sensors. */
export interface SensorReportsResponse extends PageTotal {
  reports: SensorReportView[];
}

export function toSensorReportsResponse({ items, total }: PageOf<ReportOfSensor>): SensorReportsResponse {
  return { reports: items.map(toSensorReportView), total };
}

function toSensorReportView(report: ReportOfSensor): SensorReportView {
  const { sensor, expectedMs, periods } = report;
  return {
    sensor_id: String(sensor.id),
    sensor_name: sensor.displayName || sensor.name,
    expected_interval: toUnixSeconds(Math.round(expectedMs)),
    periods: periods.map((period) => toPeriodView(report, period)),
  };
}

function toPeriodView(
  { sensor, limits }: ReportOfSensor,
  period: ReportOfSensor['periods'][number],
): ReportedPeriodView {
  const { startMs, endMs, points, numbers, gaps, gapMs, outsideMs, outsideOf } = period;
  const { alerts, acknowledged, acknowledgedBy } = period;
  const units = { ...readFieldUnits(sensor.fieldUnits), '': unitOf(sensor) ?? '' };
  const values = [...numbers.summaries].map(([field, { count, sum, minimum, maximum }]) => ({
    ...{ field, unit: Object.hasOwn(units, field) ? (units[field as ''] ?? '') : '' },
    ...{ count, minimum, mean: sum / count, maximum },
  }));
  return {
    ...{ start: toUnixSeconds(startMs), end: toUnixSeconds(endMs), count: points, values },
    outside: toUnixSeconds(outsideMs),
    limits: limits.map(({ triggerId, trigger }, at) => ({
      trigger_id: String(triggerId),
      trigger_name: trigger,
      seconds: toUnixSeconds(outsideOf[at] ?? 0),
    })),
    ...{ gaps, gap_seconds: toUnixSeconds(gapMs), availability: 1 - gapMs / (endMs - startMs) },
    ...{ alerts, acknowledged, acknowledged_by: acknowledgedBy },
  };
}
