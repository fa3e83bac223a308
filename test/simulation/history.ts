import type { UploadedPoint } from '../../src/points/data-points/data-point';
import type { Commit } from './database/simulated-database';
import type { Row } from './database/sql-syntax';
import type { Dependents } from './dependents';

/** A span of virtual time. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** A fault, with how long it lasted. */
export interface Incident extends Span {
  /** A faulty wake-up delays only its own work. */
  kind: 'wake-up' | 'process';
}

/** A rule of the scenario, with a twin of its expression in TypeScript. */
export interface Rule {
  triggerId: number;
  expression: string | null;
  inactivity: number | null;
  hold: number;
  repeat: number | null;
  keepFiringFor: number;
  notifyResolved: boolean;
  /** Whether the expression is true for a value after a previous one; `undefined` when it has no result. */
  holds(value: string, previous: string | null, isGateHere: boolean): boolean | undefined;
}

/** A rule on a sensor, with the notifications of its firings. */
export interface Link {
  sensorTriggerId: number;
  sensorId: number;
  rule: Rule;
  /** Those that get its firings at once. */
  notificationIds: number[];
  /** Those that get them only once an episode has lasted for `afterS`. */
  late: LateNotification[];
  sinceMs: number;
  /** Until when its firings are not delivered. */
  mutedUntilMs: number | null;
}

/** A notification with the seconds after which it takes part in an episode. */
export interface LateNotification {
  id: number;
  afterS: number;
}

/** A rule with a selector, whose links come and go, and the notifications of all of them. */
export interface Selection extends Pick<Link, 'notificationIds' | 'late'> {
  rule: Rule;
}

/** A successful upload. */
export interface AnsweredUpload {
  sensorId: number;
  points: UploadedPoint[];
  answeredMs: number;
}

/** A request that arrived at a receiver. */
export interface ReceivedRequest {
  deliveryId: number;
  webhookId: string;
  body: string;
  atMs: number;
  /** The time of its response. */
  answerMs: number;
  answer: Answer;
}

/** The response of a receiver, or none. */
export type Answer = 200 | 400 | 410 | 429 | 500 | 'hangs';

/** From when a command to pause a receiver had succeeded until one to resume it began. */
export interface Pause extends Span {
  receiver: string;
}

/** Everything that happened in one simulation, seen from outside of the platform. */
export interface History {
  /** Those of the scenario, and those that a selector has made. */
  links: Link[];
  selection: Selection | null;
  /** Absent unless alerts of the simulation hold others. */
  dependents?: Dependents;
  /** The number of event notifications of `fire_trigger`. */
  firingListeners: number;
  commits: Commit[];
  uploads: AnsweredUpload[];
  requests: ReceivedRequest[];
  incidents: Incident[];
  pauses: Pause[];
  /** The times in which no upload could be accepted. */
  outages: Span[];
  /** The end of clients, faults and active triggers. */
  activeUntilMs: number;
  /** Whether it had no faults. */
  isCalm: boolean;
  /** Whether at the end nothing was left to do. */
  cameToRest: boolean;
  rows(table: string): Row[];
  /** The number of steps of all processes. */
  steps: number;
}
