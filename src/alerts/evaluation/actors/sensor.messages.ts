import type { PointWindows } from '../../../language/windows/sensor-windows';
import type { ReceivedDataPoint } from '../../../points';
import type { InactivityContext } from '../../rules/inactivity';

export type SensorMessage =
  /** Data arrived. The points that follow may be only part of it. */
  | { kind: 'arrivals'; of: readonly { readonly receivedMs: number }[] }
  | { kind: 'points'; points: readonly ReceivedDataPoint[] }
  /** An inactivity, or the condition of a trigger, may be due by the clock. */
  | { kind: 'due' };

export interface SensorMessageContext extends Omit<InactivityContext, 'isMuted'> {
  /** The stored points, if an expression has windows. */
  windows?: PointWindows;
  /** Why points are handled without an evaluation; undefined if they are evaluated. */
  unevaluated?: string | undefined;
}
