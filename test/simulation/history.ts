import type { Commit } from './database/simulated-database';
import type { Row } from './database/sql-syntax';

/** A span of virtual time. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** A fault, with how long it lasted. */
export interface Incident extends Span {
  /** Of a ring: it delays what it rings for, and nothing else. */
  kind: 'ring' | 'process';
}

/** A rule of the scenario, with a twin of its expression in TypeScript. */
export interface Rule {
  triggerId: number;
  expression: string | null;
  inactivity: number | null;
  /** Whether the expression is true of a value after a previous one; `undefined` when it has no result. */
  holds(value: string, previous: string | null): boolean | undefined;
}

/** A rule on a sensor, with where its firings go. */
export interface Link {
  sensorTriggerId: number;
  sensorId: number;
  rule: Rule;
  notificationIds: number[];
  sinceMs: number;
}

export interface UploadedPoint {
  value: string;
  dateMs: number;
}

/** An upload that was answered with success. */
export interface AnsweredUpload {
  sensorId: number;
  points: UploadedPoint[];
  answeredMs: number;
}

/** A request that a receiver got. */
export interface ReceivedRequest {
  deliveryId: number;
  webhookId: string;
  body: string;
  atMs: number;
  /** When and what it answered. */
  answerMs: number;
  answer: Answer;
}

/** What a receiver answers, or that it does not. */
export type Answer = 200 | 400 | 410 | 429 | 500 | 'hangs';

/** Everything that happened in one simulated life, seen from outside of the platform. */
export interface History {
  links: Link[];
  /** How many event notifications listen to `fire_trigger`. */
  firingListeners: number;
  commits: Commit[];
  uploads: AnsweredUpload[];
  requests: ReceivedRequest[];
  incidents: Incident[];
  /** When no upload could be accepted. */
  outages: Span[];
  /** Until when clients and faults were at work and triggers active. */
  activeUntilMs: number;
  /** Whether anything went wrong in it. */
  isCalm: boolean;
  /** Whether a time came at which nothing was left to do. */
  cameToRest: boolean;
  rows(table: string): Row[];
  /** How many steps all processes took. */
  steps: number;
}
