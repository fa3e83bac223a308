import type { Severity } from './severity';
import type { FiringVariables } from './trigger-state';
import type { CallResults } from './windows/window-results';

/** The sensor of an alert; its id is null in a sample. */
export interface AlertSensor {
  id: number | null;
  name: string;
  displayName: string;
  dataType: string;
  /** JSON text, `""` when there is none. */
  dataStructure: string;
  /** `""` when none is set; absent in alerts of the release before. */
  unit?: string;
  /** JSON text, null when none is set; absent in alerts of the release before. */
  fieldUnits?: string | null;
}

/** The trigger of an alert; its id is null in a sample. */
export interface AlertTrigger {
  id: number | null;
  name: string;
  expression: string | null;
  /** Seconds. */
  inactivity: number | null;
  /** The time zone of the functions of time in the expression. */
  timezone: string;
  severity: Severity;
}

/** The firing, or the end of an episode, that a delivery reports. In a test there is no cause. */
export interface Alert {
  /** null in a test. */
  firingId: number | null;
  /** The first firing of the episode; null in a test. */
  episodeId: number | null;
  state: 'firing' | 'resolved';
  /** null when the firing is no longer known. */
  reason: 'expression' | 'inactivity' | null;
  /** Cause of the end of the episode; null while it is open. */
  resolvedBy: string | null;
  sensor: AlertSensor;
  trigger: AlertTrigger;
  /** Value of the deciding point; null if no point decided. */
  value: string | null;
  /** Date of the deciding point, otherwise of the decision. */
  dateMs: number;
  /** When it fired or ended, by the server's clock. */
  atMs: number;
  /** When the episode began, by the server's clock; absent in a test, and in alerts of the release before. */
  begunMs?: number;
  /** The variables at the firing; null when they are no longer known. */
  variables: FiringVariables | null;
  /** The results of the window functions in the expression at the firing; absent if they are not known. */
  windows?: CallResults;
  /** Whether sensor, trigger and value are made up, because a tested notification is connected to nothing. */
  isSample: boolean;
}

/** What an alert is about: its trigger and its sensor. */
export function headingOf({ sensor, trigger }: Pick<Alert, 'sensor' | 'trigger'>): string {
  return `${trigger.name} on ${sensor.name}`;
}
