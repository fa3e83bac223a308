import type { InactivityContext } from '../domain/inactivity';

/** A data point on its way from the inbox; `receivedMs` is when the platform accepted it. */
export interface ReceivedPoint {
  value: string;
  dateMs: number;
  receivedMs: number;
  /** When it was stored; only kept on record. */
  storedMs?: number;
}

/** The messages that a sensor's actor handles. */
export type SensorMessage = { kind: 'points'; points: readonly ReceivedPoint[] } | { kind: 'inactivity-due' };

/** The context in which a message is handled. */
export type SensorMessageContext = InactivityContext;
