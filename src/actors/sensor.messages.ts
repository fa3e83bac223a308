import type { InactivityContext } from '../domain/inactivity';

/** A data point on its way from the inbox; `receivedMs` is when the platform accepted it. */
export interface ReceivedPoint {
  value: string;
  dateMs: number;
  receivedMs: number;
  /** When it was stored; only kept on record. */
  storedMs?: number;
}

/** What a sensor's actor can be told. */
export type SensorMessage = { kind: 'points'; points: readonly ReceivedPoint[] } | { kind: 'inactivity-due' };

/** What it must know about the moment in which it is told. */
export type SensorMessageContext = InactivityContext;
