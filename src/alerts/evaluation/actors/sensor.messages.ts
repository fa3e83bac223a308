import type { PointWindows } from '../../../language/windows/sensor-windows';
import type { ReceivedDataPoint } from '../../../points';
import type { InactivityContext } from '../../rules/inactivity';

export type SensorMessage =
  /** The points that follow may be only part of it. */
  | { kind: 'arrivals'; of: readonly { readonly receivedMs: number }[] }
  | { kind: 'points'; points: readonly ReceivedDataPoint[] }
  | { kind: 'due' };

export interface SensorMessageContext extends Omit<InactivityContext, 'isMuted'> {
  windows?: PointWindows;
  /** Why points are not evaluated; undefined if they are. */
  unevaluated?: string | undefined;
}
