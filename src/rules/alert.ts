import type { FiringVariables } from './trigger-state';

/** The sensor of an alert; its id is null in a sample. */
export interface AlertSensor {
  id: number | null;
  name: string;
  displayName: string;
  dataType: string;
  /** JSON text, `""` when there is none. */
  dataStructure: string;
}

/** The trigger of an alert; its id is null in a sample. */
export interface AlertTrigger {
  id: number | null;
  name: string;
  expression: string | null;
  /** Seconds. */
  inactivity: number | null;
}

/** What a delivery about a firing, or about the end of its episode, is about. A test has one that nothing caused. */
export interface Alert {
  /** null in a test. */
  firingId: number | null;
  /** The first firing of the episode; null in a test. */
  episodeId: number | null;
  state: 'firing' | 'resolved';
  /** null when the firing is not known any more. */
  reason: 'expression' | 'inactivity' | null;
  /** What ended the episode; null while it lasts. */
  resolvedBy: string | null;
  sensor: AlertSensor;
  trigger: AlertTrigger;
  /** That of the deciding point; null where no point decided. */
  value: string | null;
  /** Of the deciding point, else of the decision. */
  dateMs: number;
  /** When it fired or ended, by the server's clock. */
  atMs: number;
  /** As they were at the firing; null when that is not known any more. */
  variables: FiringVariables | null;
  /** Whether sensor, trigger and value are made up, because a tested notification is connected to nothing. */
  isSample: boolean;
}
