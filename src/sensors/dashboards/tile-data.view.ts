import type { OpenAlert, SensorState, Threshold } from '../../alerts';
import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { Severity } from '../../edge/severity';
import type { TileData, TilePoint, TileSensor } from './tile-content';
import type { TileCountsView } from './tile-counts.view';
import { type TilePlanView, type TileSpotView, toPlanView } from './tile-plan.view';

/** A data point, or the mean of an interval with its lowest and highest number. */
export interface TilePointView {
  /**
   * Unix seconds: of an interval its start.
   * @example 1795229400
   */
  date: number;
  /**
   * A JSON value as JSON text, with the fields of the tile.
   * @example "21.5"
   */
  value: string;
  /** @example "20.5" */
  min: string;
  /** @example "22.5" */
  max: string;
  /**
   * The number of numbers in the interval; `"0"` if the value is not a number.
   * @example "12"
   */
  count: string;
}

/** The latest data point of a sensor. */
export interface LatestPointView {
  /**
   * Unix seconds.
   * @example 1795229544.125
   */
  date: number;
  /** @example "21.5" */
  value: string;
}

/** A number that a trigger compares values with. */
export interface TileThresholdView {
  /**
   * The field of JSON values; `""` for the value itself.
   * @example ""
   */
  field: string;
  /** @example -15 */
  value: number;
  /**
   * True for a number that ends an alert.
   * @example false
   */
  ends: boolean;
}

/** A sensor of a tile. If it is not available, everything else is empty. */
export interface TileSensorView {
  /**
   * False if the sensor was deleted, or the owner of the dashboard may not show it.
   * @example true
   */
  available: boolean;
  /**
   * Its id; `null` on a public dashboard.
   * @example "42"
   */
  id: string | null;
  /** @example "Freezer 7" */
  name: string;
  /**
   * The unit of its values; `""` if there is none.
   * @example "°C"
   */
  unit: string;
  /**
   * The units of the shown fields of JSON values.
   * @example {"temperature": "°C"}
   */
  field_units: { [field: string]: string };
  /**
   * The latest data point, on a chart, a value or a plan; it may be older than the range. `null` if there is none.
   */
  last: LatestPointView | null;
  /** The intervals of a chart or a value that have data, oldest first. */
  points: TilePointView[];
  /**
   * Its state on a tile of a value, of states or on a plan: `firing`; `silent` without data for longer than expected; the most serious one of its
   * other triggers; `none` without a trigger. `null` on other tiles.
   * @example "ok"
   */
  state: SensorState | null;
  /**
   * The severity of the triggers in this state; `null` without them.
   * @example "warning"
   */
  severity: Severity | null;
  /**
   * Since when it is in this state, in unix seconds: of `silent` the date of its latest data point. `null` if unknown.
   * @example 1795229544.8
   */
  since: number | null;
  /** The numbers that your active triggers compare the shown values of a chart with. */
  thresholds: TileThresholdView[];
  /** Its place on a plan; `null` on other tiles. */
  spot: TileSpotView | null;
}

/** An open alert of an alerts tile. */
export interface TileAlertView {
  /**
   * The name of the trigger.
   * @example "Freezer too warm"
   */
  trigger: string;
  /**
   * The name of the sensor.
   * @example "Freezer 7"
   */
  sensor: string;
  /** @example "warning" */
  severity: Severity;
  /**
   * Unix seconds.
   * @example 1795229544.8
   */
  since: number;
  /** @example false */
  acknowledged: boolean;
}

/** The data of a tile, for all kinds alike. */
export interface TileDataView {
  /**
   * The version of the dashboard that the tile belongs to: with another one than before, the tiles have changed.
   * @isInt
   * @example 3
   */
  version: number;
  /**
   * The start of the shown range, in unix seconds.
   * @example 1795143144
   */
  from: number;
  /**
   * The end of the shown range: the time of the platform.
   * @example 1795229544
   */
  to: number;
  /**
   * The length of the intervals of `points` in seconds.
   * @isInt
   * @example 300
   */
  interval: number;
  /**
   * In the order of the tile. A tile with a selector has the most urgent first, then by name: at most 6 on a chart, and 200
   * on a tile of states.
   */
  sensors: TileSensorView[];
  /**
   * The number of all sensors that the tile is about.
   * @isInt
   * @example 1
   */
  sensor_count: number;
  /** On a tile of states or counts: of all sensors that the tile is about. `null` on others. */
  counts: TileCountsView | null;
  /** The plan of a tile with one; `null` on others, and if its environment was deleted. */
  plan: TilePlanView | null;
  /** The open alerts of an alerts tile, at most 50: unacknowledged ones first, then by severity, then the latest. */
  alerts: TileAlertView[];
  /**
   * The number of all open alerts of an alerts tile.
   * @isLong
   * @example 0
   */
  alert_count: number;
}

/** The response with the data of a tile. */
export interface TileDataResponse {
  tile: TileDataView;
}

/** The data of a tile, with the ids of sensors for its owner only. */
export function toTileDataView(data: TileData, version: number, withIds: boolean): TileDataView {
  return {
    version,
    from: toUnixSeconds(data.fromMs),
    to: toUnixSeconds(data.toMs),
    interval: data.interval,
    sensors: data.sensors.map((sensor) => toSensorView(sensor, withIds)),
    sensor_count: data.sensorCount,
    counts: data.counts,
    plan: data.plan && toPlanView(data.plan),
    alerts: data.alerts.map(toAlertView),
    alert_count: data.alertCount,
  };
}

function toSensorView({ id, isAvailable, fieldUnits, last, points, ...rest }: TileSensor, withIds: boolean) {
  const { name, unit, state, severity, sinceMs, thresholds, spot } = rest;
  return {
    ...{ available: isAvailable, id: withIds ? String(id) : null, name, unit, field_units: fieldUnits },
    ...{ last: last && { date: toUnixSeconds(last.dateMs), value: last.value }, points: points.map(toPointView) },
    ...{ state, severity, since: toUnixSecondsOrNull(sinceMs), thresholds: thresholds.map(toThresholdView), spot },
  };
}

function toThresholdView({ field, value, isEnd }: Threshold): TileThresholdView {
  return { field, value, ends: isEnd };
}

function toPointView({ dateMs, value, min, max, count }: TilePoint): TilePointView {
  return { date: toUnixSeconds(dateMs), value, min, max, count };
}

function toAlertView({ trigger, sensor, severity, sinceMs, isAcknowledged }: OpenAlert): TileAlertView {
  return { trigger, sensor, severity, since: toUnixSeconds(sinceMs), acknowledged: isAcknowledged };
}
