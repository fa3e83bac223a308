import type { OpenAlert, SensorState, Threshold } from '../../alerts';
import type { Interval } from '../../edge/intervals';
import type { Severity } from '../../edge/severity';
import type { Spot, TilePlan } from './tile-plan';
import type { StateCounts } from './tile-states';

/** The mean, or the last value if that is not a number. */
export interface TilePoint {
  dateMs: number;
  value: string;
  min: string;
  max: string;
  count: string;
}

export interface TileSensor {
  id: number;
  /** False if it does not exist or must not be shown; the rest is empty then. */
  isAvailable: boolean;
  name: string;
  unit: string;
  fieldUnits: Record<string, string>;
  last: { dateMs: number; value: string } | null;
  points: TilePoint[];
  state: SensorState | null;
  severity: Severity | null;
  sinceMs: number | null;
  thresholds: Threshold[];
  spot: Spot | null;
}

export interface TileData {
  fromMs: number;
  toMs: number;
  /** Seconds. */
  interval: Interval;
  sensors: TileSensor[];
  /** With those that the tile does not show. */
  sensorCount: number;
  counts: StateCounts | null;
  plan: TilePlan | null;
  alerts: OpenAlert[];
  alertCount: number;
}
