import type { ReceivedDataPoint } from '../../rules/data-point';
import type { InactivityContext } from '../../rules/inactivity';

/** The messages that a sensor's actor handles. */
export type SensorMessage =
  /** Data arrived. Points that follow may be only some of it. */
  | { kind: 'arrivals'; of: readonly { readonly receivedMs: number }[] }
  | { kind: 'points'; points: readonly ReceivedDataPoint[] }
  | { kind: 'inactivity-due' };

/** The context in which a message is handled. */
export type SensorMessageContext = Omit<InactivityContext, 'isMuted'>;
